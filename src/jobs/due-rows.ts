import { setTimeout as pause } from "node:timers/promises";
import type { Model, QueryFilter } from "mongoose";
import { type DueDates, dueDates, type Row } from "./due-dates.js";
import type { Run, Work } from "./job.js";
import { recordFailures, type WorkOptions } from "./record-failures.js";

/**
 * What became of a row.
 * - `done`: the work has ended its date.
 * - `moved`: the work has moved its date, or has nothing to report.
 * - `more`: the row stays due, and its owner waits for the next turn.
 * - `left`: somebody else works on it, so that this run leaves it alone.
 * - `away`: the provider does not answer. The row waits as after a failure.
 * - `later`: the row is due then, which is no failure.
 */
export type RowResult = "done" | "moved" | "more" | "left" | "away" | { readonly later: Date };

interface RowOptions<T> extends WorkOptions<T> {
  /** Maximum number of rows of a run. */
  readonly perRun?: number;
  /** Owners take turns. Index this field with the date behind it. Rows without an owner take turns as one owner's. */
  readonly turnsBy?: keyof T & string;
  /** Maximum number of rows of an owner in one turn. */
  readonly perTurn?: number;
  /** Rows that go before all others. */
  readonly first?: QueryFilter<T>;
  /** Maximum number of rows that are read at once; 50 by default. */
  readonly perRead?: number;
  /** Number of rows that are worked on at once. */
  readonly atOnce?: number;
  /** Whether an error means that the provider does not answer. */
  isAway?(error: unknown): boolean;
}

const usualPerRead = 50;
/** Pauses after failures of the server's own work. */
export const usualPauses = { firstMs: 15_000, maxMs: 10 * 60_000 };

const usualPerRun = 1_000;
/** After this many rows in a row without an answer of the provider, the others wait for the next run. */
const maxAway = 3;

/** One row at a time. A row that fails stops no other row. @param field null: all rows of the filter are due. */
export function dueRows<T>(
  model: Model<T>,
  field: (keyof T & string) | null,
  options: RowOptions<T>,
  work: (row: Row<T>, run: Run) => Promise<RowResult>,
): Work {
  const { perRun = usualPerRun, perRead = usualPerRead, restMs = 0, atOnce = 1, done = "rows done" } = options;
  const isAway = options.isAway ?? (() => false);
  const dates = dueDates(model, field, options);
  const failures = recordFailures(model, dates, options);
  const readTurn = takeTurns(model, dates, options);
  return {
    ...dates,
    begin(run) {
      const left = new Set<unknown>();
      let [begun, away] = [0, 0];
      const isOver = (): boolean => run.signal.aborted || away >= maxAway || begun >= perRun;

      async function workOn(row: Row<T>): Promise<void> {
        let result: RowResult;
        try {
          result = await work(row, run);
        } catch (error) {
          if (run.signal.aborted) return;
          away = isAway(error) ? away + 1 : 0;
          if (!(await failures.record(row, error, run))) left.add(row._id);
          return;
        }
        failures.forget(row);
        away = result === "away" ? away + 1 : 0;
        if (result === "done") run.count(done);
        else if (result === "left") left.add(row._id);
        else if (result === "away" && !(await failures.record(row, undefined, run))) left.add(row._id);
        else if (typeof result === "object") await failures.move(row, result.later, run);
      }

      return async () => {
        if (isOver()) return false;
        const rows = await readTurn([...left], Math.min(perRead, perRun - begun));
        const remaining = rows.values();
        const lane = async (): Promise<void> => {
          for (const row of remaining) {
            begun += 1;
            await workOn(row);
            if (isOver()) return;
          }
        };
        const lanes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, rows.length) }, lane));
        for (const result of lanes) if (result.status === "rejected") throw result.reason;
        if (rows.length > 0 && restMs > 0) await pause(restMs);
        return rows.length > 0;
      };
    },
  };
}

/** Rows whose service has a loop of its own. A comment at the loop says why. */
export function ownLoop<T>(
  model: Model<T>,
  field: keyof T & string,
  options: DueDates<T>,
  work: (run: Run) => Promise<void>,
): Work {
  return {
    ...dueDates(model, field, options),
    begin(run) {
      let hasRun = false;
      return async () => {
        if (hasRun) return false;
        hasRun = true;
        await work(run);
        return true;
      };
    },
  };
}

/**
 * Reads the rows of the next turn. A turn goes on behind the owner of the last one, along the index of owners: so an
 * owner with many rows costs no more than one with few.
 */
function takeTurns<T>(
  model: Model<T>,
  { read }: Pick<ReturnType<typeof dueDates<T>>, "read">,
  { first, turnsBy, perTurn = 1 }: RowOptions<T>,
) {
  if (!turnsBy) {
    return async (left: readonly unknown[], limit: number): Promise<Row<T>[]> => {
      const urgent = first ? await read({ which: first, left, limit }) : [];
      return urgent.length > 0 ? urgent : read({ left, limit });
    };
  }
  const mayLackOwner = !model.schema.requiredPaths().includes(turnsBy);
  let lastOwner = "";
  return async (left: readonly unknown[], limit: number): Promise<Row<T>[]> => {
    const urgent = first ? await read({ which: first, left, limit }) : [];
    if (urgent.length > 0) return urgent;
    for (const from of new Set([lastOwner, ""])) {
      const which = { [turnsBy]: { $gt: from } } as QueryFilter<T>;
      const rows = firstOfEach(await read({ which, left, limit, sortBy: turnsBy }), turnsBy, perTurn);
      lastOwner = String(rows.at(-1)?.[turnsBy] ?? "");
      if (rows.length > 0) return rows;
      const ownerless = { [turnsBy]: null } as QueryFilter<T>;
      const others = mayLackOwner ? await read({ which: ownerless, left, limit: Math.min(limit, perTurn) }) : [];
      if (others.length > 0) return others;
    }
    return [];
  };
}

/** The first rows of each owner. */
function firstOfEach<T>(rows: readonly T[], owner: keyof T, perOwner: number): T[] {
  const counts = new Map<unknown, number>();
  return rows.filter((row) => {
    const count = (counts.get(row[owner]) ?? 0) + 1;
    counts.set(row[owner], count);
    return count <= perOwner;
  });
}
