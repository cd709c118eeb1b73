import { type ClientSession, Types } from "mongoose";
import type { Config } from "../../config.js";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../lib/fields.js";
import { addRedemptions } from "../../models/payments/coupon.js";
import { type Payment, recordPayment } from "../../models/payments/payment.js";
import { renameEarlyRefunds, settleEvents } from "../../models/payments/payment-event.js";
import { couponUseOf, type Purchase, type ReviewReason, unfinishedStates } from "../../models/payments/purchase.js";
import { findPurchase, setPurchaseCompleted } from "../../models/payments/purchase-queries.js";
import type { ProviderPayment } from "../../providers/razorpay-replies.js";
import { canRedeem, findSiblingUse, releaseCoupon } from "../coupons/coupon-use.js";
import { enroll } from "../enrollments/enrollment.js";
import { recordEvents } from "../events/record-event.js";
import { toMajor, toMinor } from "./price.js";
import { completedFact } from "./purchase-facts.js";
import { statesAllowing } from "./purchase-states.js";
import { purchaseLifeMs, scheduleCheck } from "./reconcile/check-schedule.js";
import { isLive } from "./refunds/refund-attempts.js";
import { markRefunded, markRefundedInPart, takeOver } from "./refunds/refund-purchase.js";
import { flagPurchase, settleFlags, withheldReasons } from "./review-flags.js";
import { recordSale, saleTransaction } from "./sale-transaction.js";
import { failPurchase, undoCompletion } from "./unpaid-purchases.js";
import { isOverpaid, reasonAgainst } from "./withhold-payment.js";

/** A payment that the provider captured or the checkout signed. */
export interface ProvenPayment {
  /** As it was reported: it may be no purchase at all. */
  readonly purchaseId: string;
  readonly paymentId: string;
  readonly orderId?: string | undefined;
  /** Minor units. Less than the purchase's amount, or no whole number, is a mismatch. More is flagged. */
  readonly amount?: unknown;
  readonly currency?: unknown;
  /** When it was made. */
  readonly paidAt?: Date | undefined;
  /** `signature`: only the checkout's signature proves the payment, and no capture is known yet. */
  readonly proof: "capture" | "signature";
  /** Key of the payment event that reported it; null for an answer of the provider. */
  readonly eventKey: string | null;
}

export type Fulfillment =
  /** The payment completed the purchase, now (`moved`) or earlier. */
  | { readonly kind: "completed"; readonly purchase: Purchase; readonly moved: boolean }
  /** The payment completed the purchase and has been paid back. */
  | { readonly kind: "refunded" }
  /** The payment completed nothing. The purchase, if there is one, is flagged unless the payment was paid back. */
  | { readonly kind: "review"; readonly reason: ReviewReason; readonly isPaidBack: boolean };

/** When the provider is asked for the capture of a purchase that only the checkout's signature completed. */
const captureCheckMs = 10 * 60_000;

export interface SaleDeps {
  readonly db: Db;
  readonly config: Pick<Config, "invoices">;
}

/** Runs `fulfillPurchase` as a transaction of its own. */
export function completePurchase(deps: SaleDeps, payment: ProvenPayment): Promise<Fulfillment> {
  return saleTransaction(deps.db, payment.purchaseId, (session) => fulfillPurchase(deps, session, payment));
}

/**
 * Completes a purchase by a captured payment that the provider listed.
 * @param orderId undefined when it is not to be compared with the order of the purchase.
 */
export function completeByCapture(
  deps: SaleDeps,
  { _id }: Pick<Purchase, "_id">,
  { id: paymentId, amountMinor: amount, currency, paidAt }: ProviderPayment,
  orderId?: string,
): Promise<Fulfillment> {
  const facts = { purchaseId: String(_id), paymentId, orderId, amount, currency, paidAt };
  return completePurchase(deps, { ...facts, proof: "capture", eventKey: null });
}

/**
 * Completes a purchase by a proven payment, for the webhook, the checkout verification and the reconciler. A mismatch or a
 * late payment withholds completion. A second payment of a completed purchase is flagged; when the first payment was
 * refunded, the second takes its place. More money than the price completes the purchase and flags it. Repeating the call
 * changes nothing.
 *
 *   1. The payment is recorded. Facts that this report leaves out are taken from earlier reports of the payment.
 *   2. The purchase moves to `completed` and stores the seller and tax of now, for its invoice. Its coupon is redeemed.
 *   3. A payment that was paid back already moves it on to `refunded`, without an enrollment.
 *   4. The learner is enrolled.
 *   5. The sale is added to the course and its day.
 *   6. Refunds of the payment that had failed before this report are flagged.
 */
