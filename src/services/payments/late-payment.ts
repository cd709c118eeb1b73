import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { findOfferedCourse } from "../../models/courses/course-queries.js";
import { type Purchase, unfinishedStates } from "../../models/payments/purchase.js";
import { priceWithCoupon } from "../coupons/coupon-price.js";
import { canRedeem } from "../coupons/coupon-use.js";
import { toMinor } from "./price.js";
import { priceOf } from "./purchase-offer.js";
import { purchaseLifeMs } from "./reconcile/check-schedule.js";

/**
 * When a payment was made. A time before its purchase was opened, or in the future, is not believed: then it is now.
 * @param reported the provider's time; undefined when it was not reported.
 */
export function paymentTime({ createdAt }: Pick<Purchase, "createdAt">, reported: Date | undefined): Date {
  const now = new Date();
  return reported && reported >= createdAt && reported <= now ? reported : now;
}

/** Whether a payment was made while the purchase could be paid at its price, whatever has become of the purchase. */
export const isInTime = ({ createdAt }: Pick<Purchase, "createdAt">, paidAt: Date): boolean =>
  paidAt.getTime() - createdAt.getTime() <= purchaseLifeMs;

/**
 * Whether a payment that was made at this time comes too late to complete an unpaid purchase. A failed or expired purchase
 * is still completed in these cases:
 *
 *   1. The payment was made within a day, and the price changed meanwhile: the learner did nothing to get a better one.
 *   2. The payment was made within a day, the purchase failed for another reason than a choice of the learner, and its
 *      coupon can still be redeemed.
 *   3. The amount is at least what the course costs today: without a coupon, or with the same one if it can be redeemed.
 */
export async function isTooLate(db: Db, session: ClientSession, purchase: Purchase, paidAt: Date): Promise<boolean> {
  const { status, failedBecause, isErased, courseId, amount, currency, coupon } = purchase;
  if (isErased) return true;
  const inTime = isInTime(purchase, paidAt);
  if (inTime && unfinishedStates.includes(status)) return false;
  // 1.
  if (inTime && failedBecause === "price") return false;
  // 2.
  const redeemable = await canRedeem(db, session, purchase);
  if (inTime && failedBecause !== "learner" && redeemable) return false;
  // 3.
  const course = await findOfferedCourse(db, courseId, session);
  if (!course) return true;
  const [paidMinor, priceMinor] = [toMinor(amount, currency), priceOf({ course, currency })];
  const priceToday = coupon && redeemable ? priceWithCoupon(coupon, priceMinor, currency).amountMinor : priceMinor;
  return paidMinor < priceToday;
}
