import type { Model } from "mongoose";
import { isDatabaseAway } from "../db/database-errors.js";
import { type BackoffOptions, backoffMs, isLoggedFailure } from "../lib/backoff.js";
import type { DueDates, dueDates, Row } from "./due-dates.js";
import type { Run } from "./job.js";

export interface WorkOptions<T> extends DueDates<T> {
  /** What the work did, for the line about a run: `files removed`. */
  readonly done?: string;
  /** Pause after each turn, in which the server answers requests. */
  readonly restMs?: number;
  /** Pauses after failures. Without them a failed row stays due for the next run, because its date has a meaning. */
  readonly pauses?: BackoffOptions;
  /** A row in which one of these fields has changed is left alone after a failure; the date by default. */
  readonly guard?: readonly (keyof T & string)[];
  /** The line about a failure. `about` names the row. */
  readonly failed?: { readonly eventId?: string; readonly says?: string; about?(row: Row<T>): object };
}

/** Rows whose failures a process counts where the collection does not count them. */
const maxKnownFailures = 1_000;

const usualFailure = { eventId: "row_not_done", says: "a row of a background job not done yet" };

/** Counts, moves and logs the rows that fail. */
export function recordFailures<T>(
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
