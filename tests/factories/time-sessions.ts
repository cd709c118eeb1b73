import { randomUUID } from "node:crypto";
import type { Db } from "../../src/db/db.js";

/**
 * Stores `count` sessions of a minute each for a learner without any, in the application's format. They alternate
 * between a course's player and its first quiz.
 */
export async function addSessions(
  db: Db,
  { userId, courseId, count }: { userId: string; courseId: string; count: number },
): Promise<void> {
  const at = new Date();
  const duration = 60;
  const kinds = [
    { page: "Learning", path: `/player/${courseId}`, sessions: Math.ceil(count / 2) },
    { page: "Quiz", path: `/quiz/${courseId}/ch1`, sessions: Math.floor(count / 2) },
  ];
  for (const { page, path, sessions } of kinds) {
    const rows = Array.from({ length: sessions }, () => ({ _id: randomUUID(), userId, page, path, duration, at }));
    await db.TimeSession.insertMany(rows);
    await db.PageTime.create({ userId, page, duration: duration * sessions, visits: sessions, newest: { at, path } });
  }
  const [played = 0, quizzed = 0] = kinds.map(({ sessions }) => sessions);
  await db.DayTime.create({ userId, day: at.toISOString().slice(0, 10), duration: duration * count });
  await db.CourseTime.create({ userId, courseId, duration: duration * played, sessions: played });
  await db.ChapterTime.create({ userId, courseId, chapterId: "ch1", duration: duration * quizzed, sessions: quizzed });
}
