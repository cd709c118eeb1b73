import { setTimeout as sleep } from "node:timers/promises";
import { failure } from "../http/errors.js";
import { isObjectId } from "../http/fields.js";
import type { CourseRating } from "../models/course.js";
import type { Models } from "../models/index.js";
import { changeCatalog } from "./catalog-revision.js";
import { countOnce, isDuplicateKey } from "./count-once.js";
import { isEnrolled } from "./is-enrolled.js";

export const RatedCourseNotFound = failure(404, "Course not found.");
export const RatedCourseNotPurchased = failure(403, "Course not purchased.");

/** A vote that stays uncounted for longer was left by a crash. */
export const abandonedAfterMs = 5_000;
const longestWaitMs = 15_000;

export interface Vote {
  userId: string;
  courseId: string;
  /** Integer, 1 to 5. */
  rating: number;
}

/**
 * Gives or replaces a learner's rating of a course; the course's number and sum of ratings follow before it returns.
 * Simultaneous votes of one learner take effect one after the other.
 * @throws RatedCourseNotFound, RatedCourseNotPurchased, in this order.
 */
export async function rateCourse(models: Models, vote: Vote): Promise<void> {
  const { userId, courseId } = vote;
  if (!isObjectId(courseId) || !(await models.Course.exists({ _id: courseId }))) throw RatedCourseNotFound();
  if (!(await isEnrolled(models, userId, courseId))) throw RatedCourseNotPurchased();
  const until = Date.now() + longestWaitMs;
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 200)) {
    const placed = await place(models, vote);
    if (placed) return countRating(models, placed);
    const standing = await models.CourseRating.findOne({ userId, courseId }).lean<CourseRating>();
    if (standing?.uncounted && Date.now() - standing.updatedAt.getTime() > abandonedAfterMs) {
      await countRating(models, standing);
    } else if (Date.now() > until) {
      throw new Error("a former vote of this learner is being counted for too long");
    } else {
      await sleep(pause * (0.75 + Math.random() / 2));
    }
  }
}

/** The vote as placed, or undefined while a former one of this learner is being counted. */
async function place(models: Models, { userId, courseId, rating }: Vote): Promise<CourseRating | undefined> {
  try {
    return await models.CourseRating.findOneAndUpdate(
      { userId, courseId, uncounted: false },
      { $set: { rating, uncounted: true }, $inc: { change: 1 } },
      { upsert: true, returnDocument: "after" },
    ).lean<CourseRating>();
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

/** Moves the course's sums by what a placed vote changes, exactly once, and takes its mark away. May be repeated. */
export async function countRating(models: Models, vote: CourseRating): Promise<void> {
  const moved = { ratingSum: vote.rating - vote.counted, totalRatings: vote.counted === 0 ? 1 : 0 };
  if (moved.ratingSum !== 0) {
    const key = `rating:${vote._id}:${vote.change}`;
    await changeCatalog(models, () => countOnce(models.Course, { _id: vote.courseId }, key, { $inc: moved }));
  }
  await models.CourseRating.updateOne(
    { _id: vote._id, change: vote.change, uncounted: true },
    { $set: { uncounted: false, counted: vote.rating } },
    { timestamps: false },
  );
}
