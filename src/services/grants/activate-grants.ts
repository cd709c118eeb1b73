import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import { type Grant, touchRecipients } from "../../models/enrollments/grant.js";
import { recordAudit } from "../audit/record-audit.js";
import { enrollByGrant } from "../enrollments/enrollment.js";

/**
 * Activates the grants that wait for an e-mail address which turned out to be a user's verified primary one. A grant that
 * is over by now ends instead.
 */
export async function activateGrants(db: Db, session: ClientSession, userId: string, email: string): Promise<void> {
  await touchRecipients(db, [email], session);
  const waiting = await db.Grant.find({ email, state: "waiting" }).session(session).lean<Grant[]>();
  for (const { _id, courseId, expiresAt } of waiting) {
    const over = expiresAt !== null && expiresAt.getTime() <= Date.now();
    const state = over ? "ended" : "active";
    await db.Grant.updateOne({ _id, state: "waiting" }, { $set: { state, userId } }, { session });
    if (over) continue;
    const counted = await enrollByGrant(db, session, { userId, courseId }, expiresAt);
    await recordAudit(db, session, {
      ...{ actorId: "system", action: "enrollment.activate", targetKind: "enrollment", targetId: String(_id) },
      after: { userId, email, courseId: String(courseId) },
    });
    if (!counted) await addCourseFigures(db, courseId, { totalEnrolledStudents: 1 }, session);
  }
}
