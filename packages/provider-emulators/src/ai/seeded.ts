import { createHash } from "node:crypto";

/** Makes choices that depend on its seed alone, so that equal prompts get equal answers. */
export class Seeded {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }

  /** Returns a whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }
}
