import { createHash, randomUUID } from "node:crypto";
import type { Model, mongo } from "mongoose";
import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import { bare } from "../models/bare.js";
import type { TimeSession } from "../models/time-tracking.js";

/** Labels that are no learning time: left out of totals, page statistics and days (specification, User analytics). */
export const excludedPages: readonly string[] = ["Home", "Browse Courses", "Course Details", "Analytics", "Other"];

export interface TrackedTime {
  userId: string;
  page: string;
  path: string;
  /** Whole seconds. */
  duration: number;
  /** The client's name for this session: sent again, it counts once. What else the repeat says is not looked at. */
  idempotencyKey?: string | undefined;
}

/*
 * How buckets stay equal to a recount of the sessions, whatever runs at once and wherever a process dies: a session is
 * stored with an uncounted mark, added to its buckets by the one call that stored it, and then loses the mark. Nobody
 * else ever adds it. A mark that stays was left by a crash or by a database that did not answer, and nobody can tell
 * which buckets hold the session: so the learner's buckets are made again from the sessions (rebuild-time-buckets.ts).
 * Sessions that were marked then are known to the new buckets by their key, and a late addition of theirs does nothing.
 */

/**
 * Stores one session, dated by the server's clock, with its uncounted mark.
 * @returns the session that the caller is to count now; undefined for one that was sent before.
 */
export async function storeSession(db: Db, { idempotencyKey, ...time }: TrackedTime): Promise<TimeSession | undefined> {
  const _id = idempotencyKey ? keyedId(time.userId, idempotencyKey) : randomUUID();
  const session: TimeSession = { _id, ...time, at: new Date(), uncounted: true };
  try {
    await bare(db.TimeSession).insertOne(session);
    return session;
  } catch (error) {
    if (idempotencyKey && isDuplicateKey(error)) return undefined;
    throw error;
  }
}

/**
 * Adds a session to each bucket that it belongs to and takes its mark away. Only for the call that stored it, and once.
 */
export async function countSession(db: Db, session: TimeSession): Promise<void> {
  const { _id: key, userId, duration } = session;
  const { page, day, course, chapter } = bucketsOf(session);
  const visit = { $inc: { duration, visits: 1 }, $max: { newest: newestOf(session) } };
  const stay = { $inc: { duration, sessions: 1 } };
  await Promise.all([
    add(db.PageTime, { userId, page }, key, visit),
    day && add(db.DayTime, { userId, day }, key, { $inc: { duration } }),
    course && add(db.CourseTime, { userId, ...course }, key, stay),
    chapter && add(db.ChapterTime, { userId, ...chapter }, key, stay),
  ]);
  await bare(db.TimeSession).updateOne({ _id: key }, { $set: { uncounted: false } });
}

/** Adds to a bucket, which it makes if there is none, unless a rebuild counted the session there already. */
async function add<T>(bucket: Model<T>, filter: Partial<T>, key: string, update: object): Promise<void> {
  const buckets = bucket.collection as unknown as mongo.Collection;
  const unknown = { ...filter, countedKeys: { $ne: key } } as object;
  try {
    await buckets.updateOne(unknown, update, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // The bucket knows the key, or another session made the bucket at this moment.
    await buckets.updateOne(unknown, update);
  }
}

/** What a page bucket keeps of its newest session. */
export function newestOf({ at, _id, path }: TimeSession) {
  return { at, session: _id, path };
}

export interface Buckets {
  page: string;
  /** UTC day, YYYY-MM-DD; undefined for labels that are no learning time. */
  day: string | undefined;
  course: { courseId: string } | undefined;
  chapter: { courseId: string; chapterId: string } | undefined;
}

const segment = "([A-Za-z0-9_-]{1,64})";
const segmentEnd = "(?=[/?#]|$)";
const playerPath = new RegExp(`^/player/${segment}${segmentEnd}`);
const quizPath = new RegExp(`^/quiz/${segment}/${segment}${segmentEnd}`);

/** Which buckets a session belongs to. Course and chapter go by the path alone, whatever the label says. */
export function bucketsOf({ page, path, at }: Pick<TimeSession, "page" | "path" | "at">): Buckets {
  const [, player] = playerPath.exec(path) ?? [];
  const [, quizCourse, quizChapter] = quizPath.exec(path) ?? [];
  return {
    page,
    day: excludedPages.includes(page) ? undefined : utcDay(at),
    course: player === undefined ? undefined : { courseId: player },
    chapter:
      quizCourse === undefined || quizChapter === undefined
        ? undefined
        : { courseId: quizCourse, chapterId: quizChapter },
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
