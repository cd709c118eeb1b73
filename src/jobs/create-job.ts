import type { Model, QueryFilter } from "mongoose";
import type { Models } from "../models/index.js";
import { createPeriodicJob, type PeriodicJob } from "./create-periodic-job.js";

/** Background work that any instance may do, one instance at a time. */
export interface Job {
  readonly name: string;
  /** Level of the line about a run that did something; `info` by default. */
  readonly doneLevel?: "debug";
  /** The collections whose rows are its work. `db.jobWakeups` wakes the job by their names. */
  readonly models: readonly (keyof Models)[];
  /** When the earliest work is due; undefined without work. */
  poll(): Promise<Date | undefined>;
  backlog(): Promise<Backlog>;
  /**
   * Does what is due. It stops early when `signal` aborts, because the lease was lost or the server stops.
   * @returns what was done, in a few words; undefined when nothing was.
   */
  run(signal: AbortSignal): Promise<string | undefined>;
}

export interface Backlog {
  /** Number of due rows, `maxCounted` of each kind at most. */
  readonly count: number;
  /** When the oldest row became due, before any failed attempt; undefined without one. */
  readonly since: Date | undefined;
}

/** One kind of a job's work. */
export interface DueRows extends Pick<Job, "poll" | "backlog"> {
  readonly model: keyof Models;
}

interface RowJob extends Pick<Job, "name" | "doneLevel" | "run"> {
  readonly work: DueRows | readonly DueRows[];
  readonly every?: undefined;
}

/** Creates a job from one kind of work or several, or from a period; see "Add a job" in CONTRIBUTING.md. */
export function createJob(given: RowJob | PeriodicJob): Job {
  if (given.every) return createPeriodicJob(given);
  const { work, ...job } = given;
  const kinds = [work].flat();
  return {
    ...job,
    models: [...new Set(kinds.map(({ model }) => model))],
    poll: async () => earliest(await Promise.all(kinds.map((kind) => kind.poll()))),
    async backlog() {
      const backlogs = await Promise.all(kinds.map((kind) => kind.backlog()));
      return {
        count: backlogs.reduce((sum, { count }) => sum + count, 0),
        since: earliest(backlogs.map(({ since }) => since)),
      };
    },
  };
}

export const earliest = (dates: readonly (Date | undefined)[]): Date | undefined =>
  dates.filter((date) => date !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];

/** Counting stops here so that a scrape stays cheap. */
export const maxCounted = 1_000;

type DateField<T> = { [F in keyof T & string]: T[F] extends Date ? F : never }[keyof T & string];

interface DueOptions<T> {
  /** Further conditions on the rows; `field` has to be indexed with them. */
  readonly filter?: QueryFilter<T>;
  /** Further conditions on the rows that the backlog counts. */
  readonly counted?: QueryFilter<T>;
  /** A row is due this much later than its date. */
  readonly afterMs?: number;
  /** The field with the original due date. Set it when a failed attempt moves `field`. */
  readonly since?: DateField<T>;
  /** An indexed field that sorts rows in the order of `since`; `since` itself by default. */
  readonly sinceOrder?: keyof T & string;
}

/** The rows of a collection that are due at the date in a field. */
export function dueRows<T, F extends keyof T & string>(
  model: Model<T>,
  field: F,
  { filter = {}, counted = {}, afterMs = 0, since, sinceOrder = since }: DueOptions<T> = {},
): DueRows {
  const rows = { ...filter, ...counted };
  const dated = { [field]: { $gt: new Date(0) } };
  async function readFirst(name: string, order: string, which: object): Promise<Date | undefined> {
    const row = await model
      .findOne(which as QueryFilter<T>, { [name]: 1, _id: 0 })
      .sort({ [order]: 1 })
      .lean<Record<string, Date>>();
    return row?.[name];
  }
  return {
    model: model.modelName as keyof Models,
    async poll() {
      const first = await readFirst(field, field, { ...filter, ...dated });
      return first && new Date(first.getTime() + afterMs);
    },
    async backlog() {
      const first = await (since && sinceOrder
        ? readFirst(since, sinceOrder, rows)
        : readFirst(field, field, { ...rows, ...dated }));
      if (!first || first.getTime() > Date.now()) return { count: 0, since: first };
      const due = { ...rows, [field]: { $gt: new Date(0), $lte: new Date(Date.now() - afterMs) } };
      return { count: await model.countDocuments(due as QueryFilter<T>).limit(maxCounted), since: first };
    },
  };
}
