import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import { insertRows } from "../../tests/factories/stored-sales.js";
import type { Build } from "../processes/builds.js";
import { addUsers, enrollIn, fillCatalog } from "./plain-catalog.js";

export interface TutorWorld {
  readonly learners: number;
  /** Past chats of each learner, and as many quiz results. */
  readonly sessions: number;
  readonly courses: number;
  /** Courses of each learner. */
  readonly enrolled: number;
}

/** Replaces courses and chats, and adds learners with past chats of twenty messages. @returns their ids. */
export async function fillTutor({ connection, db }: Build, world: TutorWorld): Promise<string[]> {
  await Promise.all([db.Course.deleteMany({}), db.Enrollment.deleteMany({}), db.ChatSession.deleteMany({})]);
  const courseIds = await fillCatalog(connection, world.courses, 1);
  const ids = Array.from({ length: world.learners }, () => `user_${randomUUID().replaceAll("-", "")}`);
  await addUsers(connection, ids);
  await enrollIn(connection, ids, courseIds.slice(0, world.enrolled));
  for (const userId of ids) {
    await db.CourseProgress.insertMany(
      courseIds
        .slice(0, world.enrolled)
        .map((courseId) => ({ userId, courseId, lectureCompleted: ["ch1-l1", "ch1-l2"] })),
    );
    await db.ChatSession.insertMany(Array.from({ length: world.sessions }, () => pastChat(userId)));
    const attempt = { chapterId: "ch1", score: 1, total: 2, percentage: 50, group: "on_track", answers: [0, 1] };
    const about = { userId, courseId: new Types.ObjectId(courseIds[0]), recommendations: "• read", version: 1 };
    await insertRows(
      db.QuizResult,
      Array.from({ length: world.sessions }, () => ({
        ...{ ...about, ...attempt, _id: new Types.ObjectId(), group: "on_track" as const },
        ...{ createdAt: new Date(), updatedAt: new Date() },
      })),
    );
  }
  return ids;
}

function pastChat(userId: string) {
  const now = new Date();
  const messages = Array.from({ length: 20 }, (_m, i) => ({
    ...{ role: i % 2 === 0 ? "user" : "assistant", content: "Something that was said. ".repeat(20) },
    ...{ createdAt: now, updatedAt: now },
  }));
  return { userId, sessionId: randomUUID(), opening: "Something", messages, bytes: 10_000 };
}
