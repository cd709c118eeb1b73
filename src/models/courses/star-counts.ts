import type { ClientSession, Types } from "mongoose";
import type { Models } from "../index.js";
import type { StarCount } from "./course-queries.js";

const none: Record<StarCount, number> = { ratings1: 0, ratings2: 0, ratings3: 0, ratings4: 0, ratings5: 0 };

/** Counts the ratings of a course by their stars. */
export async function countStars(
  db: Models,
  courseId: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<Record<StarCount, number>> {
  const groups = await db.CourseRating.aggregate<{ _id: number; count: number }>([
    { $match: { courseId } },
    { $group: { _id: "$rating", count: { $sum: 1 } } },
  ]).session(session);
  return { ...none, ...Object.fromEntries(groups.map(({ _id, count }) => [`ratings${_id}`, count])) };
}
