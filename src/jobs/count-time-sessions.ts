import { rebuildTimeBuckets } from "../commands/rebuild-time-buckets.js";
import type { Deps } from "../deps.js";
import type { Job } from "./scheduler.js";

/** A session that stays uncounted for longer was left by a crash. */
const abandonedAfterMs = 5_000;

/** Brings the buckets of learners in order whose sessions a crash left half-counted. */
export function countTimeSessionsJob(deps: Deps): Job {
  return { name: "count-time-sessions", everyMs: 10_000, run: (signal) => countTimeSessions(deps, signal) };
}

export async function countTimeSessions({ db, log }: Deps, signal: AbortSignal): Promise<string | undefined> {
  const abandoned = await db.TimeSession.find(
    { uncounted: true, at: { $lt: new Date(Date.now() - abandonedAfterMs) } },
    { userId: 1 },
  )
    .sort({ at: 1 })
    .limit(1_000)
    .lean();
  const learners = new Set(abandoned.map(({ userId }) => userId));
  for (const userId of learners) {
    if (signal.aborted) break;
    await rebuildTimeBuckets(db, userId).catch((error) => log.warn({ cause: String(error) }, "buckets not rebuilt"));
  }
  return learners.size > 0 ? `time buckets of ${learners.size} learners rebuilt` : undefined;
}
