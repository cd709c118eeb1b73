import { createHash, randomUUID } from "node:crypto";
import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../lib/fields.js";
import type { TimeBucketCounts, TimeSession } from "../../models/learning/time-tracking.js";

/** Labels that are no learning time: left out of totals, page statistics and days. */
export const excludedPages: readonly string[] = ["Home", "Browse Courses", "Course Details", "Analytics", "Other"];

/** Further labels of a learner are counted under this label. */
const furtherPages = "Other";

/**
 * Most buckets of each kind that one learner can create by free choice of labels and paths. Labels that are no learning
 * time, and courses and chapters that exist, do not count, because their number is limited anyway.
 */
const maxBuckets = 100;

export interface TrackedTime extends Pick<TimeSession, "userId" | "page" | "path" | "duration"> {
  /** The client's name for this session: sent again, it counts once, and the repeat's other fields are ignored. */
  idempotencyKey?: string | undefined;
}

/** Records one session, dated by the server's clock. */
export async function trackTime(db: Db, { idempotencyKey, ...time }: TrackedTime): Promise<void> {
  const _id = idempotencyKey ? keyedId(time.userId, idempotencyKey) : randomUUID();
  await storeSession(db, { _id, ...time, at: new Date() });
}

/**
 * Stores a session and adds it to its buckets, unless its `_id` is stored already. When the learner has too many labels,
 * the time counts under `Other`. When there are too many courses that do not exist, it counts under no course. The session
 * keeps what was sent, and says how it was counted.
 */
export async function storeSession(db: Db, { _id, ...sent }: TimeSession): Promise<void> {
  const { userId, duration, at } = sent;
  const { course, chapter } = placesOf(sent.path);
  await db.transaction(
    async (session) => {
      const upsert = { session, upsert: true };
      const stored = await db.TimeSession.updateOne({ _id }, { $setOnInsert: sent }, upsert);
      if (stored.upsertedCount === 0) return;
      const page = await countPage(db, session, sent);
      if (!excludedPages.includes(page))
        await db.DayTime.updateOne({ userId, day: utcDay(at) }, { $inc: { duration } }, upsert);
      const stay = { $inc: { duration, sessions: 1 } };
      const counted: NonNullable<TimeSession["counted"]> = page === sent.page ? {} : { page };
      if (course) {
        const key = { userId, ...course };
        const { upsertedCount } = await db.CourseTime.updateOne(key, stay, upsert);
        if (upsertedCount > 0 && !(await mayAddCourse(db, session, key))) {
          await db.CourseTime.deleteOne(key, { session });
          counted.course = false;
        }
      }
      if (chapter) {
        const key = { userId, ...chapter };
        const { upsertedCount } = await db.ChapterTime.updateOne(key, stay, upsert);
        if (upsertedCount > 0 && !(await mayAddCourse(db, session, key))) {
          await db.ChapterTime.deleteOne(key, { session });
          counted.chapter = false;
        }
      }
      if (Object.keys(counted).length > 0) await db.TimeSession.updateOne({ _id }, { $set: { counted } }, { session });
    },
    { mutex: `time:${userId}` },
  );
}

/** @returns the label under which the time was counted. */
async function countPage(
  db: Db,
  session: ClientSession,
  { userId, page, path, duration, at }: Omit<TimeSession, "_id">,
): Promise<string> {
  const visit = { $inc: { duration, visits: 1 }, $max: { newest: { at, path } } };
  const { upsertedCount } = await db.PageTime.updateOne({ userId, page }, visit, { session, upsert: true });
  if (upsertedCount === 0 || excludedPages.includes(page)) return page;
  if (await countBucket(db, session, userId, "pages")) return page;
  await db.PageTime.deleteOne({ userId, page }, { session });
  await db.PageTime.updateOne({ userId, page: furtherPages }, visit, { session, upsert: true });
  return furtherPages;
}

/** Whether a learner may have the bucket that was made for a course, or for a chapter of it. */
async function mayAddCourse(
  db: Db,
  session: ClientSession,
  { userId, courseId, chapterId }: { userId: string; courseId: string; chapterId?: string },
): Promise<boolean> {
  if (isObjectId(courseId)) {
    const chapter = chapterId === undefined ? {} : { "courseContent.chapterId": chapterId };
    if (await db.Course.exists({ _id: new Types.ObjectId(courseId), ...chapter }).session(session)) return true;
  }
  return countBucket(db, session, userId, chapterId === undefined ? "courses" : "chapters");
}

/**
 * Counts one more bucket of a learner. All transactions that count for the same learner write this document, so that the
 * number is exact.
 * @returns false when the learner has too many: then the bucket must not stay.
 */
async function countBucket(
  db: Db,
  session: ClientSession,
  userId: string,
  kind: keyof Omit<TimeBucketCounts, "_id">,
): Promise<boolean> {
  const next = { $min: [maxBuckets + 1, { $add: [{ $ifNull: [`$${kind}`, 0] }, 1] }] };
  const options = { session, upsert: true, updatePipeline: true, returnDocument: "after" } as const;
  const counts = await db.TimeBucketCounts.findByIdAndUpdate(userId, [{ $set: { [kind]: next } }], options).lean();
  return (counts?.[kind] ?? 0) <= maxBuckets;
}

const playerPath = /^\/player\/([A-Za-z0-9_-]{1,64})(?=[/?#]|$)/;
const quizPath = /^\/quiz\/([A-Za-z0-9_-]{1,64})\/([A-Za-z0-9_-]{1,64})(?=[/?#]|$)/;

/** Ids of courses are the same id in either letter case. */
const idOf = (text: string): string => (isObjectId(text) ? text.toLowerCase() : text);

/** Course and chapter that a session belongs to. They go by the path alone, whatever the label says. */
function placesOf(path: string): {
  course?: { courseId: string };
  chapter?: { courseId: string; chapterId: string };
} {
  const [, player] = playerPath.exec(path) ?? [];
  const [, courseId, chapterId] = quizPath.exec(path) ?? [];
  return {
    ...(player === undefined ? {} : { course: { courseId: idOf(player) } }),
    ...(courseId === undefined || chapterId === undefined ? {} : { chapter: { courseId: idOf(courseId), chapterId } }),
  };
}

/** YYYY-MM-DD. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** Fixed by learner and key, so that the unique `_id` itself refuses a second delivery. */
function keyedId(userId: string, key: string): string {
  return createHash("sha256")
    .update(JSON.stringify([userId, key]))
    .digest("hex");
}
