import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import type { CourseRating } from "../../models/courses/course-rating.js";
import { requireEnrolled } from "../enrollments/enrollment.js";
import { recordEvent } from "../events/record-event.js";

export const RatedCourseNotFound = failure("course_not_found", 404, "Course not found.");
export const RatedCourseNotPurchased = failure("course_not_purchased", 403, "Course not purchased.");

/** Reads a learner's rating of a course; null without one. */
export async function findRating(db: Db, userId: string, courseId: string): Promise<number | null> {
  const found = await db.CourseRating.findOne({ userId, courseId }, { rating: 1 }).lean();
  return found?.rating ?? null;
}

export type NewRating = Pick<CourseRating, "userId" | "rating"> & { courseId: string };

/**
 * Stores or replaces a learner's rating of a course, and updates the course's number and sum of ratings. Simultaneous
 * ratings of one learner take effect one after the other.
 * @throws RatedCourseNotFound, RatedCourseNotPurchased, in this order.
 */
export async function rateCourse(db: Db, { userId, courseId: id, rating }: NewRating): Promise<void> {
  if (!isObjectId(id)) throw RatedCourseNotFound();
  const courseId = new Types.ObjectId(id);
  await requireEnrolled(db, { userId, courseId }, { missing: RatedCourseNotFound, refused: RatedCourseNotPurchased });
  await db.transaction(
    async (session) => {
      const options = { session, upsert: true, returnDocument: "before", projection: { rating: 1 } } as const;
      const former = await db.CourseRating.findOneAndUpdate({ userId, courseId }, { $set: { rating } }, options).lean();
      if (former?.rating === rating) return;
      await recordEvent(db, session, "review.written", { userId, courseId, rating });
      if (!former) await addCourseFigures(db, courseId, { totalRatings: 1, ratingSum: rating }, session);
      else await addCourseFigures(db, courseId, { ratingSum: rating - former.rating }, session);
    },
    { mutex: `course:${courseId}` },
  );
}
