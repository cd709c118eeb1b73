import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { BrokenRule, failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import { isInForce } from "../../models/enrollments/enrollment.js";
import { endOverdueGrants, type Grant, lockEmails } from "../../models/enrollments/grant.js";
import { reachesCourse } from "../../models/users/api-key.js";
import { actorOf, type Manager } from "../../models/users/manager.js";
import { recordAudit } from "../audit/record-audit.js";
import { NotTheOwner, ownCourse } from "../courses/edit-course.js";
import { type CountedEnrollment, countedFields, enrollByGrants } from "../enrollments/enrollment.js";
import { CourseNotFound, UserNotFound } from "../failures.js";
import { findRecipient } from "./activate-grants.js";

export const AlreadyEnrolled = failure("already_enrolled", 409, "Already enrolled");

export interface NewGrant {
  readonly courseId: string;
  /** One of the two. The address is in the form of `emailKey`. */
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
  readonly reason: string;
  readonly expiresAt?: Date | undefined;
}

/**
 * The course that grants are about. @throws CourseNotFound; NotTheOwner for an educator of another course. A course that an
 * API key does not see is answered like the course of somebody else.
 */
export async function grantableCourse(
  db: Db,
  courseId: string,
  { userId, role, key }: Pick<Manager, "userId" | "role" | "key">,
): Promise<Types.ObjectId> {
  if (!isObjectId(courseId)) throw CourseNotFound();
  if (role === "educator") {
    const { _id } = await ownCourse(db, courseId, userId);
    if (!reachesCourse(key, _id)) throw NotTheOwner();
    return _id;
  }
  if (!reachesCourse(key, courseId) || !(await db.Course.exists({ _id: courseId }))) throw CourseNotFound();
  return new Types.ObjectId(courseId);
}

/**
 * Enrolls a learner without a sale. An e-mail address that no user has waits for one who has verified it.
 * @returns the grant. @throws CourseNotFound, NotTheOwner, UserNotFound, AlreadyEnrolled (or waiting already),
 *   InvalidRequest (over before it begins).
 */
export async function grantEnrollment(db: Db, wanted: NewGrant, manager: Manager): Promise<Grant> {
  const { expiresAt = null } = wanted;
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw BrokenRule("body.expiresAt: must be in the future");
  const courseId = await grantableCourse(db, wanted.courseId, manager);
  const email = wanted.email ?? null;
  const now = new Date();
  const grant: Grant = {
    _id: new Types.ObjectId(),
    courseId,
    userId: null,
    email,
    state: "waiting",
    reason: wanted.reason,
    expiresAt,
    grantedBy: manager.userId,
    createdAt: now,
    updatedAt: now,
  };
  return db.transaction(
    async (session) => {
      // A retry after a commit whose result was lost finds the grant.
      const known = await db.Grant.findById(grant._id).session(session).lean<Grant>();
      if (known) return known;
      const userId = await recipientOf(db, session, wanted.userId, email);
      return userId === undefined
        ? wait(db, session, grant, manager)
        : give(db, session, { ...grant, userId }, manager);
    },
    { mutex: `course:${courseId}` },
  );
}

async function recipientOf(db: Db, session: ClientSession, userId: string | undefined, email: string | null) {
  if (userId === undefined) return findRecipient(db, session, email ?? "");
  if (!(await db.User.exists({ _id: userId }).session(session))) throw UserNotFound();
  return userId;
}

async function give(
  db: Db,
  session: ClientSession,
  given: Grant & { userId: string },
  manager: Manager,
): Promise<Grant> {
  const grant = { ...given, state: "active" } as const;
  const { userId, courseId } = grant;
  const before = await db.Enrollment.findOne({ userId, courseId }, countedFields)
    .session(session)
    .lean<CountedEnrollment>();
  if (before && isInForce(before)) throw AlreadyEnrolled();
  await store(db, session, grant, manager);
  await enrollByGrants(db, session, [grant], before?.active ? [before] : []);
  return grant;
}

async function wait(db: Db, session: ClientSession, grant: Grant, manager: Manager): Promise<Grant> {
  const { email, courseId } = grant;
  // A user who verifies the address now writes this document too, so one of the two transactions runs again.
  await lockEmails(db, [email ?? ""], session);
  await endOverdueGrants(db, { emails: [email ?? ""], courseIds: [courseId] }, session);
  if (await db.Grant.exists({ email, courseId, state: "waiting" }).session(session)) throw AlreadyEnrolled();
  await store(db, session, grant, manager);
  return grant;
}

async function store(db: Db, session: ClientSession, grant: Grant, manager: Manager): Promise<void> {
  await db.Grant.create([grant], { session, timestamps: false });
  await recordAudit(db, session, { ...grantAudit(grant), ...actorOf(manager) });
}

/** The audit entry of a new grant. */
export const grantAudit = ({ _id, userId, email, courseId, reason, expiresAt, state }: Grant) => ({
  action: "enrollment.grant",
  targetKind: "enrollment",
  targetId: String(_id),
  after: { userId, email, courseId: String(courseId), reason, expiresAt, state },
});
