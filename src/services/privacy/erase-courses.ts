import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import { freeSlot, unfinishedSlot } from "../../models/purchase.js";
import { pseudonym } from "./erase-rows.js";

/**
 * Takes the person out of everything that counts in a course: purchases, enrollment and rating go to a random id, which
 * is another one for each course. No sum changes, a late capture or refund finds its enrollment, and the access ends.
 */
export async function eraseFromCourses(db: Db, userId: string, signal: AbortSignal): Promise<void> {
  const courseOfOne = async (): Promise<Types.ObjectId | undefined> => {
    const one = { projection: { courseId: 1 } };
    const found =
      (await bare(db.Purchase).findOne({ userId }, one)) ??
      (await bare(db.Enrollment).findOne({ userId }, one)) ??
      (await bare(db.CourseRating).findOne({ userId }, one));
    return found?.courseId;
  };
  for (;;) {
    signal.throwIfAborted();
    const courseId = await courseOfOne();
    if (!courseId) return;
    await eraseFromCourse(db, userId, courseId);
  }
}

function eraseFromCourse(db: Db, userId: string, courseId: Types.ObjectId): Promise<void> {
  const own = { userId, courseId };
  return db.transaction(
    async (session) => {
      const nobody = pseudonym();
      const $set = { userId: nobody };
      for (const slotOf of [unfinishedSlot, freeSlot]) {
        const slot = { slot: slotOf(userId, courseId) };
        await bare(db.Purchase).updateOne(slot, { $set: { slot: slotOf(nobody, courseId) } }, { session });
      }
      await bare(db.Purchase).updateMany(own, { $set }, { session });
      await bare(db.Enrollment).updateOne(own, { $set }, { session });
      await bare(db.CourseRating).updateOne(own, { $set }, { session });
    },
    { mutex: `course:${courseId}` },
  );
}
