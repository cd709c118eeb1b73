import type { Request, RequestHandler, Response } from "express";
import { viewerOf } from "../auth/guards.js";
import { Overloaded, retryAfterSeconds } from "./overload.js";

declare global {
  namespace Express {
    interface Response {
      /** Settles when the handler of the request has ended. */
      work?: Promise<unknown>;
    }
  }
}

/** Calls `release` after the response has closed and its handler has ended, because a client may leave before the handler ends. */
export function whenDone(res: Response, release: () => void): void {
  res.once("close", () => {
    if (res.work) res.work.then(release, release);
    else release();
  });
}

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
  const underWay = new Map<string, number>();
  return (req, res, next) => {
    const key = keyOf(req);
    // The client may have left while its token was verified.
    if (res.destroyed) return;
    if (key === undefined) return next();
    const count = underWay.get(key) ?? 0;
    if (count >= atOnce) {
      onRefused();
      // A client that repeats the request at once has to reconnect, which leaves time for other users.
      res.setHeader("Connection", "close");
      res.setHeader("Retry-After", retryAfterSeconds);
      throw Overloaded();
    }
    underWay.set(key, count + 1);
    whenDone(res, () => {
      const left = (underWay.get(key) ?? 1) - 1;
      if (left > 0) underWay.set(key, left);
      else underWay.delete(key);
    });
    next();
  };
}

/**
 * A form of a course holds up to 17 MiB in memory until its reply (a file of 5 MiB, two texts of 6 MiB). Forms of one kind
 * share a budget of 64 MiB (http/upload.ts).
 */
const maxUploads = { perUser: 4, inAll: 8 };

/** Limits the concurrent forms of one user and of all users. A body that is not a form does not count. */
export function uploadLimits(onRefused: () => void): RequestHandler[] {
  const isForm = (req: Request): boolean => typeof req.is("multipart/form-data") === "string";
  return [
    limitUnderWay({
      atOnce: maxUploads.perUser,
      keyOf: (req) => (isForm(req) ? viewerOf(req)?.id : undefined),
      onRefused,
    }),
    limitUnderWay({ atOnce: maxUploads.inAll, keyOf: (req) => (isForm(req) ? "all" : undefined), onRefused }),
  ];
}
