import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { findCourseForSale } from "../../models/courses/course-queries.js";
import type { Payment } from "../../models/payments/payment.js";
import { type Purchase, type ReviewFlag, type ReviewReason, unfinishedStates } from "../../models/payments/purchase.js";
import { isHeldByAnother } from "../../models/payments/purchase-queries.js";
import { canRedeem } from "../coupons/coupon-use.js";
import type { ProvenPayment } from "./fulfill-purchase.js";
import { priceBreakdown, toMinor } from "./price.js";
import { canMove } from "./purchase-states.js";
import { purchaseLifeMs } from "./reconcile/check-schedule.js";
import { withheldReasons } from "./review-flags.js";

/** Returns why a payment does not complete a purchase; undefined when it does, or has done so. */
export async function reasonAgainst(
  db: Db,
  session: ClientSession,
  purchase: Purchase,
  payment: ProvenPayment,
  known: Payment | null,
): Promise<ReviewReason | undefined> {
  const { paymentId, orderId, amount, currency } = payment;
  const isUnpaid = canMove("complete", purchase.status);
  if (!isUnpaid && purchase.providerPaymentId !== paymentId && !mayTakeOver(purchase, payment, known)) {
    return "duplicate_charge";
  }
  // Another signature proves no more than the first signature, whose payment was not captured.
  if (purchase.failedBecause === "not_captured" && payment.proof === "signature") return "not_captured";
  if (amount !== undefined && !isEnough(purchase, amount)) return "amount_mismatch";
  if (currency !== undefined && currency !== purchase.currency) return "currency_mismatch";
  // The order of this payment was compared when it completed the purchase.
  if (!isUnpaid && purchase.providerPaymentId === paymentId) return undefined;
  if (orderId !== undefined && purchase.providerOrderId && orderId !== purchase.providerOrderId)
    return "order_mismatch";
  const { _id } = purchase;
  if (known && (await isHeldByAnother(db, _id, { providerPaymentId: paymentId }, session))) return "duplicate_charge";
  if (orderId !== undefined && !purchase.providerOrderId) {
    if (await isHeldByAnother(db, _id, { providerOrderId: orderId }, session)) return "order_mismatch";
  }
  const earlier = reasonWithheld(purchase, payment, known);
  if (earlier || !isUnpaid) return earlier;
  return (await isTooLate(db, session, purchase, paymentTime(purchase, payment.paidAt))) ? "late_payment" : undefined;
}

/** Whether an amount in minor units is at least the price. Customers who bear the provider's fee pay more. */
const isEnough = ({ amount, currency }: Purchase, paid: unknown): paid is number =>
  Number.isSafeInteger(paid) && Number(paid) >= toMinor(amount, currency);

/** Whether a payment that fits a purchase brought in more than its price. */
export const isOverpaid = ({ amount, currency }: Purchase, paid: unknown): boolean =>
  typeof paid === "number" && paid > toMinor(amount, currency);

/** Whether a captured payment may take the place of the refunded one that completed the purchase. */
function mayTakeOver(purchase: Purchase, { proof, amount: paid }: ProvenPayment, known: Payment | null): boolean {
  const { status, amount, currency, isErased } = purchase;
  const isLeft = (known?.refundedMinor ?? 0) < (typeof paid === "number" ? paid : toMinor(amount, currency));
  return status === "refunded" && !isErased && proof === "capture" && isLeft;
}

/**
 * Returns why an earlier report of the payment was withheld, by the flags of the purchase, open or settled. There are two
 * exceptions. The provider's own answer to a question is compared anew, because it holds amount and order. The first
 * capture is not bound by a late signature, because a signature does not say when the payment was made.
 */
function reasonWithheld(
  { reviews = [] }: Purchase,
  { paymentId, proof, eventKey }: ProvenPayment,
  known: Payment | null,
): ReviewReason | undefined {
  const isAnswer = proof === "capture" && eventKey === null;
  const isFirstCapture = proof === "capture" && !known?.captured;
  const isInForce = ({ subject, reason }: ReviewFlag) =>
    subject === paymentId &&
    (reason === "late_payment" ? !isFirstCapture : !isAnswer && withheldReasons.includes(reason));
  return reviews.find(isInForce)?.reason;
}

/**
 * Returns when a payment was made. A reported time before the purchase was opened, or in the future, counts as now.
 * @param reported the provider's time; undefined when it was not reported.
 */
function paymentTime({ createdAt }: Pick<Purchase, "createdAt">, reported: Date | undefined): Date {
  const now = new Date();
  return reported && reported >= createdAt && reported <= now ? reported : now;
}

/** Whether a payment was made within the life of its purchase, whatever has become of the purchase. */
export const isInTime = ({ createdAt }: Pick<Purchase, "createdAt">, paidAt: Date): boolean =>
  paidAt.getTime() - createdAt.getTime() <= purchaseLifeMs;

/**
 * Whether a payment comes too late to complete an unpaid purchase. A failed or expired purchase is still completed in these
 * cases:
 *
 *   1. The payment was made within a day, and the price changed meanwhile, so that the learner did nothing to pay less.
 *   2. The payment was made within a day, the purchase failed for another reason than a choice of the learner, and its
 *      coupon can still be redeemed.
 *   3. The amount is at least what the course costs today: without a coupon, or with the same one if it can be redeemed.
 */
async function isTooLate(db: Db, session: ClientSession, purchase: Purchase, paidAt: Date): Promise<boolean> {
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
  const course = await findCourseForSale(db, courseId, session);
  if (!course) return true;
  const today = priceBreakdown(course, currency, redeemable ? coupon : undefined);
  return toMinor(amount, currency) < today.totalMinor;
}
