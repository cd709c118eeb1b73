import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { anonymiseInCourse, findCourseOf } from "../../models/own-rows.js";
import { failErasedPurchases } from "../payments/unpaid-purchases.js";
import { anonymiseAudit } from "./anonymise-audit.js";
import { pseudonym } from "./erase-rows.js";

/**
 * Takes the user out of everything that counts in a course: purchases, grants, enrollment and rating go to a random id,
 * which is another one for each course. No sum changes, a late refund finds its enrollment, and the access ends.
 */
export async function eraseFromCourses(db: Db, userId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const courseId = await findCourseOf(db, userId);
    if (!courseId) return;
    const own = { userId, courseId };
    await db.transaction((session) => eraseFromCourse(db, own, session), { mutex: `course:${courseId}` });
  }
}

type Pair = Parameters<typeof anonymiseInCourse>[1];

async function eraseFromCourse(db: Db, own: Pair, session: ClientSession): Promise<void> {
  const to = pseudonym();
  const grants = await db.Grant.find(own, { _id: 1 }).session(session).lean();
  await failErasedPurchases(db, session, own);
  await anonymiseInCourse(db, own, to, session);
  // An entry that names both the grant and the user would lead from one to the other.
  const about = { targetKind: "enrollment", targetIds: grants.map(({ _id }) => String(_id)) };
  await anonymiseAudit(db, about, { userId: own.userId, to }, session);
}
