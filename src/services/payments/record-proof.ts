import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Payment, Verdict } from "../../models/payments/payment.js";
import type { Purchase, ReviewReason } from "../../models/payments/purchase.js";
import { isHeldByAnother } from "../../models/payments/purchase-queries.js";
import { canRedeem } from "../coupons/coupon-use.js";
import { askedNow, flagged, isInTime, isPaid, isUnfinished, type Proof, withProof, wrongMoney } from "./facts.js";
import { findForSale } from "./for-sale.js";
import { isPaidBack } from "./position.js";
import { priceBreakdown } from "./price.js";
import { type SaleDeps, type SettledPayment, settlePayment } from "./settle-purchase.js";

/**
 * Records that a payment was captured or signed for a purchase, with the verdict on it, for the webhook, the checkout and the
 * reconciler. A payment that completed another purchase flags this one.
 * @param purchaseId as it was reported; undefined when it names no purchase.
 */
export function recordProof(
  deps: SaleDeps,
  session: ClientSession,
  purchaseId: Types.ObjectId | undefined,
  report: Proof,
): Promise<SettledPayment> {
  const { db } = deps;
  const { paymentId, orderId, eventKey } = report;
  return settlePayment(deps, session, { paymentId, eventKey, purchaseId }, async ({ payment: known, purchase }) => {
    if (!purchase) {
      const named = known.purchaseId ?? purchaseId ?? null;
      return { payment: withProof(known, report, { purchaseId: named, verdict: known.verdict }), purchase };
    }
    if (await completedAnother(db, session, known, purchase)) {
      const flag = { reason: "duplicate_charge", subject: paymentId, eventKey } as const;
      return { payment: known, purchase: flagged(purchase, flag) };
    }
    const isMoved = known.purchaseId !== null && !known.purchaseId.equals(purchase._id);
    const { verdict: former, ...unjudged } = known;
    const verdict = await judgePayment(db, session, purchase, isMoved ? unjudged : known, report);
    const payment = withProof(known, report, { purchaseId: purchase._id, verdict });
    // An unknown order may be ours: the provider may have made it after the server had stopped waiting for the reply.
    if (verdict === "order_mismatch") return { payment, purchase: payment === known ? purchase : askedNow(purchase) };
    const isOrderNew = verdict === "accepted" && orderId !== undefined && purchase.providerOrderId === undefined;
    return { payment, purchase: isOrderNew ? { ...purchase, providerOrderId: orderId } : purchase };
  });
}

/** What a proven payment came to: it completes its purchase, did so before it was paid back, or why it does not. */
export function outcomeOf({ payment, purchase }: SettledPayment): "completed" | "refunded" | ReviewReason {
  const { _id, purchaseId, verdict, captured, amountMinor, currency } = payment;
  if (!purchase) return "unknown_purchase";
  const isItsPayment = purchase.providerPaymentId === _id;
  if (purchase.status === "refunded" && isItsPayment) return "refunded";
  if (!purchaseId?.equals(purchase._id)) return "duplicate_charge";
  const isCompleted = purchase.status === "completed";
  if (verdict !== undefined && verdict !== "accepted" && !(captured && isCompleted)) return verdict;
  if (!isCompleted || !isItsPayment) return "duplicate_charge";
  // This report contradicts the one that completed the purchase.
  if (amountMinor !== null && amountMinor < purchase.price.totalMinor) return "amount_mismatch";
  return currency !== undefined && currency !== purchase.currency ? "currency_mismatch" : "completed";
}

/** Whether a payment completed a purchase other than this one. */
async function completedAnother(
  db: Db,
  session: ClientSession,
  { _id, purchaseId, verdict, provenAt, captured, signed }: Payment,
  purchase: Purchase,
): Promise<boolean> {
  if (purchaseId?.equals(purchase._id) || !(captured || signed)) return false;
  if (provenAt) return purchaseId !== null && verdict === "accepted";
  // A row of version 1.0 has no verdict.
  return isHeldByAnother(db, purchase._id, { providerPaymentId: _id }, session);
}

