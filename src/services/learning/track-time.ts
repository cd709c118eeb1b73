import { createHash, randomUUID } from "node:crypto";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import type { TimeSession } from "../../models/time-tracking.js";

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

/** Records one session, dated by the server's clock. */
export async function trackTime(db: Db, { idempotencyKey, ...time }: TrackedTime): Promise<void> {
  const _id = idempotencyKey ? keyedId(time.userId, idempotencyKey) : randomUUID();
  await storeSession(db, { _id, ...time, at: new Date() });
}

/** Stores a session and adds it to each bucket that it belongs to. Does nothing when its `_id` is stored already. */
export async function storeSession(db: Db, { _id, ...fields }: TimeSession): Promise<void> {
  const { userId, duration, at, path } = fields;
  const { page, day, course, chapter } = bucketsOf(fields);
  const stay = { $inc: { duration, sessions: 1 } };
  await db.transaction(
    async (session) => {
      const upsert = { upsert: true, session };
      const stored = await bare(db.TimeSession).updateOne({ _id }, { $setOnInsert: fields }, upsert);
      if (stored.upsertedCount === 0) return;
      const visit = { $inc: { duration, visits: 1 }, $max: { newest: { at, path } } };
      await bare(db.PageTime).updateOne({ userId, page }, visit, upsert);
      if (day) await bare(db.DayTime).updateOne({ userId, day }, { $inc: { duration } }, upsert);
      if (course) await bare(db.CourseTime).updateOne({ userId, ...course }, stay, upsert);
      if (chapter) await bare(db.ChapterTime).updateOne({ userId, ...chapter }, stay, upsert);
    },
    { mutex: `time:${userId}` },
  );
}

interface Buckets {
  page: string;
  /** UTC day, YYYY-MM-DD; undefined for labels that are no learning time. */
  day: string | undefined;
  course: { courseId: string } | undefined;
  chapter: { courseId: string; chapterId: string } | undefined;
}

const playerPath = /^\/player\/([A-Za-z0-9_-]{1,64})(?=[/?#]|$)/;
const quizPath = /^\/quiz\/([A-Za-z0-9_-]{1,64})\/([A-Za-z0-9_-]{1,64})(?=[/?#]|$)/;

/** Which buckets a session belongs to. Course and chapter go by the path alone, whatever the label says. */
function bucketsOf({ page, path, at }: Pick<TimeSession, "page" | "path" | "at">): Buckets {
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
