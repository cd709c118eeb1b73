import { setTimeout as pause } from "node:timers/promises";
import type { Model } from "mongoose";
import { isDatabaseAway } from "../db/database-errors.js";
import { dueDates, type Row } from "./due-dates.js";
import type { Run, Work } from "./job.js";
import { recordFailures, type WorkOptions } from "./record-failures.js";

interface BatchOptions<T> extends WorkOptions<T> {
  /** Maximum number of rows that are written together. */
  readonly size: number;
  /** Only rows with the same value in this field are written together. */
  readonly groupBy?: keyof T & string;
  /**
   * Writes the rows that are due first, which its own transaction reads: a batch costs one read less. After a failure, the
   * rows of the run are read, so that they can be halved.
   */
  readonly writeOldest?: (run: Run) => Promise<WrittenBatch>;
}

export interface WrittenBatch {
  /** How much was done. */
  readonly count: number;
  /** Whether rows may be left that are due. */
  readonly isMore: boolean;
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
  const { size: maxSize, restMs = 0, groupBy, writeOldest, done = "rows done" } = options;
  const dates = dueDates(model, field, options);
  const failures = recordFailures(model, dates, options);
  return {
    ...dates,
    begin(run) {
      const left = new Set<unknown>();
      let size = maxSize;
      let first: string | undefined;
      let mayWriteUnread = writeOldest !== undefined;

      /** @returns whether rows may be left. */
      async function writeUnread(): Promise<boolean> {
        try {
          const { count = 0, isMore = false } = (await writeOldest?.(run)) ?? {};
          if (count > 0) run.count(done, count);
          return isMore;
        } catch (error) {
          if (isDatabaseAway(error)) throw error;
          mayWriteUnread = false;
          size = Math.ceil(size / 2);
          return true;
        }
      }

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
        if (run.signal.aborted) return false;
        if (mayWriteUnread) {
          const isMore = await writeUnread();
          if (isMore && restMs > 0) await pause(restMs);
          return isMore;
        }
        const rows = await dates.read({ left: [...left], limit: size });
        // A batch that has changed nothing waits for the next run.
        if (rows.length > 0 && String(rows[0]?._id) === first) return false;
        first = String(rows[0]?._id);
        for (const group of groupsOf(rows, groupBy)) await write(group);
        if (rows.length > 0 && restMs > 0) await pause(restMs);
        return rows.length > 0;
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
