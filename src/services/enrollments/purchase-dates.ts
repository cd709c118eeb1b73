import type { QueryFilter, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Enrollment } from "../../models/enrollments/enrollment.js";
import { setPurchaseDates } from "../../models/enrollments/enrollment-queries.js";
import type { Purchase } from "../../models/payments/purchase.js";

import { accessUntil } from "./enrollment.js";

type Bought = Pick<Purchase, "userId" | "courseId" | "createdAt" | "completedAt" | "terms">;
type Undated = Pick<Enrollment, "_id" | "userId" | "courseId" | "enrolledAt" | "updatedAt">;

const coursesAtATime = 100;
const rowsAtATime = 500;

/**
 * Gives every active enrollment of these courses its purchase date that has none, or whose date is of a purchase whose
 * access has ended. A grant and a refund take the date away, in their transactions; so each costs one write here, before
 * the list that is ordered by it is read.
 */
export async function fillPurchaseDates(db: Db, courseIds: readonly Types.ObjectId[]): Promise<void> {
  for (let from = 0; from < courseIds.length; from += coursesAtATime) {
    const active = { courseId: { $in: courseIds.slice(from, from + coursesAtATime) }, active: true };
    await fillWhere(db, { ...active, purchasedAt: null });
    await fillWhere(db, { ...active, purchasedAtUntil: { $lte: new Date() } });
  }
}

async function fillWhere(db: Db, filter: QueryFilter<Enrollment>): Promise<void> {
  let undated: Undated[];
  let dated: number;
  do {
    undated = await db.Enrollment.find(filter, { userId: 1, courseId: 1, enrolledAt: 1, updatedAt: 1 })
      .limit(rowsAtATime)
      .lean<Undated[]>();
    dated = undated.length > 0 ? await giveDates(db, undated) : 0;
    // Rows that change at this moment are left to the next call.
  } while (undated.length === rowsAtATime && dated > 0);
}

/** @returns how many have a date now; those that have changed meanwhile have none. */
async function giveDates(db: Db, enrollments: readonly Undated[]): Promise<number> {
  const purchases = await db.Purchase.find(
    {
      courseId: { $in: unique(enrollments.map(({ courseId }) => courseId)) },
      userId: { $in: [...new Set(enrollments.map(({ userId }) => userId))] },
      status: "completed",
    },
    { userId: 1, courseId: 1, createdAt: 1, completedAt: 1, terms: 1, _id: 0 },
  ).lean<Bought[]>();
  const now = new Date();
  const bought = new Map<string, { createdAt: Date; until: Date | null }>();
  for (const purchase of purchases) {
    const { userId, courseId, createdAt } = purchase;
    const until = accessUntil(purchase);
    if (until && until <= now) continue;
    const key = `${courseId}:${userId}`;
    const known = bought.get(key);
    if (!known || createdAt < known.createdAt) bought.set(key, { createdAt, until });
  }
  const dated = enrollments.map(({ _id, userId, courseId, enrolledAt, updatedAt }) => {
    const { createdAt, until } = bought.get(`${courseId}:${userId}`) ?? { createdAt: enrolledAt, until: null };
    return { _id, updatedAt, purchasedAt: createdAt, purchasedAtUntil: until };
  });
  return setPurchaseDates(db, dated);
}

const unique = (ids: readonly Types.ObjectId[]): Types.ObjectId[] => [
  ...new Map(ids.map((id) => [String(id), id])).values(),
];
