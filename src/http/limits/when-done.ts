import type { Response } from "express";

/** The work of the handlers that are under way. */
const workOf = new WeakMap<Response, Promise<unknown>>();

/** Records the work that a handler does for a request. */
export function trackWork(res: Response, work: Promise<unknown>): void {
  workOf.set(res, work);
}

/** Calls back once the response has closed and its handler has ended: a client that leaves does not end the work. */
export function whenDone(res: Response, release: () => void): void {
  res.once("close", () => {
    const work = workOf.get(res);
    if (work) work.then(release, release);
    else release();
  });
}
