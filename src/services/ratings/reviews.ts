import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import { type CourseRating, listed, type ReviewResponse } from "../../models/courses/course-rating.js";
import type { Manager } from "../../models/users/user.js";
import { type Actor, audited } from "../audit/record-audit.js";
import { fileReport, resolvedBy } from "../community/moderation.js";
import type { ManagedCourse } from "../courses/managed-course.js";
import { ratingFigures } from "./rate-course.js";

export const ReviewNotFound = failure("review_not_found", 404, "Review not found");
export const OwnReview = failure("own_review", 403, "Not authorized");

/** Names a review of one course and no other. */
export interface ReviewKey {
  readonly courseId: Types.ObjectId;
  readonly _id: Types.ObjectId;
}

/** Finds the author of a review that is listed. @throws ReviewNotFound */
async function requireListed(db: Db, key: ReviewKey): Promise<Pick<CourseRating, "userId">> {
  const review = await db.CourseRating.findOne({ ...key, ...listed }, { userId: 1 }).lean();
  if (!review) throw ReviewNotFound();
  return review;
}

/** Marks a review as helpful, or takes the mark back. @throws ReviewNotFound, OwnReview */
export async function toggleHelpful(
  db: Db,
  userId: string,
  key: ReviewKey,
): Promise<{ helpfulCount: number; isHelpful: boolean }> {
  const author = await requireListed(db, key);
  if (author.userId === userId) throw OwnReview();
  const vote = { userId, reviewId: key._id };
  return db.transaction(
    async (session) => {
      const { deletedCount } = await db.HelpfulVote.deleteOne(vote, { session });
      const isHelpful = deletedCount === 0;
      if (isHelpful) await db.HelpfulVote.create([vote], { session });
      const review = await db.CourseRating.findOneAndUpdate(
        { ...key, ...listed },
        { $inc: { helpfulCount: isHelpful ? 1 : -1 } },
        { session, timestamps: false, returnDocument: "after", projection: { helpfulCount: 1 } },
      ).lean();
      if (!review) throw ReviewNotFound();
      return { helpfulCount: review.helpfulCount ?? 0, isHelpful };
    },
    { mutex: `review:${key._id}` },
  );
}

/** Reports a review to the administrators. @throws ReviewNotFound */
export async function reportReview(db: Db, reporterId: string, key: ReviewKey, reason: string): Promise<void> {
  await requireListed(db, key);
  const { courseId, _id: targetId } = key;
  await fileReport(db, { reporterId, targetKind: "review", targetId, courseId, reason });
}

/** Stores or replaces the response of the educator to a review. @throws ReviewNotFound */
export async function respondToReview(
  db: Db,
  { _id: courseId }: ManagedCourse,
  _id: Types.ObjectId,
  { userId: educatorId }: Pick<Manager, "userId">,
  content: string,
): Promise<ReviewResponse> {
  await requireListed(db, { courseId, _id });
  const update = { $set: { content, courseId, educatorId } };
  const options = { upsert: true, returnDocument: "after" } as const;
  return db.ReviewResponse.findByIdAndUpdate(_id, update, options).orFail().lean<ReviewResponse>();
}

/** Removes the response to a review, also when the review is no longer listed. @throws ReviewNotFound */
export async function removeResponse(db: Db, { _id: courseId }: ManagedCourse, _id: Types.ObjectId): Promise<void> {
  if (!(await db.CourseRating.exists({ _id, courseId }))) throw ReviewNotFound();
  await db.ReviewResponse.deleteOne({ _id });
}

/**
 * Hides a review from the list and takes its rating out of the course's figures, or shows and counts it again. Audited.
 * Hiding resolves the open reports of the review. Repeating it changes nothing.
 * @throws ReviewNotFound
 */
export function hideReview(
  db: Db,
  _id: Types.ObjectId,
  { hidden, reason }: { hidden: boolean; reason: string },
  moderator: Actor,
): Promise<void> {
  const change = { $set: { hiddenAt: hidden ? new Date() : null } };
  return db.transaction(async (session) => {
    const options = { session, timestamps: false, projection: { courseId: 1, rating: 1 } };
    const isOther = { _id, hiddenAt: hidden ? null : { $ne: null } };
    const changed = await db.CourseRating.findOneAndUpdate(isOther, change, options).lean();
    if (!changed) {
      if (await db.CourseRating.exists({ _id }).session(session)) return;
      throw ReviewNotFound();
    }
    const reported = { targetId: _id, state: "open" as const };
    if (hidden) await db.Report.updateMany(reported, resolvedBy(moderator), { session });
    await audited(db, session, moderator, "review.hide", ["review", _id], { after: { hidden, reason } });
    await addCourseFigures(db, changed.courseId, ratingFigures(changed.rating, hidden ? -1 : 1), session);
  });
}
