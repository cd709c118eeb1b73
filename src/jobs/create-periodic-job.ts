import type { Db } from "../db/db.js";
import { dayMs, utcDay } from "../lib/days.js";
import type { Job } from "./create-job.js";

/** Time after midnight at which a daily run is due, so that transactions of the day before have committed. */
const afterMidnightMs = 5 * 60_000;

export interface PeriodicJob extends Pick<Job, "name" | "doneLevel"> {
  readonly every: "day";
  readonly db: Db;
  /**
   * Does the work of the last whole UTC day, such as `2026-11-26`. A run that failed or died is repeated, so that the rows
   * that it stores need unique keys with the day.
   */
  run(signal: AbortSignal, day: string): Promise<string | undefined>;
}

const nextDueAfter = (now: number): Date => new Date((Math.floor(now / dayMs) + 1) * dayMs + afterMidnightMs);

/**
 * A job that runs once a UTC day. Its row holds when the next run is due. After days without a server only the last day
 * is made up for. The first run is due at the end of the day on which the job was new.
 */
export function createPeriodicJob({ every: _every, db, run, ...job }: PeriodicJob): Job {
  /** The due date that this process has read, which spares it polls until then. */
  let known: Date | undefined;
  const readDueAt = async (): Promise<Date | undefined> =>
    (await db.PeriodicRun.findById(job.name, { dueAt: 1 }).lean())?.dueAt;
  return {
    ...job,
    models: ["PeriodicRun"],
    async poll() {
      if (!known || known.getTime() <= Date.now()) known = await readDueAt();
      // The run of a new job stores its row.
      return known ?? new Date(0);
    },
    async backlog() {
      const dueAt = await readDueAt();
      return { count: dueAt && dueAt.getTime() <= Date.now() ? 1 : 0, since: dueAt };
    },
    async run(signal) {
      const dueAt = await readDueAt();
      const now = Date.now();
      if (dueAt && dueAt.getTime() > now) return undefined;
      const done = dueAt && (await run(signal, utcDay(new Date(now - dayMs))));
      if (signal.aborted) return done;
      const next = { $set: { dueAt: nextDueAfter(now) } };
      await db.PeriodicRun.updateOne({ _id: job.name, ...(dueAt && { dueAt }) }, next, { upsert: !dueAt });
      return done;
    },
  };
}
