import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../lib/fields.js";
import { findOfferedCourse, type Offer } from "../../models/courses/course-queries.js";
import type { FailureCause, Purchase, PurchaseCoupon, PurchaseTerms } from "../../models/payments/purchase.js";
import type { User } from "../../models/users/user.js";
import { priceWithCoupon } from "../coupons/coupon-price.js";
import { CourseNotFound } from "../courses/failures.js";
import { payableMinor, toMinor } from "./price.js";
import { purchaseLifeMs } from "./reconcile/check-schedule.js";

/** What a request wants to buy. */
export interface WantedPurchase {
  readonly buyer: Pick<User, "_id" | "name" | "email">;
  readonly course: Offer;
  /** ISO 4217. */
  readonly currency: string;
  /** As it is stored; undefined when none was given, or the course is free. */
  readonly couponCode: string | undefined;
  /** Names the request among those that open the same purchase. */
  readonly holder: string;
  /** The unfinished purchase that was there before the course was read. */
  readonly seen: Types.ObjectId | undefined;
}

/** The course as it is on sale now, a draft to its educator alone. @throws CourseNotFound. */
export async function findOffer(db: Db, courseId: string, userId: string): Promise<Offer> {
  const course = isObjectId(courseId) ? await findOfferedCourse(db, new Types.ObjectId(courseId)) : null;
  return requireOnSale(course, userId);
}

/** @throws CourseNotFound unless the course is on sale for the user. */
export function requireOnSale(course: Offer | null | undefined, userId: string): Offer {
  if (!course || (!course.isPublished && course.educatorId !== userId)) throw CourseNotFound();
  return course;
}

/** Minor units, before any coupon. */
export const priceOf = ({ course, currency }: Pick<WantedPurchase, "course" | "currency">): number =>
  payableMinor(course.coursePrice, course.discount, currency);

export const termsOf = ({ courseTitle, coursePrice, discount, accessDays }: Offer): PurchaseTerms => ({
  ...{ courseTitle, coursePrice, discount },
  accessDays: accessDays ?? null,
});

/** Whether an unfinished purchase is what the request asks for: unexpired, not under review, at this price and coupon. */
export const matchesRequest = (open: Purchase, wanted: WantedPurchase): boolean =>
  mismatchOf(open, wanted) === undefined;

/**
 * Why an unfinished purchase is closed for the request; undefined when it is not. It is closed only by a price that was
 * read after the purchase was seen.
 */
export const causeToClose = (open: Purchase, wanted: WantedPurchase): FailureCause | undefined =>
  wanted.seen?.equals(open._id) === true ? mismatchOf(open, wanted) : undefined;

/** How an unfinished purchase differs from what the request asks for, as the cause that it would fail for. */
function mismatchOf(open: Purchase, wanted: WantedPurchase): FailureCause | undefined {
  if (Date.now() - open.createdAt.getTime() > purchaseLifeMs) return "expired";
  if (open.reviewReason !== null) return "review";
  if (open.coupon?.code !== wanted.couponCode) return "learner";
  const isSamePrice =
    open.currency === wanted.currency && toMinor(open.amount, open.currency) === amountMinorOf(wanted, open.coupon);
  return isSamePrice ? undefined : "price";
}

function amountMinorOf(wanted: WantedPurchase, coupon: PurchaseCoupon | undefined): number {
  const price = priceOf(wanted);
  return coupon ? priceWithCoupon(coupon, price, wanted.currency).amountMinor : price;
}
