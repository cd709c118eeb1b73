import { createHash, randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../lib/fields.js";
import type { TimeSession } from "../../models/learning/time-tracking.js";
import {
  addChapterTime,
  addCourseTime,
  addDayTime,
  addPageTime,
  insertTimeSession,
  removeTimeBucket,
  setSessionCounted,
} from "../../models/learning/time-tracking-queries.js";
import { excludedPages, furtherPages, mayAddCourse, mayAddPage } from "./time-buckets.js";

export interface TrackedTime {
  userId: string;
  page: string;
  path: string;
  /** Whole seconds. */
  duration: number;
  /** The client's name for this session: sent again, it counts once, and the repeat's other fields are ignored. */
  idempotencyKey?: string | undefined;
}

/** Records one session, dated by the server's clock. */
export async function trackTime(db: Db, { idempotencyKey, ...time }: TrackedTime): Promise<void> {
  const _id = idempotencyKey ? keyedId(time.userId, idempotencyKey) : randomUUID();
  await storeSession(db, { _id, ...time, at: new Date() });
}

/**
 * Stores a session and adds it to each bucket that it belongs to, which is made when there is none. Does nothing when its
 * `_id` is stored already. When the learner has too many labels it is counted under `Other`; too many courses that do not
 * exist, under none: then the bucket is taken away again. The session keeps what was sent, and says how it was counted.
 */
export async function storeSession(db: Db, sent: TimeSession): Promise<void> {
  const { _id, userId, duration, at } = sent;
  const { course, chapter } = placesOf(sent.path);
  await db.transaction(
    async (session) => {
      if (!(await insertTimeSession(db, sent, session))) return;
      const page = await countPage(db, session, sent);
      if (!excludedPages.includes(page)) await addDayTime(db, { userId, day: utcDay(at), duration }, session);
      const isCourseCounted = !course || (await countCourse(db, session, { userId, duration, ...course }));
      const isChapterCounted = !chapter || (await countChapter(db, session, { userId, duration, ...chapter }));
      const counted: TimeSession["counted"] = {
        ...(page !== sent.page && { page }),
        ...(!isCourseCounted && { course: false as const }),
        ...(!isChapterCounted && { chapter: false as const }),
      };
      if (Object.keys(counted).length > 0) await setSessionCounted(db, { _id, counted }, session);
    },
    { mutex: `time:${userId}` },
  );
}

/** @returns the label under which the time was counted. */
async function countPage(db: Db, session: ClientSession, sent: TimeSession): Promise<string> {
  const { userId } = sent;
  if (!(await addPageTime(db, sent, session))) return sent.page;
  const page = (await mayAddPage(db, session, userId, sent.page)) ? sent.page : furtherPages;
  if (page === sent.page) return page;
  await removeTimeBucket(db, "PageTime", { userId, page: sent.page }, session);
  await addPageTime(db, { ...sent, page }, session);
  return page;
}

/** @returns whether the time was counted for the course. */
async function countCourse(
  db: Db,
  session: ClientSession,
  time: { userId: string; courseId: string; duration: number },
): Promise<boolean> {
  const { userId, courseId } = time;
  if (!(await addCourseTime(db, time, session))) return true;
  if (await mayAddCourse(db, session, userId, { courseId })) return true;
  await removeTimeBucket(db, "CourseTime", { userId, courseId }, session);
  return false;
}

/** @returns whether the time was counted for the chapter. */
async function countChapter(
  db: Db,
  session: ClientSession,
  time: { userId: string; courseId: string; chapterId: string; duration: number },
): Promise<boolean> {
  const { userId, courseId, chapterId } = time;
  if (!(await addChapterTime(db, time, session))) return true;
  if (await mayAddCourse(db, session, userId, time)) return true;
  await removeTimeBucket(db, "ChapterTime", { userId, courseId, chapterId }, session);
  return false;
}

const playerPath = /^\/player\/([A-Za-z0-9_-]{1,64})(?=[/?#]|$)/;
const quizPath = /^\/quiz\/([A-Za-z0-9_-]{1,64})\/([A-Za-z0-9_-]{1,64})(?=[/?#]|$)/;

/** Ids of courses are one id in either letter case. */
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
