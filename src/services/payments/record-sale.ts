import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { utcDay } from "../../lib/days.js";
import { addCourseDailySales } from "../../models/courses/course-daily-sales.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { type AccessSale, completionOf } from "../enrollments/access.js";
import type { NewEvent } from "../events/record-event.js";
import { toMajor, toMinor } from "./price.js";

type Sale = Pick<Purchase, "_id" | "userId" | "courseId" | "amount" | "currency" | "coupon">;

/** @param isSale whether the sales of the day of completion count the purchase: not if it is paid back already. */
export const completedFact = (
  { _id, userId, courseId, amount, currency, coupon, completedAt }: Sale & Pick<Purchase, "completedAt">,
  isSale: boolean,
): NewEvent => ({
  type: "purchase.completed",
  data: { purchaseId: _id, userId, courseId, amount, currency, couponCode: coupon?.code ?? null },
  ...(isSale && { uncountedAt: completedAt ?? new Date() }),
});

/** @param paidBack in minor units. */
export const refundedFact = ({ _id, userId, courseId, currency }: Sale, paidBack: number): NewEvent => ({
  type: "purchase.refunded",
  data: { purchaseId: _id, userId, courseId, refundedAmount: toMajor(paidBack, currency), currency },
});

/**
 * Adds a completed purchase to the sales of its course, or takes a purchase out. The sales of the day of completion count a
 * new one by its event.
 * @param change `students`: how the course's number of students changes.
 */
export async function recordSale(
  db: Db,
  session: ClientSession,
  { courseId, amount, currency, completedAt }: Pick<Purchase, "courseId" | "amount" | "currency" | "completedAt">,
  { sales, students }: { sales: 1 | -1; students: number },
): Promise<void> {
  const revenueMinor = sales * toMinor(amount, currency);
  if (sales < 0) {
    const day = utcDay(completedAt ?? new Date());
    await addCourseDailySales(db, [{ courseId, day, revenueMinor, sales }], session);
  }
  const enrolled = students !== 0 && { totalEnrolledStudents: students };
  await addCourseFigures(db, courseId, { revenueMinor, completedPurchases: sales, ...enrolled }, session);
}

type CompletedSale = AccessSale & Pick<Purchase, "_id">;

/**
 * Whether a learner bought a course twice by mistake: an older purchase was still unpaid when this one was opened. Access
 * that is bought again after that is a renewal. @param sales those of one learner and course that hold money.
 */
export const isSecondSale = (sale: CompletedSale, sales: readonly CompletedSale[]): boolean =>
  sales.some((other) => {
    const ageDifference = other.createdAt.getTime() - sale.createdAt.getTime();
    const isOlder = ageDifference < 0 || (ageDifference === 0 && String(other._id) < String(sale._id));
    return isOlder && completionOf(other) >= sale.createdAt;
  });
