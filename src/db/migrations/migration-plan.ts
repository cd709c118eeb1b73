import type { Models } from "../../models/index.js";

/** What a step has done, and where the next one begins; `next` is null after the last. */
export interface MigrationStep {
  readonly changed: number;
  readonly next: unknown;
}

/**
 * One change of stored data. Instances of the version before run beside it, so it only adds what that version does not
 * mind; what no version needs any longer is removed by a migration of a later one. Every step may run twice.
 */
export interface MigrationPlan {
  /** `0001-what-it-does`; never changed once it is released. */
  readonly name: string;
  /** In a sentence, for the operator. */
  readonly about: string;
  /** How many documents are to be changed. */
  remaining(models: Models): Promise<number>;
  /** Looks at some documents and changes those that need it. @param place `next` of the step before; null at first. */
  step(models: Models, place: unknown): Promise<MigrationStep>;
}
