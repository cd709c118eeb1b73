import type { Db } from "../../src/db/db.js";
import { addSessions } from "../../tests/factories/time-sessions.js";

export interface History {
  userId: string;
  courseId: string;
  /** The learner's own tracked sessions, and the other learners of the course with their progress and ratings. */
  size: number;
}

const atOnce = 5_000;

/** Fills the database with what `size` sessions and `size` other learners leave behind. */
export async function fillHistory(db: Db, { userId, courseId, size }: History): Promise<void> {
  const now = Date.now();
  for (let from = 0; from < size; from += atOnce) {
    const part = Array.from({ length: Math.min(atOnce, size - from) }, (_, n) => from + n);
    const learners = part.map((n) => ({ userId: `user_other_${n}`, courseId }));
    await db.CourseRating.insertMany(learners.map((one) => ({ ...one, rating: 4 })));
    await db.CourseProgress.insertMany(learners.map((one) => ({ ...one, lectureCompleted: ["ch1-l1"] })));
    await db.Enrollment.insertMany(learners.map((one) => ({ ...one, active: true, enrolledAt: new Date(now) })));
  }
  await db.Course.updateOne({ _id: courseId }, { $set: { ratingSum: 4 * size, totalRatings: size } });
  await addSessions(db, { userId, courseId, count: size });
}
