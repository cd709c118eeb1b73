import type { System } from "../system/system.js";
import type { Journal } from "../workload/journal.js";

/** The system and the journal of a run after it has settled. */
export interface Evidence {
  readonly system: System;
  readonly journal: Journal;
}

export interface Checked {
  /** Number of checked items. */
  readonly count: number;
  /** One line for each violation. */
  readonly broken: readonly string[];
}

/** A promise that the servers keep under all faults. */
export interface Promised {
  readonly name: string;
  check(evidence: Evidence): Promise<Checked>;
}

/** Collects violations of a promise. */
export class Findings implements Checked {
  count = 0;
  readonly broken: string[] = [];

  /** @param broken describes the violation. */
  expect(holds: boolean, broken: () => string): void {
    this.count += 1;
    if (!holds) this.broken.push(broken());
  }
}