export async function fulfillPurchase(
  deps: SaleDeps,
  session: ClientSession,
  report: ProvenPayment,
): Promise<Fulfillment> {
  const { db } = deps;
  const purchaseId = isObjectId(report.purchaseId) ? new Types.ObjectId(report.purchaseId) : undefined;
  // 1.
  const known = await recordPayment(db, { ...report, purchaseId }, session);
  const payment: ProvenPayment = {
    ...report,
    amount: report.amount ?? known?.amountMinor ?? undefined,
    currency: report.currency ?? known?.currency,
  };
  if (!purchaseId) return withheld("unknown_purchase", payment, known);
  const fulfilled = await applyToPurchase(deps, session, purchaseId, payment, known);
  // 6.
  const needsNoRefund =
    fulfilled.kind === "refunded" ||
    (fulfilled.kind === "review" && (fulfilled.isPaidBack || fulfilled.reason === "unknown_purchase"));
  if (known?.failedRefunds && !needsNoRefund) await flagFailedRefunds(db, session, purchaseId, known);
  return fulfilled;
}

async function applyToPurchase(
  deps: SaleDeps,
  session: ClientSession,
  purchaseId: Types.ObjectId,
  payment: ProvenPayment,
  known: Payment | null,
): Promise<Fulfillment> {
  const { db } = deps;
  const { paymentId, eventKey } = payment;
  // 2. A new payment that fits is the usual case, and takes one command.
  const expected = known ? undefined : expectedPurchase(payment);
  const direct = expected ? await moveToCompleted(deps, session, purchaseId, payment, expected) : null;
  const moved = direct ?? (await moveOrFlag(deps, session, purchaseId, payment, known));
  if ("kind" in moved) return moved;

  for (const dispute of known?.disputes ?? []) {
    await flagPurchase(db, session, moved._id, { reason: "disputed", ...dispute });
  }
  if (moved.reviewReason) {
    // Earlier reports have withheld this payment. A payment above the price stays flagged.
    const reasons = withheldReasons.filter(
      (reason) => reason !== "amount_mismatch" || !isOverpaid(moved, payment.amount),
    );
    await settleFlags(db, session, moved._id, { reasons: [...reasons, "not_captured"], subject: paymentId });
    await settleEvents(db, { paymentId, reviewReason: { $in: withheldReasons } }, "completed", session);
  }
  // A refund of another payment may be under way, so its result is still asked for.
  if (moved.refunds?.some(isLive)) await scheduleCheck(db, session, moved, "completed");

  await redeemCoupon(db, session, moved);
  // 3.
  const paidBackMinor = known?.refundedMinor ?? 0;
  const paidMinor = typeof payment.amount === "number" ? payment.amount : toMinor(moved.amount, moved.currency);
  if (paidBackMinor > 0 && paidBackMinor >= paidMinor) {
    const refunded = await markRefunded(db, session, moved, { refundedMinor: paidBackMinor, amountMinor: paidMinor });
    await recordEvents(db, session, [completedFact(moved), refunded]);
    return { kind: "refunded" };
  }
  // 4.
  const before = await enroll(db, session, moved);
  if (before.bought) {
    await flagPurchase(db, session, moved._id, { reason: "duplicate_charge", subject: paymentId, eventKey });
  }
  await flagOverpaid(db, session, moved, payment);
  if (paidBackMinor > 0) {
    await markRefundedInPart(db, session, moved, known);
    await renameEarlyRefunds(db, paymentId, "partial_refund", session);
  }
  await recordEvents(db, session, [completedFact(moved), ...before.facts]);
  // 5.
  await recordSale(db, session, moved, { sales: 1, students: before.counted ? 0 : 1 });
  return { kind: "completed", purchase: moved, moved: true };
}

/** Flags a purchase whose payment brought in more than its price. */
async function flagOverpaid(
  db: Db,
  session: ClientSession,
  purchase: Purchase,
  { paymentId, amount, eventKey }: ProvenPayment,
): Promise<void> {
  if (!isOverpaid(purchase, amount)) return;
  await flagPurchase(db, session, purchase._id, { reason: "amount_mismatch", subject: paymentId, eventKey });
}

/** Flags a purchase for the refunds of a payment that the provider could not pay. */
async function flagFailedRefunds(
  db: Db,
  session: ClientSession,
  purchaseId: Types.ObjectId,
  { _id, refunds, failedRefunds = [] }: Payment,
): Promise<void> {
  const failed = failedRefunds.filter((id) => !refunds.some(({ refundId }) => refundId === id));
  for (const subject of failed) await flagPurchase(db, session, purchaseId, { reason: "refund_failed", subject });
  await renameEarlyRefunds(db, _id, "refund_failed", session);
}

/** @param price minor units of the purchase, for a payment whose amount is not known. */
function withheld(reason: ReviewReason, { amount }: ProvenPayment, known: Payment | null, price?: number) {
  const [paid, paidBack] = [typeof amount === "number" ? amount : price, known?.refundedMinor ?? 0];
  return { kind: "review", reason, isPaidBack: paid !== undefined && paidBack > 0 && paidBack >= paid } as const;
}

