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

/** Calls back once the response has closed and its handler has ended: a client that leaves does not end the work. */
export function whenDone(res: Response, release: () => void): void {
  res.once("close", () => {
    if (res.work) res.work.then(release, release);
    else release();
  });
}

export interface UnderWayLimit {
  /** Requests of one key that may be under way together. */
  readonly atOnce: number;
  /** Requests with the same key share the limit. A request without a key has none. */
  keyOf(req: Request): string | undefined;
  onRefused(): void;
}

/**
 * Bounds the requests under way for each key, until their responses have closed and their handlers have ended. Further
 * ones are 503 at once.
 */
export function limitUnderWay({ atOnce, keyOf, onRefused }: UnderWayLimit): RequestHandler {
  const underWay = new Map<string, number>();
  return (req, res, next) => {
    const key = keyOf(req);
    // The client may have left while its token was verified: then nobody waits for the reply.
    if (res.destroyed) return;
    if (key === undefined) return next();
    const count = underWay.get(key) ?? 0;
    if (count >= atOnce) {
      onRefused();
      // A client that sends again at once has to connect again, which leaves the event loop time for other users.
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

/** A form holds up to 13 MiB in memory until it is answered (a file of 5 MiB, four texts of 2 MiB), so eight hold 104. */
const maxUploads = { perUser: 4, inAll: 8 };

/** Bounds the forms under way of one user, and of all users together. A body that is no form is not counted. */
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
