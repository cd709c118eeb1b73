import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { insertOnce } from "../../db/insert-once.js";
import { BrokenRule, failure } from "../../lib/errors.js";
import { isInForce } from "../../models/enrollments/enrollment.js";
import { endOverdueGrants, type Grant, lockEmails } from "../../models/enrollments/grant.js";
import type { Manager } from "../../models/users/user.js";
import { type Actor, actionBy, recordAudit } from "../audit/record-audit.js";
import { findManagedCourse } from "../courses/managed-course.js";
import { type CountedEnrollment, countedFields, enrollByGrants } from "../enrollments/enrollment.js";
import { UserNotFound } from "../failures.js";
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
 * Enrolls a learner without a sale. An e-mail address that no user has waits for one who has verified it.
 * @returns the grant. @throws CourseNotFound, NotTheOwner, UserNotFound, AlreadyEnrolled (or waiting already),
 *   InvalidRequest (over before it begins).
 */
export async function grantEnrollment(db: Db, wanted: NewGrant, manager: Manager): Promise<Grant> {
  const { expiresAt = null } = wanted;
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw BrokenRule("body.expiresAt: must be in the future");
  const { _id: courseId } = await findManagedCourse(db, wanted.courseId, manager);
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
  return insertOnce(db, db.Grant, grant, { mutex: `course:${courseId}` }, async (session) => {
    const userId = await recipientOf(db, session, wanted.userId, email);
    return userId === undefined ? wait(db, session, grant, manager) : give(db, session, { ...grant, userId }, manager);
  });
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
  await recordAudit(db, session, grantAction(manager, grant));
}

/** Describes the action of a new grant. @param origin further fields of the entry. */
export const grantAction = (actor: Actor, grant: Grant, origin: object = {}) => {
  const { _id, userId, email, courseId, reason, expiresAt, state } = grant;
  const after = { userId, email, courseId: String(courseId), reason, expiresAt, state, ...origin };
  return actionBy(actor, "enrollment.grant", ["enrollment", _id], { after });
};
