import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../lib/fields.js";
import { courseHas } from "../../models/courses/course-queries.js";
import { addBucketCount, addEarlierPages, type CountedBuckets } from "../../models/learning/time-tracking-queries.js";

/** Labels that are no learning time: left out of totals, page statistics and days. */
export const excludedPages: readonly string[] = ["Home", "Browse Courses", "Course Details", "Analytics", "Other"];

/** Further labels of a learner are counted under this one. */
export const furtherPages = "Other";

/**
 * Most buckets that one learner can create by free choice of labels and paths. Labels that are no learning time, and
 * courses and chapters that exist, do not count: their number is limited anyway.
 */
const most: Readonly<Record<CountedBuckets, number>> = { pages: 100, courses: 100, chapters: 100 };

/** @returns false when the learner has too many: then the bucket must not stay. */
async function countBucket(db: Db, session: ClientSession, userId: string, kind: CountedBuckets): Promise<boolean> {
  let count = await addBucketCount(db, userId, { kind, most: most[kind] }, session);
  // Not at the first one: a learner's first session, which the most have, costs no look for earlier labels.
  if (kind === "pages" && count === 2) {
    const asked = { except: excludedPages, counted: count, most: most.pages };
    count += await addEarlierPages(db, userId, asked, session);
  }
  return count <= most[kind];
}

/** Whether a learner may have the bucket that was made for a label. */
export async function mayAddPage(db: Db, session: ClientSession, userId: string, page: string): Promise<boolean> {
  return excludedPages.includes(page) || countBucket(db, session, userId, "pages");
}

/** Whether a learner may have the bucket that was made for a course, or for a chapter of it. */
export async function mayAddCourse(
  db: Db,
  session: ClientSession,
  userId: string,
  { courseId, chapterId }: { courseId: string; chapterId?: string },
): Promise<boolean> {
  const exists =
    isObjectId(courseId) && (await courseHas(db, { courseId: new Types.ObjectId(courseId), chapterId }, session));
  if (exists) return true;
  return countBucket(db, session, userId, chapterId === undefined ? "courses" : "chapters");
}
