import { abandonedAfterMs, countRating } from "../commands/rate-course.js";
import type { Deps } from "../deps.js";
import type { CourseRating } from "../models/course.js";
import type { Job } from "./scheduler.js";

/** Finishes votes that a crash left out of their course's sums. */
export function countRatingsJob(deps: Deps): Job {
  return { name: "count-ratings", everyMs: 10_000, run: (signal) => countRatings(deps, signal) };
}

export async function countRatings({ models }: Deps, signal: AbortSignal): Promise<string | undefined> {
  const abandoned = await models.CourseRating.find({
    uncounted: true,
    updatedAt: { $lt: new Date(Date.now() - abandonedAfterMs) },
  })
    .sort({ updatedAt: 1 })
    .limit(500)
    .lean<CourseRating[]>();
  for (const vote of abandoned) {
    if (signal.aborted) break;
    await countRating(models, vote);
  }
  return abandoned.length > 0 ? `${abandoned.length} ratings counted` : undefined;
}
