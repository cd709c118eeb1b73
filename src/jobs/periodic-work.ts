import type { Db } from "../db/db.js";
import { dayMs } from "../lib/days.js";
import type { Run, Work } from "./job.js";

/** A whole hour, UTC day, or week from Monday on. */
export interface Period {
  readonly begin: Date;
  readonly end: Date;
}

export interface Schedule {
  readonly every: "hour" | "day" | "week";
  /**
   * Time of the UTC day, such as `02:30`; of a week: on Monday; of an hour: only the minutes count. `00:05` by default, so
   * that transactions of the period before have committed.
   */
  readonly at?: `${number}:${number}`;
}

interface PeriodicOptions extends Schedule {
  /** The key of the row that holds when the next run is due: the name of the job. */
  readonly name: string;
  /** What the work did, for the line about a run. */
  readonly done: string;
}

const hourMs = 60 * 60_000;
/** Length of a period, and the beginning of one of them. 1970-01-05 was a Monday. */
const periods = {
  hour: { ms: hourMs, origin: 0 },
  day: { ms: dayMs, origin: 0 },
  week: { ms: 7 * dayMs, origin: 4 * dayMs },
} as const;

/** The last period that is over, and when its successor is due. */
function periodsAt(now: number, { every, at = "00:05" }: Schedule): { last: Period; nextDueAt: Date } {
  const { ms, origin } = periods[every];
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  const offset = (every === "hour" ? 0 : hours * hourMs) + minutes * 60_000;
  const startOf = (time: number) => Math.floor((time - origin) / ms) * ms + origin;
  const end = startOf(now - offset);
  return { last: { begin: new Date(end - ms), end: new Date(end) }, nextDueAt: new Date(end + ms + offset) };
}

/**
 * Work that is done once in a period. Its row in `PeriodicRun` holds when the next run is due. After a time without a server
 * only the last period is made up for. The first run is due at the end of the period in which the work was new.
 * @param work does the work of the last whole period, and returns how much it did. A run that failed or died is repeated,
 *   so that the rows that it stores need unique keys with the period.
 */
export function periodicWork(
  db: Db,
  { name, done, ...schedule }: PeriodicOptions,
  work: (period: Period, run: Run) => Promise<number>,
): Work {
  const readDueAt = async (): Promise<Date | undefined> =>
    (await db.PeriodicRun.findById(name, { dueAt: 1 }).lean())?.dueAt;
  return {
    model: "PeriodicRun",
    first: () => ({
      coll: db.PeriodicRun.collection.name,
      pipeline: [{ $match: { _id: name } }, { $project: { _id: 0, at: "$dueAt" } }],
      // The first run stores the row.
      ifNone: new Date(0),
    }),
    async backlog() {
      const dueAt = await readDueAt();
      return { count: dueAt && dueAt.getTime() <= Date.now() ? 1 : 0, since: dueAt };
    },
    begin: (run) => async () => {
      const dueAt = await readDueAt();
      const now = Date.now();
      if (dueAt && dueAt.getTime() > now) return false;
      const { last, nextDueAt } = periodsAt(now, schedule);
      if (dueAt) run.count(done, await work(last, run));
      if (run.signal.aborted) return false;
      const next = { $set: { dueAt: nextDueAt } };
      await db.PeriodicRun.updateOne({ _id: name, ...(dueAt && { dueAt }) }, next, { upsert: !dueAt });
      return true;
    },
  };
}
