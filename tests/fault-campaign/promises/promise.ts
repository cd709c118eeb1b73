import type { System } from "../system/system.js";
import type { Journal } from "../workload/journal.js";

/** What a promise is checked with when everything has settled. */
export interface Evidence {
  readonly system: System;
  readonly journal: Journal;
}

export interface Checked {
  /** How many things it was checked on. */
  readonly count: number;
  /** One line for each that breaks it. */
  readonly broken: readonly string[];
}

/** Something that the servers promise, whatever happens to them. */
export interface Promised {
  readonly name: string;
  check(evidence: Evidence): Promise<Checked>;
}

/** Collects what breaks a promise. */
export class Findings implements Checked {
  count = 0;
  readonly broken: string[] = [];

  /** @param broken what is to be said when it does not hold. */
  expect(holds: boolean, broken: () => string): void {
    this.count += 1;
    if (!holds) this.broken.push(broken());
  }
}
