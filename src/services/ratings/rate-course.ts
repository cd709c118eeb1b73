import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { utcHour } from "../../lib/days.js";
import { failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import { addCourseFigures, type Figures, findOwnerAndEnrollment } from "../../models/courses/course-queries.js";
import type { CourseRating } from "../../models/courses/course-rating.js";
import { recordEvents } from "../events/record-event.js";

export const RatedCourseNotFound = failure("course_not_found", 404, "Course not found.");
export const RatedCourseNotPurchased = failure("course_not_purchased", 403, "Course not purchased.");
export const RatedOwnCourse = failure("own_course", 403, "Not authorized");

/** Reads a learner's rating of a course; null without one. */
export async function findRating(db: Db, userId: string, courseId: string): Promise<number | null> {
  const found = await db.CourseRating.findOne({ userId, courseId }, { rating: 1 }).lean();
  return found?.rating ?? null;
}

export interface NewRating extends Pick<CourseRating, "userId" | "rating"> {
  readonly courseId: string;
  /** Empty: the text is removed. Undefined: it stays as it is. */
  readonly review?: string | undefined;
}

/**
 * Stores or replaces a learner's rating of a course, and updates the course's numbers and sum of ratings, unless the
 * review is hidden. Simultaneous ratings of one learner take effect one after the other.
 * @throws RatedCourseNotFound, RatedOwnCourse, RatedCourseNotPurchased, in this order.
 */
export async function rateCourse(db: Db, { userId, courseId: id, rating, review }: NewRating): Promise<void> {
  if (!isObjectId(id)) throw RatedCourseNotFound();
  const courseId = new Types.ObjectId(id);
  const found = await findOwnerAndEnrollment(db, { userId, courseId });
  if (!found) throw RatedCourseNotFound();
  if (found.course.educatorId === userId) throw RatedOwnCourse();
  if (!found.enrollment) throw RatedCourseNotPurchased();
  const own = { userId, courseId };
  const update = {
    $set: { rating, ...(review && { review }) },
    ...(review === "" && { $unset: { review: 1 } }),
    $inc: { helpfulCount: 0 }, // A rating of a former version lacks it, and the list of reviews is ordered by it.
  } as const;
  await db.transaction(
    async (session) => {
      const at = new Date();
      const fields = { rating: 1, review: 1, hiddenAt: 1, noticeCausedAt: 1 };
      const options = { session, upsert: true, returnDocument: "before", projection: fields } as const;
      const former = await db.CourseRating.findOneAndUpdate(
        own,
        { ...update, $setOnInsert: { noticeCausedAt: at } },
        options,
      ).lean();
      const isRated = former?.rating !== rating;
      const isFirstText = review && former?.review === undefined && !former?.hiddenAt;
      if (isRated || isFirstText) {
        const isRepeated = former?.noticeCausedAt && utcHour(former.noticeCausedAt) === utcHour(at);
        const data = { userId, courseId, rating };
        await recordEvents(db, session, [{ type: "review.written", data, ...(isRepeated && { isRepeated }) }], at);
        const mark = { $set: { noticeCausedAt: at } };
        if (former && !isRepeated) await db.CourseRating.updateOne(own, mark, { session, timestamps: false });
      }
      if (isRated && !former?.hiddenAt) {
        const figures = former ? changeFigures(former.rating, rating) : ratingFigures(rating, 1);
        await addCourseFigures(db, courseId, figures, session);
      }
    },
    { mutex: `course:${courseId}` },
  );
}

/** What a rating adds to the figures of its course, or by -1 takes from them. */
export const ratingFigures = (rating: number, by: 1 | -1): Partial<Figures> => ({
  [`ratings${rating}`]: by,
  totalRatings: by,
  ratingSum: by * rating,
});

const changeFigures = (former: number, rating: number): Partial<Figures> => ({
  [`ratings${former}`]: -1,
  [`ratings${rating}`]: 1,
  ratingSum: rating - former,
});
