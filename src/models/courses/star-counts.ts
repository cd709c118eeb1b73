import type { ClientSession, Types } from "mongoose";
import type { Models } from "../index.js";
import type { Figures, StarCount } from "./course-queries.js";
import { counted } from "./course-rating.js";

export const stars = [1, 2, 3, 4, 5] as const;
const none: Record<StarCount, number> = { ratings1: 0, ratings2: 0, ratings3: 0, ratings4: 0, ratings5: 0 };

/** Counts the ratings of a course by their stars. Those of hidden reviews do not count. */
export async function countStars(
  db: Models,
  courseId: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<Record<StarCount, number>> {
  const groups = await db.CourseRating.aggregate<{ _id: number; count: number }>([
    { $match: { courseId, ...counted } },
    { $group: { _id: "$rating", count: { $sum: 1 } } },
  ]).session(session);
  return { ...none, ...Object.fromEntries(groups.map(({ _id, count }) => [`ratings${_id}`, count])) };
}

/** The number and the sum of ratings whose stars were counted. */
export const totalsOf = (counts: Partial<Record<StarCount, number>>): Pick<Figures, "totalRatings" | "ratingSum"> => ({
  totalRatings: stars.reduce((total, star) => total + (counts[`ratings${star}`] ?? 0), 0),
  ratingSum: stars.reduce((sum, star) => sum + (counts[`ratings${star}`] ?? 0) * star, 0),
});
