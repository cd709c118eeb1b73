import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import type { Course } from "../../models/course.js";

/** What is counted on a course: its sales, its students and its ratings. */
export type Figures = Pick<
  Course,
  "totalEnrolledStudents" | "completedPurchases" | "revenueMinor" | "totalRatings" | "ratingSum"
>;

/**
 * Moves figures of a course, and tells the catalog. Many transactions write the same course, so this should be the last
 * write of each: what comes before it need not be repeated as often.
 */
export async function moveFigures(
  db: Db,
  session: ClientSession,
  courseId: Types.ObjectId,
  by: Partial<Figures>,
): Promise<void> {
  const update = { $inc: by, $currentDate: { figuresChangedAt: true } } as const;
  await bare(db.Course).updateOne({ _id: courseId }, update, { session });
}
