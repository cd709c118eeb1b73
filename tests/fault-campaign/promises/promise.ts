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

/** Notes a checked item. @param broken describes the violation. */
type Expect = (holds: boolean, broken: () => string) => void;

/** @param work checks the items, and may return a number of further items. */
export const promise = (name: string, work: (evidence: Evidence, expect: Expect) => Promise<unknown>): Promised => ({
  name,
  async check(evidence) {
    let noted = 0;
    const broken: string[] = [];
    const others = await work(evidence, (holds, describe) => {
      noted += 1;
      if (!holds) broken.push(describe());
    });
    return { count: noted + (typeof others === "number" ? others : 0), broken };
  },
});
