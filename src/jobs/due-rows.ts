import { setTimeout as pause } from "node:timers/promises";
import type { Model, QueryFilter } from "mongoose";
import { isDatabaseAway } from "../db/database-errors.js";
import { type BackoffOptions, backoffMs, isLoggedFailure } from "../lib/backoff.js";
import { type DueDates, dueDates, type Row } from "./due-dates.js";
import type { Run, Work } from "./job.js";

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

interface WorkOptions<T> extends DueDates<T> {
  /** What the work did, for the line about a run: `files removed`. */
  readonly done?: string;
  /** Maximum number of rows of a run. */
  readonly perRun?: number;
  /** Pause after each turn, in which the server answers requests. */
  readonly restMs?: number;
  /** Pauses after failures. Without them a failed row stays due for the next run, because its date has a meaning. */
  readonly pauses?: BackoffOptions;
  /** A row in which one of these fields has changed is left alone after a failure; the date by default. */
  readonly guard?: readonly (keyof T & string)[];
  /** The line about a failure. `about` names the row. */
  readonly failed?: { readonly eventId?: string; readonly says?: string; about?(row: Row<T>): object };
}

interface RowOptions<T> extends WorkOptions<T> {
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

interface BatchOptions<T> extends WorkOptions<T> {
  /** Maximum number of rows that are written together. */
  readonly size: number;
  /** Only rows with the same value in this field are written together. */
  readonly groupBy?: keyof T & string;
}

const usualPerRead = 50;
/** Pauses after failures of the server's own work. */
export const usualPauses = { firstMs: 15_000, maxMs: 10 * 60_000 };

const usualPerRun = 1_000;
/** After this many rows in a row without an answer of the provider, the others wait for the next run. */
const maxAway = 3;
/** Rows whose failures a process counts where the collection does not count them. */
const maxKnownFailures = 1_000;

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

/**
 * Rows that are written together. A batch that fails is tried again in halves, down to one row: neither a slow database
 * nor one bad row stops the others. After a failure the batches of the run stay small.
 * @param work returns how much it has done.
 */
export function dueBatch<T>(
  model: Model<T>,
  field: (keyof T & string) | null,
  options: BatchOptions<T>,
  work: (rows: readonly Row<T>[], run: Run) => Promise<number>,
): Work {
  const { size: maxSize, perRun = Number.POSITIVE_INFINITY, restMs = 0, groupBy, done = "rows done" } = options;
  const dates = dueDates(model, field, options);
  const failures = recordFailures(model, dates, options);
  return {
    ...dates,
    begin(run) {
      const left = new Set<unknown>();
      let begun = 0;
      let size = maxSize;
      let first: string | undefined;

      async function write(rows: readonly Row<T>[]): Promise<void> {
        if (run.signal.aborted) return;
        try {
          const count = await work(rows, run);
          if (count > 0) run.count(done, count);
          for (const row of rows) failures.forget(row);
          if (rows.length >= size) size = Math.min(maxSize, size * 2);
        } catch (error) {
          if (run.signal.aborted) return;
          if (isDatabaseAway(error)) throw error;
          const [row] = rows;
          const half = Math.ceil(rows.length / 2);
          if (row && half === rows.length) {
            if (!(await failures.record(row, error, run))) left.add(row._id);
            return;
          }
          size = Math.min(size, half);
          await write(rows.slice(0, half));
          await write(rows.slice(half));
        }
      }

      return async () => {
        if (run.signal.aborted || begun >= perRun) return false;
        const rows = await dates.read({ left: [...left], limit: size });
        // A batch that has changed nothing waits for the next run.
        if (rows.length > 0 && String(rows[0]?._id) === first) return false;
        first = String(rows[0]?._id);
        begun += rows.length;
        for (const group of groupsOf(rows, groupBy)) await write(group);
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

function groupsOf<T>(rows: readonly T[], field: (keyof T & string) | undefined): T[][] {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = field ? String(row[field]) : "";
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
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

const usualFailure = { eventId: "row_not_done", says: "a row of a background job not done yet" };

/** Counts, moves and logs the rows that fail. */
function recordFailures<T>(
  model: Model<T>,
  { move }: Pick<ReturnType<typeof dueDates<T>>, "move">,
  { pauses, guard, failed }: WorkOptions<T>,
) {
  const inc = model.schema.path("attempts") ? "attempts" : undefined;
  const known = new Map<string, number>();
  const { eventId, says } = { ...usualFailure, ...failed };
  return {
    forget: (row: Row<T>) => known.delete(String(row._id)),
    async move(row: Row<T>, date: Date, run: Run): Promise<void> {
      await move(row, date, { guard });
      run.pollAgain();
    },
    /**
     * Moves the date of a row that has failed. @returns false when it stays due.
     * @throws `error` when the database is away, because then every row would fail.
     */
    async record(row: Row<T>, error: unknown, run: Run): Promise<boolean> {
      if (isDatabaseAway(error)) throw error;
      const id = String(row._id);
      const before = inc ? Number((row as { attempts?: number }).attempts ?? 0) : (known.get(id) ?? 0);
      if (!inc && (known.has(id) || known.size < maxKnownFailures)) known.set(id, before + 1);
      if (error !== undefined && isLoggedFailure(before + 1)) {
        const about = failed?.about?.(row) ?? { model: model.modelName, id };
        run.log.warn({ eventId, ...about, attempt: before + 1, cause: String(error) }, says);
      }
      if (!pauses) return false;
      await move(row, new Date(Date.now() + backoffMs(before, pauses)), { guard, inc });
      run.pollAgain();
      return true;
    },
  };
}
