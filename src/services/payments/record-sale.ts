import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { utcDay } from "../../lib/days.js";
import { addCourseDailySales } from "../../models/courses/course-daily-sales.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { accessUntil } from "../enrollments/enrollment.js";
import type { NewEvent } from "../events/record-event.js";
import { toMajor, toMinor } from "./price.js";

type Sale = Pick<Purchase, "_id" | "userId" | "courseId" | "amount" | "currency" | "coupon">;

export const completedFact = ({ _id, userId, courseId, amount, currency, coupon }: Sale): NewEvent => ({
  type: "purchase.completed",
  data: { purchaseId: _id, userId, courseId, amount, currency, couponCode: coupon?.code ?? null },
});

/** @param paidBack in minor units. */
export const refundedFact = ({ _id, userId, courseId, currency }: Sale, paidBack: number): NewEvent => ({
  type: "purchase.refunded",
  data: { purchaseId: _id, userId, courseId, refundedAmount: toMajor(paidBack, currency), currency },
});

/**
 * Adds a completed purchase to the sales of its course and of the day of completion, or takes a purchase out.
 * @param change `students`: how the course's number of students changes.
 */
export async function recordSale(
  db: Db,
  session: ClientSession,
  { courseId, amount, currency, completedAt }: Pick<Purchase, "courseId" | "amount" | "currency" | "completedAt">,
  { sales, students }: { sales: 1 | -1; students: number },
): Promise<void> {
  const revenueMinor = sales * toMinor(amount, currency);
  const day = utcDay(completedAt ?? new Date());
  await addCourseDailySales(db, { courseId, day, revenueMinor, sales }, session);
  const enrolled = students !== 0 && { totalEnrolledStudents: students };
  await addCourseFigures(db, courseId, { revenueMinor, completedPurchases: sales, ...enrolled }, session);
}

type CompletedSale = Pick<Purchase, "_id" | "createdAt" | "completedAt" | "terms">;

/**
 * Whether the learner paid for access that another sale of the course gives as well. Of two such sales, the one that was
 * opened later is the second. @param sales those of one learner and course that hold money.
 */
export const isSecondSale = (sale: CompletedSale, sales: readonly CompletedSale[]): boolean =>
  sales.some((other) => {
    const until = accessUntil(other);
    const ageDifference = other.createdAt.getTime() - sale.createdAt.getTime();
    const isOlder = ageDifference < 0 || (ageDifference === 0 && String(other._id) < String(sale._id));
    return isOlder && (until === null || until > sale.createdAt);
  });
