import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { addStudentToCourses } from "../../models/courses/course-queries.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { addGrants } from "../../models/enrollments/enrollment-queries.js";
import { type Grant, touchRecipients } from "../../models/enrollments/grant.js";
import { recordAudit } from "../audit/record-audit.js";

/**
 * Activates the grants that wait for an e-mail address which turned out to be a user's verified primary one, by a fixed
 * number of commands: an address may have a grant of every course. A grant that is over by now ends instead.
 */
export async function activateGrants(db: Db, session: ClientSession, userId: string, email: string): Promise<void> {
  await touchRecipients(db, [email], session);
  const waiting = await db.Grant.find({ email, state: "waiting" }).session(session).lean<Grant[]>();
  if (waiting.length === 0) return;
  const now = Date.now();
  const isOver = ({ expiresAt }: Grant): boolean => expiresAt !== null && expiresAt.getTime() <= now;
  const [over, active] = [waiting.filter(isOver), waiting.filter((grant) => !isOver(grant))];
  const among = (grants: readonly Grant[]) => ({
    _id: { $in: grants.map(({ _id }) => _id) },
    state: "waiting" as const,
  });
  if (over.length > 0) await db.Grant.updateMany(among(over), { $set: { state: "ended", userId } }, { session });
  if (active.length === 0) return;
  await db.Grant.updateMany(among(active), { $set: { state: "active", userId } }, { session });
  const courseIds = active.map(({ courseId }) => courseId);
  const counted = await db.Enrollment.find({ userId, courseId: { $in: courseIds }, active: true }, { courseId: 1 })
    .session(session)
    .lean<Pick<Enrollment, "courseId">[]>();
  const grants = active.map(({ courseId, expiresAt }) => ({ userId, courseId, expiresAt }));
  await addGrants(db, grants, session);
  const entries = active.map(({ _id, courseId }) => ({
    ...{ actorId: "system", action: "enrollment.activate", targetKind: "enrollment", targetId: String(_id) },
    after: { userId, email, courseId: String(courseId) },
  }));
  await recordAudit(db, session, ...entries);
  const known = new Set(counted.map(({ courseId }) => String(courseId)));
  const added = courseIds.filter((courseId) => !known.has(String(courseId)));
  if (added.length > 0) await addStudentToCourses(db, added, session);
}
