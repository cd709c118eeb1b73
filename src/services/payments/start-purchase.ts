import { type ClientSession, Types } from "mongoose";
import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import { type CourseForSale, findCourseForSale } from "../../models/courses/course-queries.js";
import { addRedemptions, reserveCoupon } from "../../models/payments/coupon.js";
import {
  couponUseOf,
  type FailureCause,
  freeSlot,
  type PriceBreakdown,
  type Purchase,
  type PurchaseCoupon,
  unfinishedSlot,
} from "../../models/payments/purchase.js";
import { findPurchase, insertPurchase } from "../../models/payments/purchase-queries.js";
import type { Buyer } from "../../models/users/user.js";
import { CouponNotValid } from "../coupons/coupon-use.js";
import { accessUntil, enroll } from "../enrollments/enrollment.js";
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
  /** The unfinished purchase that was read before the course was read. */
  readonly seen: Types.ObjectId | undefined;
}

/** Reads a course that the user can buy now. @throws CourseNotFound. */
export async function findCourseOnSale(db: Db, courseId: string, userId: string): Promise<CourseForSale> {
  const course = isObjectId(courseId) ? await findCourseForSale(db, new Types.ObjectId(courseId)) : null;
  return requireOnSale(course, userId);
}

/** @throws CourseNotFound unless the course is published or the user is its educator. */
export function requireOnSale(course: CourseForSale | null | undefined, userId: string): CourseForSale {
  if (!course || (!course.isPublished && course.educatorId !== userId)) throw CourseNotFound();
  return course;
}

/** Whether the price is nothing, before any coupon. */
export const isFree = (course: CourseForSale, currency: string): boolean =>
  priceBreakdown(course, currency).totalMinor === 0;

/**
 * Returns why an unfinished purchase has to be closed for the request; undefined when it stays open. Only a price that was
 * read after the purchase can close it, because an older price may itself be stale.
 */
export const causeToClose = (open: Purchase, request: PurchaseRequest): FailureCause | undefined =>
  request.seen?.equals(open._id) ? mismatchOf(open, request) : undefined;

/** Returns why an unfinished purchase does not match the request; undefined when it does. */
export function mismatchOf(open: Purchase, request: PurchaseRequest): FailureCause | undefined {
  const { couponCode, course, currency } = request;
  if (Date.now() - open.createdAt.getTime() > purchaseLifeMs) return "expired";
  if (open.reviewReason !== null) return "review";
  if (open.coupon?.code !== couponCode) return "learner";
  const { totalMinor } = priceBreakdown(course, currency, open.coupon);
  const isSamePrice = open.currency === currency && toMinor(open.amount, open.currency) === totalMinor;
  return isSamePrice ? undefined : "price";
}

/** A free course is the learner's at once: one purchase, however often it is requested, until its access ends. */
export function startFree(db: Db, request: PurchaseRequest): Promise<Purchase> {
  const { buyer, course, currency } = request;
  return db.transaction(
    async (session) => {
      const known = await findPurchase(db, { slot: freeSlot(buyer._id, course._id) }, session);
      if (known && !(await endedAndReleased(db, session, known))) return known;
      return insertFree(db, session, request, priceBreakdown(course, currency));
    },
    { mutex: `course:${course._id}` },
  );
}

/**
 * Stores a purchase without a coupon. The request then holds the lock of its order.
 * @returns undefined when the learner has an unfinished purchase of the course.
 */
export function startPaid(db: Db, request: PurchaseRequest): Promise<Purchase | undefined> {
  const price = priceBreakdown(request.course, request.currency);
  return insertPurchase(db, unpaidPurchase(request, price)).catch((error: unknown) => {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  });
}

/**
 * Returns the learner's unfinished purchase with the coupon, or stores a new one, in one transaction:
 *
 *   1. A completed purchase of the course whose access has not ended is refused.
 *   2. An unfinished purchase of the course that matches the request is returned.
 *   3. Another unfinished purchase fails. Redemptions of this coupon that failed purchases of the course still hold are
 *      released for the new one.
 *   4. A redemption is reserved. Every reservation writes the coupon, so that two of one learner conflict.
 *   5. The purchase is stored. A purchase that costs nothing is completed, and the learner is enrolled.
 * @throws CourseAlreadyPurchased, CouponNotValid; then nothing has changed.
 */
