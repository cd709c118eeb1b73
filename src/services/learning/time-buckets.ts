import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../http/fields.js";
import { bare } from "../../models/bare.js";
import type { TimeBucketCounts } from "../../models/time-tracking.js";

/** Labels that are no learning time: left out of totals, page statistics and days. */
export const excludedPages: readonly string[] = ["Home", "Browse Courses", "Course Details", "Analytics", "Other"];

/** Further labels of a learner are counted under this one. */
export const furtherPages = "Other";

/**
 * Most buckets that one learner can make by free choice of labels and paths. Labels that are no learning time, and
 * courses and chapters that exist, are not among them: of these there are only so many.
 */
const most: Readonly<Record<Kind, number>> = { pages: 100, courses: 100, chapters: 100 };

type Kind = Exclude<keyof TimeBucketCounts, "_id">;

/**
 * Counts one more bucket of a learner. All that count for the same learner write one document, so that the number is
 * exact however many come at once.
 * @returns false when there are too many: then it must not be made.
 */
async function countBucket(db: Db, session: ClientSession, userId: string, kind: Kind): Promise<boolean> {
  const next = { $min: [most[kind] + 1, { $add: [{ $ifNull: [`$${kind}`, 0] }, 1] }] };
  const options = { upsert: true, session, returnDocument: "after" } as const;
  const counts = await bare(db.TimeBucketCounts).findOneAndUpdate(
    { _id: userId },
    [{ $set: { [kind]: next } }],
    options,
  );
  let count = counts?.[kind] ?? 0;
  if (kind === "pages" && count === 1) count += await countPagesBefore(db, session, userId);
  return count <= most[kind];
}

/** Labels that were stored before they were counted; counts them. */
async function countPagesBefore(db: Db, session: ClientSession, userId: string): Promise<number> {
  const stored = await bare(db.PageTime)
    .find({ userId, page: { $nin: [...excludedPages] } }, { session, projection: { _id: 1 }, limit: most.pages })
    .toArray();
  const update = { $inc: { pages: stored.length } };
  if (stored.length > 0) await bare(db.TimeBucketCounts).updateOne({ _id: userId }, update, { session });
  return stored.length;
}

/** Whether a learner may have a bucket for a label that has none yet. */
export async function mayAddPage(db: Db, session: ClientSession, userId: string, page: string): Promise<boolean> {
  return excludedPages.includes(page) || countBucket(db, session, userId, "pages");
}

/** Whether a learner may have a bucket for a course, or for a chapter of it, that has none yet. */
export async function mayAddCourse(
  db: Db,
  session: ClientSession,
  userId: string,
  { courseId, chapterId }: { courseId: string; chapterId?: string },
): Promise<boolean> {
  if (isObjectId(courseId)) {
    const named = chapterId === undefined ? {} : { "courseContent.chapterId": chapterId };
    const options = { session, projection: { _id: 1 } };
    if (await bare(db.Course).findOne({ _id: new Types.ObjectId(courseId), ...named }, options)) return true;
  }
  return countBucket(db, session, userId, chapterId === undefined ? "courses" : "chapters");
}
