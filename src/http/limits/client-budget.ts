import type { Response } from "express";
import { Overloaded } from "./overload.js";
import { clientOf } from "./rate-limits.js";

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

/** Limits what the concurrent requests of each client hold together, such as bytes of memory. */
export class ClientBudget {
  readonly #ofRequest = new WeakMap<Response, number>();
  readonly #ofClient = new Map<string, number>();

  constructor(readonly max: number) {}

  /**
   * Sets what a request holds until its response has closed and its handler has ended.
   * @throws Overloaded when all requests of the client together would hold too much.
   */
  hold(res: Response, amount: number, client = clientOf(res.req)): void {
    if (res.destroyed || res.closed) return;
    const before = this.#ofRequest.get(res);
    const more = amount - (before ?? 0);
    if ((this.#ofClient.get(client) ?? 0) + more > this.max) throw Overloaded();
    this.#change(client, more);
    this.#ofRequest.set(res, amount);
    if (before === undefined) whenDone(res, () => this.#change(client, -(this.#ofRequest.get(res) ?? 0)));
  }

  #change(client: string, by: number): void {
    const left = (this.#ofClient.get(client) ?? 0) + by;
    if (left > 0) this.#ofClient.set(client, left);
    else this.#ofClient.delete(client);
  }
}

/** Bytes of unsent replies to one client: a sixteenth of the smallest supported heap. */
const replyBudget = new ClientBudget(32 * 1_048_576);

/** Minimum size of a reply that counts. Smaller replies hold little, because a connection has few unfinished requests. */
const largeReplyBytes = 8_192;

/**
 * Counts a large reply to a read until its reader has taken it, so that a slow reader cannot fill the memory. A reply to
 * a write does not count, because the write cannot be undone.
 * @throws Overloaded when large replies to the client hold too much memory already.
 */
export function holdReply(res: Response, bytes: number): void {
  if (bytes >= largeReplyBytes && (res.req.method === "GET" || res.req.method === "HEAD")) replyBudget.hold(res, bytes);
}
