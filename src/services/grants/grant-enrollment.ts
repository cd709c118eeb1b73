import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { insertOnce } from "../../db/insert-once.js";
import { BrokenRule, failure } from "../../lib/errors.js";
import { isInForce } from "../../models/enrollments/enrollment.js";
import {
  digestOf,
  endOverdueGrants,
  type Grant,
  type GrantedItem,
  lockEmails,
} from "../../models/enrollments/grant.js";
import { keepPath } from "../../models/paths/path.js";
import type { Manager } from "../../models/users/user.js";
import { type Actor, actionBy, recordAudit } from "../audit/record-audit.js";
import { PathNotFound, UserNotFound } from "../failures.js";
import { turnOfSale } from "../payments/sale-transaction.js";
import { findRecipient } from "./activate-grants.js";
import { findCounted, findPathTerms, giveAccess, partsOf } from "./give-access.js";
import { auditedItem, findManagedItem, type NamedItem } from "./granted-item.js";

export const AlreadyEnrolled = failure("already_enrolled", 409, "Already enrolled");

export interface NewGrant {
  readonly item: NamedItem;
  /** One of the two. The address is in the form of `emailKey`. */
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
  readonly reason: string;
  readonly expiresAt?: Date | undefined;
}

/**
 * Enrolls a learner without a sale. An e-mail address that no user has waits for one who has verified it.
 * @returns the grant. @throws CourseNotFound or PathNotFound, NotTheOwner, UserNotFound, AlreadyEnrolled (or waiting
 *   already), InvalidRequest (over before it begins).
 */
export async function grantEnrollment(db: Db, wanted: NewGrant, manager: Manager): Promise<Grant> {
  const { expiresAt = null } = wanted;
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw BrokenRule("body.expiresAt: must be in the future");
  const item = await findManagedItem(db, wanted.item, manager);
  const email = wanted.email ?? null;
  const now = new Date();
  const grant: Grant = {
    _id: new Types.ObjectId(),
    courseId: null,
    ...item,
    userId: null,
    email,
    state: "waiting",
    reason: wanted.reason,
    expiresAt,
    grantedBy: manager.userId,
    createdAt: now,
    updatedAt: now,
  };
  return insertOnce(db, db.Grant, grant, turnOfSale(grant), async (session) => {
    const userId = await recipientOf(db, session, wanted.userId, email);
    if (userId === undefined) return wait(db, session, { grant, item }, manager);
    return give(db, session, { ...grant, userId, state: "active" }, manager);
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
  const { userId, pathId } = given;
  const terms = (await findPathTerms(db, session, [given])).get(String(pathId));
  if (pathId && !terms) throw PathNotFound();
  const grant = { ...given, ...terms };
  const parts = partsOf(grant);
  const counted = await findCounted(db, session, parts);
  const held = pathId ? await db.PathEnrollment.findOne({ userId, pathId }).session(session).lean() : counted[0];
  if (held && isInForce(held)) throw AlreadyEnrolled();
  await store(db, session, grant, manager);
  await giveAccess(db, session, [grant], parts, counted);
  return grant;
}

async function wait(
  db: Db,
  session: ClientSession,
  { grant, item }: { grant: Grant; item: GrantedItem },
  manager: Manager,
): Promise<Grant> {
  const email = grant.email ?? "";
  if (grant.pathId && !(await keepPath(db, grant.pathId, session))) throw PathNotFound();
  // A user who verifies the address now writes this document too, so one of the two transactions runs again.
  await lockEmails(db, [email], session);
  // An erasure may have put the digest in the place of the address.
  const addresses = [email, digestOf(email)];
  await endOverdueGrants(db, addresses, item, session);
  if (await db.Grant.exists({ email: { $in: addresses }, ...item, state: "waiting" }).session(session))
    throw AlreadyEnrolled();
  await store(db, session, grant, manager);
  return grant;
}

async function store(db: Db, session: ClientSession, grant: Grant, manager: Manager): Promise<void> {
  await db.Grant.create([grant], { session, timestamps: false });
  await recordAudit(db, session, grantAction(manager, grant));
}

/** Describes the action of a new grant. @param origin further fields of the entry. */
export const grantAction = (actor: Actor, grant: Grant, origin: object = {}) => {
  const { _id, userId, email, reason, expiresAt, state } = grant;
  const after = { userId, email, ...auditedItem(grant), reason, expiresAt, state, ...origin };
  return actionBy(actor, "enrollment.grant", ["enrollment", _id], { after });
};
