import { setTimeout as sleep } from "node:timers/promises";
import type { Types } from "mongoose";
import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import { failure } from "../http/errors.js";
import { isObjectId } from "../http/fields.js";
import type { CourseRating } from "../models/course.js";
import { changeCatalog } from "./catalog-revision.js";
import { isEnrolled } from "./is-enrolled.js";

export const RatedCourseNotFound = failure(404, "Course not found.");
export const RatedCourseNotPurchased = failure(403, "Course not purchased.");

/*
 * How a course's sums stay equal to a recount of its ratings, whatever runs at once and wherever a process dies: a vote
 * is placed in the learner's rating with an uncounted mark, added to the sums by the one call that placed it, and then
 * loses the mark; until then the learner's next vote waits. A mark that stays was left by a crash or by a database that
 * did not answer, and nobody can tell whether the sums hold the vote: so the course's ratings are recounted. Votes that
 * were marked then are known to the course by their key, and a late addition of theirs does nothing.
 */

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
export async function rateCourse(db: Db, vote: Vote): Promise<void> {
  const { userId, courseId } = vote;
  if (!isObjectId(courseId)) throw RatedCourseNotFound();
  const [course, enrolled] = await Promise.all([db.Course.exists({ _id: courseId }), isEnrolled(db, userId, courseId)]);
  if (!course) throw RatedCourseNotFound();
  if (!enrolled) throw RatedCourseNotPurchased();
  const until = Date.now() + longestWaitMs;
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 200)) {
    const placed = await place(db, vote);
    if (placed) return countVote(db, placed);
    const standing = await db.CourseRating.findOne({ userId, courseId }).lean<CourseRating>();
    if (standing?.uncounted && Date.now() - standing.updatedAt.getTime() > abandonedAfterMs) {
      await recountRatings(db, standing.courseId);
    } else if (Date.now() > until) {
      throw new Error("a former vote of this learner is being counted for too long");
    } else {
      await sleep(pause * (0.75 + Math.random() / 2));
    }
  }
}

/** The vote as placed, or undefined while a former one of this learner is being counted. */
async function place(db: Db, { userId, courseId, rating }: Vote): Promise<CourseRating | undefined> {
  try {
    return await db.CourseRating.findOneAndUpdate(
      { userId, courseId, uncounted: false },
      { $set: { rating, uncounted: true }, $inc: { change: 1 } },
      { upsert: true, returnDocument: "after" },
    ).lean<CourseRating>();
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

/** What names one change of one learner's rating. */
const keyOf = ({ _id, change }: Pick<CourseRating, "_id" | "change">): string => `${_id}:${change}`;

/** Moves the course's sums by what a placed vote changes, and takes its mark away. */
async function countVote(db: Db, vote: CourseRating): Promise<void> {
  const { courseId, rating, counted } = vote;
  if (rating !== counted) {
    const moved = { ratingSum: rating - counted, totalRatings: counted === 0 ? 1 : 0, ratingChange: 1 };
    const unknown = { _id: courseId, recountedVotes: { $ne: keyOf(vote) } };
    await changeCatalog(db, () => db.Course.updateOne(unknown, { $inc: moved }, { timestamps: false }));
  }
  await takeMark(db, vote);
}

async function takeMark(db: Db, { _id, change, rating }: Omit<Tallied, "counted">): Promise<void> {
  await db.CourseRating.updateOne(
    { _id, change, uncounted: true },
    { $set: { uncounted: false, counted: rating } },
    { timestamps: false },
  );
}

type Tallied = Pick<CourseRating, "_id" | "change" | "rating" | "counted">;

const recounts = 10;
/** Most keys that a course remembers. */
const remembered = 1_000;

/**
 * Sets a course's sums from its ratings and takes the marks away. Votes given meanwhile are not lost: when the sums
 * moved since they were read, it counts again. Costs as much as the course has ratings.
 * @throws when the sums move too fast: nothing is wrong then, but the work is not done.
 */
export async function recountRatings(db: Db, courseId: Types.ObjectId): Promise<void> {
  for (let attempt = 0; attempt < recounts; attempt++) {
    const course = await db.Course.findById(courseId, { ratingChange: 1 }).lean();
    if (!course) return;
    const { marked, ...sums } = await tally(db, courseId);
    const { ratingChange } = course;
    const asRead = { _id: courseId, ratingChange: ratingChange ?? null };
    const recounted = { $each: marked.map(keyOf), $slice: -remembered };
    const set = { $set: { ...sums, ratingChange: (ratingChange ?? 0) + 1 }, $push: { recountedVotes: recounted } };
    const { matchedCount } = await changeCatalog(db, () => db.Course.updateOne(asRead, set, { timestamps: false }));
    if (matchedCount === 0) continue;
    for (const vote of marked) await takeMark(db, vote);
    return;
  }
  throw new Error(`the ratings of course ${courseId} move too fast to be recounted`);
}

async function tally(db: Db, courseId: Types.ObjectId) {
  const sums = { ratingSum: 0, totalRatings: 0, marked: [] as Tallied[] };
  const ratings = db.CourseRating.find({ courseId }, { rating: 1, counted: 1, change: 1, uncounted: 1 });
  for await (const vote of ratings.lean<(Tallied & { uncounted: boolean })[]>().cursor({ batchSize: 1_000 })) {
    sums.ratingSum += vote.rating;
    sums.totalRatings += 1;
    if (vote.uncounted) sums.marked.push(vote);
  }
  return sums;
}
