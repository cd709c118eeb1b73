import type { Response } from "express";
import { Overloaded } from "./overload.js";

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
  hold(res: Response, amount: number, client: string): void {
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
