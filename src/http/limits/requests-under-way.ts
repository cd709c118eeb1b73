import type { Request, RequestHandler } from "express";
import { createTurns } from "../../lib/turns.js";
import { viewerOf } from "../context.js";
import { ClientBudget, whenDone } from "./client-budget.js";
import { Overloaded } from "./overload.js";

export interface UnderWayLimit {
  /** Maximum number of concurrent requests with the same key. */
  readonly atOnce: number;
  /** Requests with the same key share the limit. A request without a key has no limit. */
  keyOf(req: Request): string | undefined;
  onRefused(): void;
}

/**
 * Limits the concurrent requests of each key. A request counts until its response has closed and its handler has ended.
 * Further requests get 503 at once.
 */
export function limitUnderWay({ atOnce, keyOf, onRefused }: UnderWayLimit): RequestHandler {
  const requests = new ClientBudget(atOnce);
  return (req, res, next) => {
    // The client may have left while its token was verified.
    if (res.destroyed) return;
    const key = keyOf(req);
    try {
      if (key !== undefined) requests.hold(res, 1, key);
    } catch (error) {
      onRefused();
      // A client that repeats the request at once has to reconnect, which leaves time for other users.
      res.setHeader("Connection", "close");
      throw error;
    }
    next();
  };
}

/** A form of a course holds up to 17 MiB of texts in memory. Its file is on the disk. */
const uploadsAtOnce = 4;

const maxUploadWaitMs = 30_000;

interface UploadLimit {
  onRefused(): void;
  readonly maxWaitMs?: number;
}

/**
 * Limits the concurrent forms of one user. A further form waits for its turn, unread, and gets 503 after 30 s. A body that
 * is not a form does not count.
 */
export function limitUploads({ onRefused, maxWaitMs = maxUploadWaitMs }: UploadLimit): RequestHandler {
  const runInTurn = createTurns({ ofClient: uploadsAtOnce });
  return (req, res, next) => {
    const user = req.is("multipart/form-data") ? viewerOf(req)?.id : undefined;
    if (user === undefined) return next();
    const waiting = new AbortController();
    const giveUp = () => waiting.abort();
    const late = setTimeout(giveUp, maxWaitMs);
    res.once("close", giveUp);
    const upload = async () => {
      clearTimeout(late);
      res.off("close", giveUp);
      if (res.closed) return;
      const done = new Promise<void>((resolve) => whenDone(res, resolve));
      next();
      await done;
    };
    runInTurn(user, upload, waiting.signal).catch(() => {
      clearTimeout(late);
      if (res.closed) return;
      onRefused();
      next(Overloaded());
    });
  };
}
