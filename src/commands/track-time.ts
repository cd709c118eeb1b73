import { createHash, randomUUID } from "node:crypto";
import type { Models } from "../models/index.js";
import type { TimeSession } from "../models/time-tracking.js";
import { countOnce, isDuplicateKey } from "./count-once.js";

/** Labels that are no learning time: left out of totals, page statistics and days (specification, User analytics). */
export const excludedPages: readonly string[] = ["Home", "Browse Courses", "Course Details", "Analytics", "Other"];

/** A session that stays uncounted for longer was left by a crash. */
export const abandonedAfterMs = 5_000;

export interface TrackedTime {
  userId: string;
  page: string;
  path: string;
  /** Whole seconds. */
  duration: number;
  /** The client's name for this session: sent again, it counts once. What else the repeat says is not looked at. */
  idempotencyKey?: string | undefined;
}

/**
 * Stores one session, dated by the server's clock, with its uncounted mark.
 * @returns the session that the caller is to count now; undefined for one that was sent before, unless a crash left that
 *   uncounted.
 */
export async function storeSession(
  models: Models,
  { idempotencyKey, ...time }: TrackedTime,
): Promise<TimeSession | undefined> {
  const _id = idempotencyKey ? keyedId(time.userId, idempotencyKey) : randomUUID();
  const session: TimeSession = { _id, ...time, at: new Date(), uncounted: true };
  try {
    await models.TimeSession.create(session);
    return session;
  } catch (error) {
    if (!idempotencyKey || !isDuplicateKey(error)) throw error;
    const first = await models.TimeSession.findById(_id).lean<TimeSession>();
    const abandoned = first?.uncounted && Date.now() - first.at.getTime() > abandonedAfterMs;
    return abandoned ? first : undefined;
  }
}

/** Adds a session to each bucket that it belongs to, exactly once, and takes its mark away. May be repeated. */
export async function countSession(models: Models, session: TimeSession): Promise<void> {
  const { _id: key, userId, duration } = session;
  const { page, day, course, chapter } = bucketsOf(session);
  const upsert = { upsert: true };
  const visit = { $inc: { duration, visits: 1 }, $max: { newest: newestOf(session) } };
  const stay = { $inc: { duration, sessions: 1 } };
  await Promise.all([
    countOnce(models.PageTime, { userId, page }, key, visit, upsert),
    day && countOnce(models.DayTime, { userId, day }, key, { $inc: { duration } }, upsert),
    course && countOnce(models.CourseTime, { userId, ...course }, key, stay, upsert),
    chapter && countOnce(models.ChapterTime, { userId, ...chapter }, key, stay, upsert),
  ]);
  await models.TimeSession.updateOne({ _id: key }, { $set: { uncounted: false } });
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
