import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { type Enrollment, type EnrollmentKind, isAhead, isBoughtInForce } from "../../models/enrollments/enrollment.js";
import {
  addGrant,
  addPurchase,
  findActiveEnrollment,
  removePurchase,
  storeRecount,
} from "../../models/enrollments/enrollment-queries.js";
import type { Grant } from "../../models/enrollments/grant.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { countLecturesOf } from "../learners/lecture-counts.js";

type Pair = Pick<Enrollment, "userId" | "courseId">;
type Bought = Pick<Purchase, "userId" | "courseId" | "amount" | "completedAt" | "terms" | "createdAt">;

const dayMs = 24 * 60 * 60_000;

/** Returns when the access of a completed purchase ends, by the terms it was opened on; null: never. */
export function accessUntil({ completedAt, terms }: Pick<Purchase, "completedAt" | "terms">): Date | null {
  const days = terms.accessDays;
  return days === null ? null : new Date((completedAt ?? new Date()).getTime() + days * dayMs);
}

const kindOf = ({ amount }: Pick<Purchase, "amount">): EnrollmentKind => (amount > 0 ? "purchase" : "free");

/** An enrollment before it was changed. */
export interface EnrollmentBefore {
  /** Whether it was counted in the course's students. */
  readonly counted: boolean;
  /** Whether a purchase, paid or free, gave the learner access. */
  readonly bought: boolean;
}

/** Adds a completed purchase to the learner's enrollment in its course. Creates, reactivates or extends the enrollment. */
export async function enroll(db: Db, session: ClientSession, purchase: Bought): Promise<EnrollmentBefore> {
  const { userId, courseId, createdAt: purchasedAt } = purchase;
  const access = { kind: kindOf(purchase), until: accessUntil(purchase), purchasedAt };
  const before = await addPurchase(db, { userId, courseId }, access, session);
  await countAgain(db, before, session);
  return { counted: before?.active ?? false, bought: before !== null && isBoughtInForce(before) };
}

/** Adds a grant to the learner's enrollment. @returns whether the course's students counted the enrollment before. */
export async function enrollByGrant(
  db: Db,
  session: ClientSession,
  pair: Pair,
  until: Grant["expiresAt"],
): Promise<boolean> {
  const before = await addGrant(db, pair, until, session);
  await countAgain(db, before, session);
  return before?.active ?? false;
}

/** Counts the completed lectures of a learner who comes back. A new enrollment has none. */
async function countAgain(db: Db, before: Enrollment | null, session: ClientSession): Promise<void> {
  if (before && !before.active) await countLecturesOf(db, [before], 1, session);
}

/**
 * Takes a purchase that is no longer completed out of the learner's enrollment in its course. The enrollment ends with the
 * last purchase or grant that gives access.
 * @returns whether this call ended it.
 */
export async function endPurchase(db: Db, session: ClientSession, { userId, courseId }: Pair): Promise<boolean> {
  const before = await removePurchase(db, { userId, courseId }, session);
  if (!before?.active) return false;
  if (before.purchases <= 1 && before.grants === 0) {
    await countLecturesOf(db, [before], -1, session);
    return true;
  }
  return recountEnrollment(db, session, { userId, courseId });
}

/**
 * Recounts the completed purchases and active grants of an enrollment, after a purchase or a grant has gone.
 * @returns whether this call ended it.
 */
export async function recountEnrollment(db: Db, session: ClientSession, pair: Pair): Promise<boolean> {
  const { userId, courseId } = pair;
  const purchases = await db.Purchase.find(
    { userId, courseId, status: "completed" },
    { amount: 1, completedAt: 1, terms: 1, createdAt: 1 },
  )
    .session(session)
    .sort({ createdAt: 1 })
    .lean<Bought[]>();
  const grants = await db.Grant.find({ userId, courseId, state: "active" }, { expiresAt: 1 })
    .session(session)
    .lean<Pick<Grant, "expiresAt">[]>();
  const bought = purchases.map((purchase) => ({
    kind: kindOf(purchase),
    until: accessUntil(purchase),
    createdAt: purchase.createdAt,
  }));
  const boughtNow = bought.filter(({ until }) => isAhead(until));
  const ends = [
    ...boughtNow.map(({ until }) => until),
    ...grants.map(({ expiresAt }) => expiresAt).filter((end) => isAhead(end)),
  ];
  const [paid] = boughtNow.toSorted((a, b) => (a.kind === "purchase" ? -1 : 0) - (b.kind === "purchase" ? -1 : 0));
  const active = ends.length > 0;
  const before = await storeRecount(
    db,
    pair,
    {
      active,
      purchases: purchases.length,
      grants: grants.length,
      expiresAt: latest(ends),
      boughtUntil: latest(bought.map(({ until }) => until)),
      purchasedAt: boughtNow[0]?.createdAt,
      kind: paid?.kind ?? (grants.length > 0 ? "grant" : undefined),
    },
    session,
  );
  if (active || !before?.active) return false;
  await countLecturesOf(db, [before], -1, session);
  return true;
}

/** Returns the latest end; null, which means never, is later than any date. */
function latest(ends: readonly (Date | null)[]): Date | null {
  if (ends.length === 0 || ends.includes(null)) return null;
  return new Date(Math.max(...ends.map((end) => end?.getTime() ?? 0)));
}

/** Whether a learner is enrolled in a course now. It is read anew each time: purchases, refunds and expiries count at once. */
export async function isEnrolled(db: Db, userId: string, courseId: string | Types.ObjectId): Promise<boolean> {
  return (await findActiveEnrollment(db, { userId, courseId: new Types.ObjectId(courseId) })) !== undefined;
}
