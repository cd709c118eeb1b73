import type { Response } from "express";
import { Overloaded, retryAfterSeconds } from "./overload.js";
import { clientOf } from "./rate-limits.js";
import { whenDone } from "./when-done.js";

/** Part of a budget that one client may hold, so that it does not shut out the others. */
const shareOfClient = 1 / 2;

/** Bounds the bytes that the requests under way hold in memory for one purpose. */
export class ByteBudget {
  #held = 0;
  readonly #ofRequest = new WeakMap<Response, number>();
  readonly #ofClient = new Map<string, number>();

  constructor(readonly maxBytes: number) {}

  /**
   * Sets the number of bytes that a request holds until its response has closed and its handler has ended.
   * @throws Overloaded when all requests together, or those of one client, would hold too much.
   */
  hold(res: Response, bytes: number): void {
    if (res.destroyed || res.closed) return;
    const client = clientOf(res.req);
    const before = this.#ofRequest.get(res);
    const more = bytes - (before ?? 0);
    const ofClient = (this.#ofClient.get(client) ?? 0) + more;
    if (this.#held + more > this.maxBytes || ofClient > this.maxBytes * shareOfClient) {
      res.setHeader("Retry-After", retryAfterSeconds);
      throw Overloaded();
    }
    this.#change(client, more);
    this.#ofRequest.set(res, bytes);
    if (before === undefined) whenDone(res, () => this.#change(client, -(this.#ofRequest.get(res) ?? 0)));
  }

  #change(client: string, by: number): void {
    this.#held += by;
    const left = (this.#ofClient.get(client) ?? 0) + by;
    if (left > 0) this.#ofClient.set(client, left);
    else this.#ofClient.delete(client);
  }
}
