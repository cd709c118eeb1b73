import { abandonedAfterMs, recountRatings } from "../commands/rate-course.js";
import type { Deps } from "../deps.js";
import type { Job } from "./scheduler.js";

/** Brings the sums of courses in order whose votes a crash left half-counted. */
export function countRatingsJob(deps: Deps): Job {
  return { name: "count-ratings", everyMs: 10_000, run: (signal) => countRatings(deps, signal) };
}

export async function countRatings({ db, log }: Deps, signal: AbortSignal): Promise<string | undefined> {
  const abandoned = await db.CourseRating.find(
    { uncounted: true, updatedAt: { $lt: new Date(Date.now() - abandonedAfterMs) } },
    { courseId: 1 },
  )
    .sort({ updatedAt: 1 })
    .limit(1_000)
    .lean();
  const courses = new Map(abandoned.map(({ courseId }) => [String(courseId), courseId]));
  for (const courseId of courses.values()) {
    if (signal.aborted) break;
    await recountRatings(db, courseId).catch((error) => log.warn({ cause: String(error) }, "ratings not recounted"));
  }
  return courses.size > 0 ? `ratings of ${courses.size} courses recounted` : undefined;
}