/** Completes the purchase after a look at it, or flags it. @returns the purchase that was completed now, or the result. */
async function moveOrFlag(
  deps: SaleDeps,
  session: ClientSession,
  purchaseId: Types.ObjectId,
  payment: ProvenPayment,
  known: Payment | null,
): Promise<Purchase | Fulfillment> {
  const { db } = deps;
  const { paymentId, eventKey } = payment;
  const found = await findPurchase(db, { _id: purchaseId }, session);
  if (!found) return withheld("unknown_purchase", payment, known);
  const reason = await reasonAgainst(db, session, found, payment, known);
  if (reason) {
    const result = withheld(reason, payment, known, toMinor(found.amount, found.currency));
    // The payment that a signature proved turns out not to fit the purchase.
    const isWrong = found.status === "completed" && found.signatureOnly && found.providerPaymentId === paymentId;
    if (isWrong) await undoCompletion(db, session, found);
    // The payment event is in review instead of a refunded purchase.
    const isFlagged = found.status !== "refunded" && !result.isPaidBack;
    if (isFlagged) await flagPurchase(db, session, purchaseId, { reason, subject: paymentId, eventKey });
    return result;
  }
  if (found.status === "refunded" && found.providerPaymentId === paymentId) return { kind: "refunded" };
  if (found.status === "refunded") {
    const { refunds = [], refundedMinor = 0 } = known ?? {};
    const amountMinor = typeof payment.amount === "number" ? payment.amount : null;
    const purchase = await takeOver(db, session, found, { _id: paymentId, refunds, refundedMinor, amountMinor });
    return { kind: "completed", purchase, moved: true };
  }
  if (found.status === "completed") {
    if (payment.proof === "capture") {
      // The provider need not be asked for the capture any more.
      if (found.signatureOnly)
        await db.Purchase.updateOne({ _id: found._id }, { $unset: { signatureOnly: 1 } }, { session });
      if (found.reviewReason) await settleFlags(db, session, found._id, { reasons: ["not_captured"] });
      await flagOverpaid(db, session, found, payment);
    }
    return { kind: "completed", purchase: found, moved: false };
  }
  const moved = await moveToCompleted(deps, session, purchaseId, payment);
  if (!moved) throw new Error(`the purchase ${purchaseId} could not be completed`);
  return moved;
}

type ExpectedPurchase = Partial<Pick<Purchase, "providerOrderId" | "currency" | "amount">>;

/** Returns the fields that the purchase must have to be completed by this payment; undefined when it has to be read first. */
function expectedPurchase({ orderId, amount, currency }: ProvenPayment): ExpectedPurchase | undefined {
  const order = orderId === undefined ? {} : { providerOrderId: orderId };
  if (amount === undefined && currency === undefined) return order;
  // The decimals of the amount depend on the currency.
  if (typeof currency !== "string" || !/^[A-Z]{3}$/.test(currency)) return undefined;
  if (amount === undefined) return { ...order, currency };
  return typeof amount === "number" ? { ...order, currency, amount: toMajor(amount, currency) } : undefined;
}

/**
 * @param expected the fields that the purchase must have. With them, only an unfinished purchase that has not expired
 *   completes; without them, a purchase in any state that allows it.
 */
function moveToCompleted(
  { db, config }: SaleDeps,
  session: ClientSession,
  purchaseId: Types.ObjectId,
  { paymentId, orderId, proof }: ProvenPayment,
  expected?: ExpectedPurchase,
): Promise<Purchase | null> {
  const checkCaptureAt = proof === "signature" ? new Date(Date.now() + captureCheckMs) : undefined;
  const since = new Date(Date.now() - purchaseLifeMs);
  const fresh = expected && { ...expected, status: { $in: unfinishedStates }, createdAt: { $gte: since } };
  const which = { _id: purchaseId, ...statesAllowing("complete"), ...fresh };
  const { seller, tax } = config.invoices;
  return setPurchaseCompleted(db, which, { paymentId, orderId, checkCaptureAt }, { seller, tax }, session);
}

/**
 * Counts the coupon of a purchase that has just completed as redeemed. If the purchase no longer holds a reservation, it
 * takes the reservation of the learner's other unfinished purchase of the course, which then fails. If no redemption is
 * left, the purchase completes without one, so that the limits of the coupon hold.
 */
async function redeemCoupon(db: Db, session: ClientSession, purchase: Purchase): Promise<void> {
  const { _id, userId, coupon, couponUse } = purchase;
  if (!coupon) return;
  if (couponUse !== undefined) return addRedemptions(db, coupon.couponId, { reserved: -1, redeemed: 1 }, session);
  const sibling = await findSiblingUse(db, session, purchase);
  if (sibling) {
    await failPurchase(db, session, sibling, "learner");
    await releaseCoupon(db, session, sibling, "reserved");
  } else if (!(await canRedeem(db, session, purchase))) {
    return;
  }
  await addRedemptions(db, coupon.couponId, { redeemed: 1 }, session);
  await db.Purchase.updateOne({ _id }, { $set: { couponUse: couponUseOf(userId, coupon.code) } }, { session });
}
