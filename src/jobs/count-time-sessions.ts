import { abandonedAfterMs, countSession } from "../commands/track-time.js";
import type { Deps } from "../deps.js";
import type { TimeSession } from "../models/time-tracking.js";
import type { Job } from "./scheduler.js";

/** Finishes tracked sessions that a crash left out of some bucket. */
export function countTimeSessionsJob(deps: Deps): Job {
  return { name: "count-time-sessions", everyMs: 10_000, run: (signal) => countTimeSessions(deps, signal) };
}

export async function countTimeSessions({ models }: Deps, signal: AbortSignal): Promise<string | undefined> {
  const abandoned = await models.TimeSession.find({
    uncounted: true,
    at: { $lt: new Date(Date.now() - abandonedAfterMs) },
  })
    .sort({ at: 1 })
    .limit(500)
    .lean<TimeSession[]>();
  for (const session of abandoned) {
    if (signal.aborted) break;
    await countSession(models, session);
  }
  return abandoned.length > 0 ? `${abandoned.length} time sessions counted` : undefined;
}
