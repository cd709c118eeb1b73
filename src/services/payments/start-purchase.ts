import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { MutexKey } from "../../db/transaction.js";
import { failure } from "../../lib/errors.js";
import { type CourseForSale, findCourseForSale } from "../../models/courses/course-queries.js";
import { addRedemptions, type Coupon, reserveCoupon } from "../../models/payments/coupon.js";
import { couponUseOf, type FailureCause, type Purchase, unfinishedSlot } from "../../models/payments/purchase.js";
import { insertPurchase } from "../../models/payments/purchase-queries.js";
import type { Buyer } from "../../models/users/user.js";
import { CouponNotValid } from "../coupons/coupon-use.js";
import { boughtAccess, completionOf, isRenewable } from "../enrollments/access.js";
import { enroll } from "../enrollments/enrollment.js";
import { recordEvents } from "../events/record-event.js";
import { CourseNotFound } from "../failures.js";
import { closed, purchaseLifeMs, withoutCoupon } from "./facts.js";
import { lockMs } from "./place-order.js";
import { priceBreakdown, toMajor, toMinor } from "./price.js";
import { firstCheckMs } from "./reconcile/check-schedule.js";
import { completedFact, recordSale } from "./record-sale.js";
import { purchaseFact, type SaleDeps, settle } from "./settle-purchase.js";

export const CourseAlreadyPurchased = failure("course_already_purchased", 409, "Course already purchased");

/** What a learner asks to buy. */
export interface PurchaseRequest {
  readonly buyer: Buyer;
  readonly course: CourseForSale;
  /** ISO 4217. */
  readonly currency: string;
  /** As it is stored; undefined when no coupon was given, or the course is free. */
  readonly couponCode: string | undefined;
  /** Identifies this request among concurrent requests for the same purchase. */
  readonly holder: string;
  /** When it came. */
  readonly at: Date;
}

/** @throws CourseNotFound unless the course is published or the user is its educator. */
export function requireOnSale(course: CourseForSale | undefined, userId: string): CourseForSale {
  if (!course || (!course.isPublished && course.educatorId !== userId)) throw CourseNotFound();
  return course;
}

/** Whether the price is nothing, before any coupon. */
export const isFree = (offer: Pick<PurchaseRequest, "buyer" | "course" | "currency">): boolean =>
  priceBreakdown(offer).totalMinor === 0;

/**
 * Returns the learner's unfinished purchase of a course, or stores a new one, in one transaction:
 *
 *   1. What was bought already is refused, unless it ends within 30 days. A purchase for nothing that another request has
 *      completed since this one came is the answer to both.
 *   2. An unfinished purchase of the course that matches the request is returned.
 *   3. Another unfinished purchase fails. Redemptions of this coupon that failed purchases of the course still hold are
 *      released for the new one.
 *   4. A redemption is reserved. Every reservation writes the coupon, so that two of one learner conflict.
 *   5. The purchase is stored. A purchase that costs nothing is completed, and the learner is enrolled.
 * @throws CourseAlreadyPurchased, CouponNotValid; then nothing has changed.
 */
export function startPurchase(deps: SaleDeps, request: PurchaseRequest): Promise<Purchase> {
  return deps.db.transaction((session) => start(deps, session, request), { mutex: mutexOf(request) });
}

/** What the transaction shares with those of other learners, or of the same one. */
function mutexOf(request: PurchaseRequest): MutexKey {
  const { buyer, course, couponCode } = request;
  if (couponCode !== undefined) return `coupon:${couponCode}`;
  return isFree(request) ? `course:${course._id}` : `checkout:${course._id}:${buyer._id}`;
}

