import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import { boughtInForce } from "../../models/enrollments/enrollment.js";
import type { Grant } from "../../models/enrollments/grant.js";
import { inReach } from "../../models/users/api-key.js";
import type { Manager } from "../../models/users/user.js";
import { audited } from "../audit/record-audit.js";
import { findManagedCourse } from "../courses/managed-course.js";
import { recountEnrollment } from "../enrollments/enrollment.js";
import { recordEvents } from "../events/record-event.js";

export const EnrollmentNotFound = failure("enrollment_not_found", 404, "Enrollment not found");
export const RefundInstead = failure("refund_instead", 409, "Refund the purchase instead");

/**
 * Takes a grant back, waiting or active. The learner stays enrolled if a purchase or another grant gives access.
 * @param courseId the course of the path, for an educator.
 * @throws CourseNotFound, NotTheOwner; EnrollmentNotFound; RefundInstead for an enrollment that was bought.
 */
export async function endGrant(
  db: Db,
  { id, courseId }: { id: string; courseId?: string | undefined },
  manager: Manager,
): Promise<void> {
  const course =
    courseId === undefined ? inReach(manager.key) : { courseId: (await findManagedCourse(db, courseId, manager))._id };
  await db.transaction(async (session) => {
    const grant = await db.Grant.findOneAndUpdate(
      { _id: id, ...course, state: { $in: ["waiting", "active"] }, expiresAt: { $not: { $lte: new Date() } } },
      { $set: { state: "ended" } },
      { session, returnDocument: "before" },
    ).lean<Grant>();
    if (!grant) {
      const bought = await db.Enrollment.exists({ _id: id, ...course, ...boughtInForce() }).session(session);
      throw bought ? RefundInstead() : EnrollmentNotFound();
    }
    const { userId, state } = grant;
    const before = { userId, email: grant.email, courseId: String(grant.courseId), state };
    const states = { before, after: { state: "ended" } };
    await audited(db, session, manager, "enrollment.revoke", ["enrollment", id], states);
    if (!userId) return;
    const why = { reason: "revoked", grantId: grant._id } as const;
    const { ended, facts } = await recountEnrollment(db, session, { userId, courseId: grant.courseId }, why);
    await recordEvents(db, session, facts);
    if (ended) await addCourseFigures(db, grant.courseId, { totalEnrolledStudents: -1 }, session);
  });
}
