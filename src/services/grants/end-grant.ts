import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import { boughtInForce } from "../../models/enrollments/enrollment.js";
import { type Grant, grantsOfCourses } from "../../models/enrollments/grant.js";
import { inReach } from "../../models/users/api-key.js";
import type { Manager } from "../../models/users/user.js";
import { audited } from "../audit/record-audit.js";
import { recountEnrollment } from "../enrollments/enrollment.js";
import { holdPath } from "../enrollments/hold-path.js";
import { type NewEvent, recordEvents } from "../events/record-event.js";
import { removeLecturesOf } from "../learners/lecture-counts.js";
import { turnOfSale } from "../payments/sale-transaction.js";
import { auditedItem, findManagedItem, type NamedItem } from "./granted-item.js";

export const EnrollmentNotFound = failure("enrollment_not_found", 404, "Enrollment not found");
export const RefundInstead = failure("refund_instead", 409, "Refund the purchase instead");
export const EndPathGrantInstead = failure("end_path_grant_instead", 409, "End the grant of the path instead");

/**
 * Takes a grant back, waiting or active. The learner keeps what a purchase or another grant gives.
 * @param item the course or the path in the address of the request. Absent: any course.
 * @throws CourseNotFound or PathNotFound, NotTheOwner; EnrollmentNotFound; RefundInstead for an enrollment that was bought;
 *   EndPathGrantInstead for a course that came with the grant of a path.
 */
export async function endGrant(db: Db, id: string, item: NamedItem | undefined, manager: Manager): Promise<void> {
  const within = item ? await findManagedItem(db, item, manager) : inReach(manager.key);
  if (!isObjectId(id)) throw EnrollmentNotFound();
  const isOfPath = "pathId" in within;
  const options = isOfPath ? turnOfSale({ courseId: null, pathId: within.pathId }) : {};
  await db.transaction(async (session) => {
    const ofCourses = isOfPath ? {} : grantsOfCourses;
    const inForce = {
      state: { $in: ["waiting" as const, "active" as const] },
      expiresAt: { $not: { $lte: new Date() } },
    };
    const grant = await db.Grant.findOneAndUpdate(
      { _id: id, ...ofCourses, ...within, ...inForce },
      { $set: { state: "ended" } },
      { session, returnDocument: "before" },
    ).lean<Grant>();
    if (!grant) {
      const bought = { _id: id, ...within, ...boughtInForce() };
      const isBought = isOfPath ? db.PathEnrollment.exists(bought) : db.Enrollment.exists(bought);
      throw (await isBought.session(session)) ? RefundInstead() : EnrollmentNotFound();
    }
    if (grant.pathGrantId) throw EndPathGrantInstead();
    const { userId, state, email } = grant;
    const states = { before: { userId, email, ...auditedItem(grant), state }, after: { state: "ended" } };
    await audited(db, session, manager, "enrollment.revoke", ["enrollment", id], states);
    if (userId) await endAccess(db, session, { ...grant, userId });
  }, options);
}

/** Ends what a grant gave that has ended: a course, or a path with the grants of its courses. */
async function endAccess(db: Db, session: ClientSession, grant: Grant & { userId: string }): Promise<void> {
  const { userId, pathId } = grant;
  const ofPath = { pathGrantId: grant._id, state: "active" as const };
  const parts = pathId ? await db.Grant.find(ofPath, { courseId: 1 }).session(session).lean() : [grant];
  if (pathId) await db.Grant.updateMany(ofPath, { $set: { state: "ended" } }, { session });
  const facts: NewEvent[] = [];
  const lost: Types.ObjectId[] = [];
  for (const { _id, courseId } of parts) {
    if (!courseId) continue;
    const why = { reason: "revoked", grantId: _id } as const;
    const { ended, facts: ofCourse } = await recountEnrollment(db, session, { userId, courseId }, why);
    facts.push(...ofCourse);
    if (ended) lost.push(courseId);
  }
  const pairs = lost.map((courseId) => ({ userId, courseId }));
  await removeLecturesOf(db, pairs, session);
  const lessStudents = { $inc: { totalEnrolledStudents: -1 } };
  if (lost.length > 0) await db.Course.updateMany({ _id: { $in: lost } }, lessStudents, { session, timestamps: false });
  if (pathId) facts.push(...(await holdPath(db, session, { userId, pathId })));
  await recordEvents(db, session, facts);
}
