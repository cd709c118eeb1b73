import type { Db } from "../../db/db.js";
import { anonymiseInCourse, findCourseOf } from "../../models/own-rows.js";
import { failErasedPurchases } from "../payments/fail-purchase.js";
import { pseudonym } from "./erase-rows.js";

/**
 * Takes the user out of everything that counts in a course: purchases, enrollment and rating go to a random id, which
 * is another one for each course. No sum changes, a late refund finds its enrollment, and the access ends.
 */
export async function eraseFromCourses(db: Db, userId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const courseId = await findCourseOf(db, userId);
    if (!courseId) return;
    const work = { mutex: `course:${courseId}` };
    await db.transaction(async (session) => {
      await failErasedPurchases(db, session, { userId, courseId });
      await anonymiseInCourse(db, { userId, courseId }, pseudonym(), session);
    }, work);
  }
}
