import { createHash } from "node:crypto";

/** Makes choices that depend on its seed alone, so that equal prompts get equal answers. */
export class Seeded {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  }

  /** Returns a whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  /** Shuffles the items. */
  shuffle<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, rank: this.below(2 ** 31) }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ item }) => item);
  }
}
