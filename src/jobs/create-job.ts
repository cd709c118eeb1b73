import type { Deps } from "../deps.js";
import type { Job, Run, Work } from "./job.js";
import { earliest, firstDates } from "./poll-jobs.js";

interface JobOptions extends Pick<Job, "name" | "doneLevel"> {
  /** One kind of work, or several that take turns. */
  readonly work: Work | readonly Work[];
  /** Runs before the first turn. */
  readonly before?: (run: Run) => Promise<void>;
  /** One command asks which kinds are due before they take turns. */
  readonly asksFirst?: true;
}

/** A run ends after this time, so that `before` runs again, and other jobs of the process get their turn. */
const maxRunMs = 60_000;

/** Creates a job from its kinds of work; see "Add a job" in CONTRIBUTING.md. */
export function createJob(
  { db, log }: Pick<Deps, "db" | "log">,
  { name, doneLevel, work, before, asksFirst }: JobOptions,
): Job {
  const kinds = [work].flat();

  return {
    name,
    ...(doneLevel && { doneLevel }),
    kinds,
    async backlog() {
      const backlogs = await Promise.all(kinds.map((kind) => kind.backlog()));
      return {
        count: backlogs.reduce((sum, { count }) => sum + count, 0),
        since: earliest(backlogs.map(({ since }) => since)),
      };
    },
    async run(signal) {
      const counts: Record<string, number> = {};
      let pollsAgain = false;
      const run: Run = {
        signal,
        log,
        count(what, by = 1) {
          counts[what] = (counts[what] ?? 0) + by;
        },
        pollAgain() {
          pollsAgain = true;
        },
      };
      const endsAt = Date.now() + maxRunMs;
      await before?.(run);
      const turns = kinds.map((kind) => kind.begin(run));
      const failures = new Map<unknown, unknown>();
      let isMore = turns.length > 0;
      while (isMore && !signal.aborted && Date.now() < endsAt) {
        const dates = asksFirst && (await firstDates(db, kinds)).map((date) => date?.getTime() ?? Number.NaN);
        isMore = false;
        for (const [kind, takeTurn] of turns.entries()) {
          const isDue = !dates || Number(dates[kind]) <= Date.now();
          if (failures.has(takeTurn) || !isDue) continue;
          try {
            isMore = (await takeTurn()) || isMore;
          } catch (error) {
            failures.set(takeTurn, error);
          }
        }
      }
      // The other kinds have had their turns.
      for (const error of failures.values()) throw error;
      for (const { model } of pollsAgain || isMore ? kinds : []) db.jobWakeups.emit(model);
      return describeCounts(counts);
    },
  };
}

/** Describes counts in a few words, for logs and operators; undefined when nothing was counted. */
export function describeCounts(counts: Record<string, number | undefined>): string | undefined {
  const parts = Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([what, count]) => (count ? [`${count} ${what}`] : []));
  return parts.length > 0 ? parts.join(", ") : undefined;
}
