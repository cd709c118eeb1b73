import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { addStudentToCourses } from "../../models/courses/course-queries.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { addGrants } from "../../models/enrollments/enrollment-queries.js";
import { digestOf, type Grant, setActivationDue } from "../../models/enrollments/grant.js";
import { recordAudit } from "../audit/record-audit.js";

/** Grants of one transaction. An import of 20,000 rows may name one address in every row. */
const maxGrants = 100;

/**
 * Activates the first waiting grants to an e-mail address that a user has verified, by a fixed number of commands. The
 * `activate-grants` job activates the rest. A grant whose time is over ends instead.
 * @returns whether more grants may wait.
 */
export async function activateGrants(db: Db, session: ClientSession, userId: string, email: string): Promise<boolean> {
  const waiting = await db.Grant.find({ email: { $in: [email, digestOf(email)] }, state: "waiting" })
    .limit(maxGrants)
    .session(session)
    .lean<Grant[]>();
  const isMore = waiting.length === maxGrants;
  await setActivationDue(db, email, isMore, session);
  if (waiting.length === 0) return false;
  const now = Date.now();
  const isOver = ({ expiresAt }: Grant): boolean => expiresAt !== null && expiresAt.getTime() <= now;
  const [over, active] = [waiting.filter(isOver), waiting.filter((grant) => !isOver(grant))];
  const among = (grants: readonly Grant[]) => ({
    _id: { $in: grants.map(({ _id }) => _id) },
    state: "waiting" as const,
  });
  if (over.length > 0) await db.Grant.updateMany(among(over), { $set: { state: "ended", userId } }, { session });
  if (active.length === 0) return isMore;
  await db.Grant.updateMany(among(active), { $set: { state: "active", userId, email } }, { session });
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
  const added = courseIds.filter(
    (courseId, i) => !known.has(String(courseId)) && courseIds.findIndex((each) => each.equals(courseId)) === i,
  );
  if (added.length > 0) await addStudentToCourses(db, added, session);
  return isMore;
}
