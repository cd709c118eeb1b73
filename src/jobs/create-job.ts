import type { Deps } from "../deps.js";
import type { Job, Run, Work } from "./job.js";

interface JobOptions extends Pick<Job, "name" | "doneLevel"> {
  /** One kind of work, or several that take turns. */
  readonly work: Work | readonly Work[];
  /** Runs before the first turn. */
  readonly before?: (run: Run) => Promise<void>;
  /** One command polls all kinds of the work. It finds a row when it is due, and not at which date the next one is. */
  readonly pollsTogether?: true;
}

/** A run ends after this time, so that `before` runs again, and other jobs of the process get their turn. */
const maxRunMs = 60_000;

/** Creates a job from its kinds of work; see "Add a job" in CONTRIBUTING.md. */
export function createJob(
  { db, log }: Pick<Deps, "db" | "log">,
  { name, doneLevel, work, before, pollsTogether }: JobOptions,
): Job {
  const kinds = [work].flat();
  const models = [...new Set(kinds.map(({ model }) => model))];

  /** Reads the first due row of each kind by one command. */
  async function findDue() {
    const [first, ...others] = kinds.flatMap((kind) => kind.dueNow?.() ?? []);
    const stages = [...(first?.pipeline ?? []), ...others.map((one) => ({ $unionWith: one }))];
    return kinds[0] ? db[kinds[0].model].aggregate<{ model: string; at: Date }>(stages) : [];
  }

  return {
    name,
    ...(doneLevel && { doneLevel }),
    models,
    async poll() {
      if (pollsTogether) return earliest((await findDue()).map(({ at }) => at));
      return earliest(await Promise.all(kinds.map((kind) => kind.poll())));
    },
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
      const turns = kinds.map((kind) => ({ model: kind.model, take: kind.begin(run) }));
      const failures = new Map<unknown, unknown>();
      let isMore = turns.length > 0;
      while (isMore && !signal.aborted && Date.now() < endsAt) {
        const due = pollsTogether && new Set((await findDue()).map(({ model }) => model));
        isMore = false;
        for (const turn of turns) {
          if (failures.has(turn) || (due && !due.has(turn.model))) continue;
          try {
            isMore = (await turn.take()) || isMore;
          } catch (error) {
            failures.set(turn, error);
          }
        }
      }
      // The other kinds have had their turns.
      for (const error of failures.values()) throw error;
      for (const model of pollsAgain ? models : []) db.jobWakeups.emit(model);
      return describeCounts(counts);
    },
  };
}

const earliest = (dates: readonly (Date | undefined)[]): Date | undefined =>
  dates.filter((date) => date !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];

/** Describes counts in a few words, for logs and operators; undefined when nothing was counted. */
export function describeCounts(counts: Record<string, number | undefined>): string | undefined {
  const parts = Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([what, count]) => (count ? [`${count} ${what}`] : []));
  return parts.length > 0 ? parts.join(", ") : undefined;
}