async function start(deps: SaleDeps, session: ClientSession, request: PurchaseRequest): Promise<Purchase> {
  const { db } = deps;
  const { buyer, course, couponCode, at } = request;
  const [userId, courseId] = [buyer._id, course._id];
  const slot = unfinishedSlot(userId, courseId);
  const couponUse = couponCode === undefined ? undefined : couponUseOf(userId, couponCode);
  const wanted = [{ slot }, { courseId, status: "completed" as const }, ...(couponUse ? [{ couponUse }] : [])];
  const known = await db.Purchase.find({ userId, $or: wanted }).session(session).lean<Purchase[]>();
  // 1.
  const ofCourse = known.filter((one) => one.courseId.equals(courseId));
  const sales = ofCourse.filter(({ status }) => status === "completed");
  const twin = sales.find((sale) => sale.amount === 0 && completionOf(sale) >= at);
  if (twin && twin.coupon?.code === couponCode) return twin;
  const [bought, now] = [boughtAccess(sales), new Date()];
  if (bought && !isRenewable(bought, now)) throw CourseAlreadyPurchased();
  // 2.
  const open = ofCourse.find((one) => one.slot === slot);
  const cause = open && (await causeToClose(db, session, open, request));
  if (open && !cause) return open;
  // 3.
  const replaced = ofCourse.filter((one) => one === open || one.status === "failed");
  const replace = purchaseFact((one) => {
    const replacedOne = closed(one, cause ?? "learner");
    return one.couponUse === couponUse ? withoutCoupon(replacedOne) : replacedOne;
  });
  for (const { _id } of replaced) await settle(deps, session, _id, replace);
  // 4.
  const coupon = couponCode === undefined ? undefined : await reserveCoupon(db, couponCode, { courseId }, session);
  const uses = known.filter((one) => !replaced.includes(one) && one.couponUse === couponUse).length;
  if (couponUse && (!coupon || uses >= coupon.maxPerUser)) throw CouponNotValid();
  // 5.
  const price = priceBreakdown({ ...request, coupon });
  const fields = { ...newPurchase(request, price), ...(coupon && couponUse && { coupon: termsOf(coupon), couponUse }) };
  if (price.totalMinor > 0) return insertPurchase(db, { ...fields, ...unpaid(request, slot) }, session);
  // What costs nothing is prolonged once ahead, however often it is asked for.
  if (bought && bought.since > now) throw CourseAlreadyPurchased();
  if (coupon) await addRedemptions(db, coupon._id, { reserved: -1, redeemed: 1 }, session);
  const purchase = await insertPurchase(db, { ...fields, status: "completed", completedAt: now }, session);
  const { counted, facts } = await enroll(db, session, purchase);
  await recordEvents(db, session, [completedFact(purchase, true), ...facts]);
  await recordSale(db, session, purchase, { sales: 1, students: counted ? 0 : 1 });
  return purchase;
}

/** Returns why an unfinished purchase has to be closed for the request; undefined when it stays open. */
async function causeToClose(
  db: Db,
  session: ClientSession,
  open: Purchase,
  request: PurchaseRequest,
): Promise<FailureCause | undefined> {
  const { createdAt, reviewReason, coupon } = open;
  if (Date.now() - createdAt.getTime() > purchaseLifeMs) return "expired";
  if (reviewReason !== null) return "review";
  if (coupon?.code !== request.couponCode) return "learner";
  if (isSamePrice(open, request)) return undefined;
  // The request may have read its price before another one opened this purchase at a newer price.
  const course = await findCourseForSale(db, request.course._id, session);
  return course && isSamePrice(open, { ...request, course }) ? undefined : "price";
}

function isSamePrice({ amount, currency, coupon }: Purchase, request: PurchaseRequest): boolean {
  const { totalMinor } = priceBreakdown({ ...request, coupon });
  return currency === request.currency && toMinor(amount, currency) === totalMinor;
}

const termsOf = ({ _id: couponId, code, kind, value }: Coupon) => ({ couponId, code, kind, value });

/** The caller that stores an unpaid purchase holds the lock of its order. */
function unpaid({ buyer: { name, email }, holder }: PurchaseRequest, slot: string) {
  const now = Date.now();
  return {
    status: "created" as const,
    buyer: { name, email },
    slot,
    orderLock: { holder, until: new Date(now + lockMs) },
    nextCheckAt: new Date(now + firstCheckMs),
  };
}

function newPurchase({ buyer, course, currency }: PurchaseRequest, price: Purchase["price"]) {
  const { courseTitle, coursePrice, discount, accessDays = null } = course;
  return {
    userId: buyer._id,
    courseId: course._id,
    amount: toMajor(price.totalMinor, currency),
    currency,
    price,
    terms: { courseTitle, coursePrice, discount, accessDays },
  };
}