export function startWithCoupon(deps: SaleDeps, request: PurchaseRequest, code: string): Promise<Purchase> {
  const { db } = deps;
  const { buyer, course, currency } = request;
  const couponUse = couponUseOf(buyer._id, code);
  const slots = { unfinished: unfinishedSlot(buyer._id, course._id), free: freeSlot(buyer._id, course._id) };
  return db.transaction(
    async (session) => {
      const completed = { userId: buyer._id, courseId: course._id, status: "completed" as const };
      const known = await db.Purchase.find({
        $or: [{ slot: { $in: Object.values(slots) } }, { couponUse }, completed],
      })
        .session(session)
        .lean<Purchase[]>();
      // 1.
      const ofCourse = known.filter(({ courseId }) => courseId.equals(course._id));
      if (ofCourse.some((purchase) => purchase.status === "completed" && !hasEnded(purchase)))
        throw CourseAlreadyPurchased();
      const free = known.find(({ slot }) => slot === slots.free);
      if (free && !(await endedAndReleased(db, session, free))) return free;
      // 2.
      const open = known.find(({ slot }) => slot === slots.unfinished);
      const cause = open && causeToClose(open, request);
      if (open && !cause) return open;
      // 3.
      const replaced = ofCourse.filter((purchase) => purchase === open || purchase.status === "failed");
      for (const { _id, couponUse: use } of replaced) {
        const close = (purchase: Purchase) => (cause ? closed(purchase, cause) : purchase);
        const replace = (purchase: Purchase) => (use === couponUse ? withoutCoupon(close(purchase)) : close(purchase));
        await settle(deps, session, _id, purchaseFact(replace));
      }
      // 4.
      const coupon = await reserveCoupon(db, code, course._id, session);
      const uses = known.filter((each) => !replaced.includes(each) && each.couponUse === couponUse).length;
      if (!coupon || uses >= coupon.maxPerUser) throw CouponNotValid();
      const price = priceBreakdown(course, currency, coupon);
      const { _id: couponId, kind, value } = coupon;
      const applied = { coupon: { couponId, code, kind, value }, couponUse };
      // 5.
      if (price.totalMinor > 0) return insertPurchase(db, { ...unpaidPurchase(request, price), ...applied }, session);
      await addRedemptions(db, couponId, { reserved: -1, redeemed: 1 }, session);
      return insertFree(db, session, request, price, applied);
    },
    { mutex: `coupon:${code}` },
  );
}

/** Whether the access of a completed purchase is over. */
function hasEnded(purchase: Purchase): boolean {
  const until = accessUntil(purchase);
  return until !== null && until.getTime() <= Date.now();
}

/** Releases the slot of a free purchase whose access has ended, so that another can be made. @returns whether it did. */
async function endedAndReleased(db: Db, session: ClientSession, free: Purchase): Promise<boolean> {
  if (!hasEnded(free)) return false;
  await db.Purchase.updateOne({ _id: free._id }, { $unset: { slot: 1 } }, { session });
  return true;
}

async function insertFree(
  db: Db,
  session: ClientSession,
  request: PurchaseRequest,
  price: PriceBreakdown,
  applied: { coupon?: PurchaseCoupon; couponUse?: string } = {},
): Promise<Purchase> {
  const slot = freeSlot(request.buyer._id, request.course._id);
  const completed = { status: "completed" as const, completedAt: new Date(), slot };
  const purchase = await insertPurchase(db, { ...newPurchase(request, price), ...applied, ...completed }, session);
  const { counted, facts } = await enroll(db, session, purchase);
  await recordEvents(db, session, [completedFact(purchase), ...facts]);
  await recordSale(db, session, purchase, { sales: 1, students: counted ? 0 : 1 });
  return purchase;
}

function unpaidPurchase(request: PurchaseRequest, price: PriceBreakdown) {
  const { buyer, course, holder } = request;
  const now = Date.now();
  return {
    ...newPurchase(request, price),
    status: "created" as const,
    buyer: { name: buyer.name, email: buyer.email },
    slot: unfinishedSlot(buyer._id, course._id),
    orderLock: { holder, until: new Date(now + lockMs) },
    nextCheckAt: new Date(now + firstCheckMs),
  };
}

function newPurchase({ buyer, course, currency }: PurchaseRequest, price: PriceBreakdown) {
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
