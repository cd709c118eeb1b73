import { createHash, randomUUID } from "node:crypto";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import type { TimeSession } from "../../models/time-tracking.js";
import { excludedPages, furtherPages, mayAddCourse, mayAddPage } from "./time-buckets.js";

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

/**
 * Stores a session and adds it to each bucket that it belongs to. Does nothing when its `_id` is stored already. When
 * the learner has too many labels it is counted under `Other`; too many courses that do not exist, under none. The
 * session keeps what was sent, and says how it was counted.
 */
export async function storeSession(db: Db, { _id, ...fields }: TimeSession): Promise<void> {
  const { userId, duration, at, path } = fields;
  const { course, chapter } = placesOf(path);
  const stay = { $inc: { duration, sessions: 1 } };
  const visit = { $inc: { duration, visits: 1 }, $max: { newest: { at, path } } };
  await db.transaction(
    async (session) => {
      const upsert = { upsert: true, session };
      const stored = await bare(db.TimeSession).updateOne({ _id }, { $setOnInsert: fields }, upsert);
      if (stored.upsertedCount === 0) return;
      const counted: TimeSession["counted"] = {};

      let { page } = fields;
      if (!(await added(bare(db.PageTime).updateOne({ userId, page }, visit, { session })))) {
        if (!(await mayAddPage(db, session, userId, page))) {
          page = furtherPages;
          counted.page = page;
        }
        await bare(db.PageTime).updateOne({ userId, page }, visit, upsert);
      }
      if (!excludedPages.includes(page)) {
        await bare(db.DayTime).updateOne({ userId, day: utcDay(at) }, { $inc: { duration } }, upsert);
      }
      if (course && !(await added(bare(db.CourseTime).updateOne({ userId, ...course }, stay, { session })))) {
        if (await mayAddCourse(db, session, userId, course)) {
          await bare(db.CourseTime).updateOne({ userId, ...course }, stay, upsert);
        } else counted.course = false;
      }
      if (chapter && !(await added(bare(db.ChapterTime).updateOne({ userId, ...chapter }, stay, { session })))) {
        if (await mayAddCourse(db, session, userId, chapter)) {
          await bare(db.ChapterTime).updateOne({ userId, ...chapter }, stay, upsert);
        } else counted.chapter = false;
      }
      if (Object.keys(counted).length > 0) {
        await bare(db.TimeSession).updateOne({ _id }, { $set: { counted } }, { session });
      }
    },
    { mutex: `time:${userId}` },
  );
}

/** Whether there was such a bucket. */
const added = async (update: Promise<{ matchedCount: number }>): Promise<boolean> => (await update).matchedCount > 0;

const playerPath = /^\/player\/([A-Za-z0-9_-]{1,64})(?=[/?#]|$)/;
const quizPath = /^\/quiz\/([A-Za-z0-9_-]{1,64})\/([A-Za-z0-9_-]{1,64})(?=[/?#]|$)/;

/** Course and chapter that a session belongs to. They go by the path alone, whatever the label says. */
function placesOf(path: string): {
  course?: { courseId: string };
  chapter?: { courseId: string; chapterId: string };
} {
  const [, player] = playerPath.exec(path) ?? [];
  const [, courseId, chapterId] = quizPath.exec(path) ?? [];
  return {
    ...(player === undefined ? {} : { course: { courseId: player } }),
    ...(courseId === undefined || chapterId === undefined ? {} : { chapter: { courseId, chapterId } }),
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
