import type { Response } from "express";
import { Overloaded, retryAfterSeconds } from "./overload.js";

/** Bounds the bytes that the requests under way hold in memory for one purpose. */
export class ByteBudget {
  #held = 0;
  readonly #shares = new WeakMap<Response, number>();

  constructor(readonly maxBytes: number) {}

  /**
   * Sets the number of bytes that a request holds until its response closes.
   * @throws Overloaded when all requests together would hold more than `maxBytes`.
   */
  hold(res: Response, bytes: number): void {
    if (res.destroyed || res.closed) return;
    const before = this.#shares.get(res);
    const held = this.#held - (before ?? 0) + bytes;
    if (held > this.maxBytes) {
      res.setHeader("Retry-After", retryAfterSeconds);
      throw Overloaded();
    }
    this.#held = held;
    this.#shares.set(res, bytes);
    if (before !== undefined) return;
    res.once("close", () => {
      this.#held -= this.#shares.get(res) ?? 0;
    });
  }
}
