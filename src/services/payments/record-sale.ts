import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { utcDay } from "../../lib/days.js";
import { addCourseDailySales } from "../../models/courses/course-daily-sales.js";
import { addCourseFigures } from "../../models/courses/course-queries.js";
import { coursesOf, type Purchase, soldId } from "../../models/payments/purchase.js";
import { type AccessSale, completionOf } from "../enrollments/access.js";
import { endPurchase, enroll } from "../enrollments/enrollment.js";
import { holdPath } from "../enrollments/hold-path.js";
import type { NewEvent } from "../events/record-event.js";
import { removeLecturesOf } from "../learners/lecture-counts.js";
import { toMajor, toMinor } from "./price.js";

type Sale = Pick<Purchase, "_id" | "userId" | "courseId" | "pathId" | "amount" | "currency" | "coupon">;

/** @param isSale whether the sales of the day of completion count the purchase: not if it is paid back already. */
export const completedFact = (
  { _id, userId, courseId, pathId, amount, currency, coupon, completedAt }: Sale & Pick<Purchase, "completedAt">,
  isSale: boolean,
): NewEvent => ({
  type: "purchase.completed",
  data: {
    purchaseId: _id,
    userId,
    courseId,
    pathId: pathId ?? null,
    amount,
    currency,
    couponCode: coupon?.code ?? null,
  },
  ...(isSale && { uncountedAt: completedAt ?? new Date() }),
});

/** @param paidBack in minor units. */
export const refundedFact = ({ _id, userId, courseId, pathId, currency }: Sale, paidBack: number): NewEvent => ({
  type: "purchase.refunded",
  data: {
    purchaseId: _id,
    userId,
    courseId,
    pathId: pathId ?? null,
    refundedAmount: toMajor(paidBack, currency),
    currency,
  },
});

/**
 * Adds a completed purchase to the sales of its course or path, or takes a purchase out. The sales of the day of completion
 * count a new one by its event.
 * @param change `students`: the courses whose number of students changes by the same number.
 */
export async function recordSale(
  db: Db,
  session: ClientSession,
  sale: Pick<Purchase, "courseId" | "pathId" | "amount" | "currency" | "completedAt">,
  { sales, students }: { sales: 1 | -1; students: readonly Types.ObjectId[] },
): Promise<void> {
  const { pathId, amount, currency, completedAt } = sale;
  const revenueMinor = sales * toMinor(amount, currency);
  if (sales < 0) {
    const day = utcDay(completedAt ?? new Date());
    await addCourseDailySales(db, [{ courseId: soldId(sale), day, revenueMinor, sales }], session);
  }
  const sold = { revenueMinor, completedPurchases: sales };
  const enrolled = { totalEnrolledStudents: sales };
  if (!pathId) return addCourseFigures(db, soldId(sale), { ...sold, ...(students.length > 0 && enrolled) }, session);
  await db.Path.updateOne({ _id: pathId }, { $inc: sold }, { session, timestamps: false });
  if (students.length === 0) return;
  await db.Course.updateMany({ _id: { $in: [...students] } }, { $inc: enrolled }, { session, timestamps: false });
}

/** What follows for the learner when a purchase begins, or ends, to be completed. */
interface Followed {
  /** The courses that have a student more, or one less. */
  readonly courses: readonly Types.ObjectId[];
  readonly facts: readonly NewEvent[];
  /** Whether other sales of the same course or path may have to be flagged anew. */
  readonly hasOtherSales: boolean;
}

export const nothing: Followed = { courses: [], facts: [], hasOtherSales: false };

/** Enrolls the learner in what a completed purchase gives. */
export async function beginSale(db: Db, session: ClientSession, sale: Purchase): Promise<Followed> {
  const { userId, pathId } = sale;
  let followed = nothing;
  for (const courseId of coursesOf(sale)) {
    const { counted, facts, hasOtherSales } = await enroll(db, session, sale, courseId);
    followed = {
      courses: counted ? followed.courses : [...followed.courses, courseId],
      facts: [...followed.facts, ...facts],
      hasOtherSales: followed.hasOtherSales || hasOtherSales,
    };
  }
  const held = pathId ? await holdPath(db, session, { userId, pathId }) : [];
  return { ...followed, facts: [...followed.facts, ...held] };
}

/** Takes a purchase that is no longer completed out of the learner's enrollments. */
export async function endSale(db: Db, session: ClientSession, sale: Purchase): Promise<Followed> {
  const { userId, pathId, status } = sale;
  let followed = { ...nothing, hasOtherSales: true };
  for (const courseId of coursesOf(sale)) {
    const reason = status === "refunded" ? "refund" : "revoked";
    const { ended, facts } = await endPurchase(db, session, { userId, courseId }, reason);
    const courses = ended ? [...followed.courses, courseId] : followed.courses;
    followed = { ...followed, courses, facts: [...followed.facts, ...facts] };
  }
  const pairs = followed.courses.map((courseId) => ({ userId, courseId }));
  await removeLecturesOf(db, pairs, session);
  const held = pathId ? await holdPath(db, session, { userId, pathId }) : [];
  return { ...followed, facts: [...followed.facts, ...held] };
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