/**
 * Decides whether a proven payment may complete its purchase, or why not. The first verdict stays, with these exceptions:
 *
 *   1. The capture of a payment that so far only a signature proved is compared with the price.
 *   2. The first capture says when a payment was made, so that it replaces `late_payment` and `not_captured`.
 *   3. The provider's own answer to a question holds amount and order, so that it replaces a mismatch.
 * @param known the payment before this report.
 */
async function judgePayment(
  db: Db,
  session: ClientSession,
  purchase: Purchase,
  known: Payment,
  report: Proof,
): Promise<Verdict> {
  const { proof, eventKey, orderId } = report;
  const { verdict } = known;
  const isFirstCapture = proof === "capture" && !known.captured;
  const amount = report.amount ?? known.amountMinor ?? undefined;
  const mismatch = wrongMoney(purchase, { amount, currency: report.currency ?? known.currency });
  // Money that went back is not looked at again.
  if (verdict === "accepted") return (isFirstCapture && !isPaidBack(purchase, known) && mismatch) || verdict;
  if (verdict === "late_payment" && !isFirstCapture) return verdict;
  if (verdict === "not_captured" && proof === "signature") return verdict;
  const isAnswer = proof === "capture" && eventKey === null;
  const isMismatch = verdict === "amount_mismatch" || verdict === "currency_mismatch" || verdict === "order_mismatch";
  if (isMismatch && !isAnswer) return verdict;

  // Another signature proves no more than the first signature, whose payment was not captured.
  if (purchase.failedBecause === "not_captured" && proof === "signature") return "not_captured";
  if (mismatch) return mismatch;
  if (orderId !== undefined && (await isOtherOrder(db, session, purchase, orderId))) return "order_mismatch";
  return (await isTooLate(db, session, purchase, report.paidAt)) ? "late_payment" : "accepted";
}

async function isOtherOrder(db: Db, session: ClientSession, purchase: Purchase, orderId: string): Promise<boolean> {
  const { _id, providerOrderId } = purchase;
  if (providerOrderId !== undefined) return orderId !== providerOrderId;
  return isHeldByAnother(db, _id, { providerOrderId: orderId }, session);
}

/**
 * Whether a payment comes too late to complete an unpaid purchase. A failed or expired purchase is still completed in these
 * cases:
 *
 *   1. The payment was made within a day, and the price changed meanwhile, so that the learner did nothing to pay less.
 *   2. The payment was made within a day, the purchase failed for another reason than a choice of the learner, and its
 *      coupon can still be redeemed.
 *   3. The amount is at least what the course, or the path, costs today: without a coupon, or with the same one if it can be redeemed.
 * @param reported when it was made. Unknown, before the purchase was opened, or in the future, it counts as now.
 */
async function isTooLate(db: Db, session: ClientSession, purchase: Purchase, reported?: Date): Promise<boolean> {
  const { failedBecause, isErased, price, currency, coupon, createdAt } = purchase;
  if (isPaid(purchase)) return false;
  if (isErased) return true;
  // Its educator may have deleted the path after the purchase had failed.
  if (purchase.pathId && !(await db.Path.exists({ _id: purchase.pathId }).session(session))) return true;
  const now = new Date();
  const madeAt = reported && reported >= createdAt && reported <= now ? reported : now;
  const inTime = isInTime(purchase, madeAt);
  if (inTime && isUnfinished(purchase)) return false;
  // 1.
  if (inTime && failedBecause === "price") return false;
  // 2.
  const redeemable = await canRedeem(db, session, purchase, madeAt);
  if (inTime && failedBecause !== "learner" && redeemable) return false;
  // 3.
  const { buyer, item } = await findForSale(db, purchase.userId, purchase, session);
  if (!item || (purchase.pathId && !item.isOffered)) return true;
  const today = priceBreakdown({ course: item.terms, buyer, currency, coupon: redeemable ? coupon : null });
  return price.totalMinor < today.totalMinor;
}
