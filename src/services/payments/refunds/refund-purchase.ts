import type { ClientSession } from "mongoose";
import type { Db } from "../../../db/db.js";
import { lockCapturedPayments, type Payment } from "../../../models/payments/payment.js";
import { settleEvents } from "../../../models/payments/payment-event.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import {
  isHeldByAnother,
  setCompletingPayment,
  setPurchaseRefunded,
  setRefundedInPart,
} from "../../../models/payments/purchase-queries.js";
import { endPurchase, enroll } from "../../enrollments/enrollment.js";
import { type NewEvent, recordEvents } from "../../events/record-event.js";
import { toMinor } from "../price.js";
import { completedFact, refundedFact } from "../purchase-facts.js";
import { statesAllowing } from "../purchase-states.js";
import { flagPurchase, settleFlags } from "../review-flags.js";
import { recordSale } from "../sale-transaction.js";
import { isOverpaid } from "../withhold-payment.js";
import { isLive } from "./refund-attempts.js";

/**
 * Applies the refunds of its payment to a completed purchase.
 *
 *   1. Less than the whole amount: the purchase is flagged and stays completed.
 *   2. The whole amount, and another payment of the purchase was captured: that payment takes its place.
 *   3. Otherwise the purchase moves to `refunded`.
 *   4. The enrollment ends, unless another completed purchase of the pair keeps it.
 *   5. The sale is taken out of the course and its day.
 */
export async function refundPurchase(
  db: Db,
  session: ClientSession,
  purchase: Purchase,
  payment: Pick<Payment, "amountMinor" | "refunds" | "refundedMinor">,
  eventKey: string | null,
): Promise<"in part" | "taken over" | "refunded"> {
  const { amountMinor, refundedMinor } = payment;
  if (purchase.status === "refunded") return "refunded";
  // 1.
  if (refundedMinor === 0 || refundedMinor < (amountMinor ?? toMinor(purchase.amount, purchase.currency))) {
    if (refundedMinor > purchase.refundedMinor) await markRefundedInPart(db, session, purchase, payment, eventKey);
    return "in part";
  }
  // 2.
  const other = await findOtherPayment(db, session, purchase);
  if (other) {
    await takeOver(db, session, purchase, other);
    return "taken over";
  }
  // 3.
  const refunded = await markRefunded(db, session, purchase, payment);
  // 4.
  const { ended, facts } = await endPurchase(db, session, purchase, "refund");
  await recordEvents(db, session, [refunded, ...facts]);
  // 5.
  await recordSale(db, session, purchase, { sales: -1, students: ended ? -1 : 0 });
  return "refunded";
}

/** Finds a captured payment that was flagged as a duplicate charge and can replace the payment of the purchase. */
export async function findOtherPayment(
  db: Db,
  session: ClientSession,
  { _id: purchaseId, reviews = [], providerPaymentId, amount, currency, isErased }: Purchase,
): Promise<Payment | undefined> {
  // The learner is gone, so an operator pays the other payment back.
  if (isErased) return undefined;
  const duplicates = reviews.filter(({ reason }) => reason === "duplicate_charge");
  const ids = duplicates.map(({ subject }) => subject).filter((id) => id !== providerPaymentId);
  if (ids.length === 0) return undefined;
  const price = toMinor(amount, currency);
  for (const payment of await lockCapturedPayments(db, { ids, purchaseId }, session)) {
    const paid = payment.amountMinor ?? price;
    const fits = paid >= price && (payment.currency ?? currency) === currency;
    const isFree = fits && payment.refundedMinor < paid;
    if (isFree && !(await isHeldByAnother(db, purchaseId, { providerPaymentId: payment._id }, session))) return payment;
  }
  return undefined;
}

/**
 * Replaces the refunded payment of a purchase by another captured payment. The purchase stays completed, or is completed
 * again; then the learner is enrolled and the sale counted again.
 */
export async function takeOver(
  db: Db,
  session: ClientSession,
  former: Purchase,
  payment: Pick<Payment, "_id" | "amountMinor" | "refunds" | "refundedMinor">,
): Promise<Purchase> {
  const { _id: paymentId, refundedMinor } = payment;
  const which = { _id: former._id, ...statesAllowing("takeOver") };
  const purchase = await setCompletingPayment(db, which, { paymentId, refundedMinor }, former, session);
  if (!purchase) throw new Error(`no other payment can complete the purchase ${former._id}`);
  await settleFlags(db, session, former._id, { reasons: ["duplicate_charge"], subject: paymentId });
  await settleFlags(db, session, former._id, { reasons: ["partial_refund", "refund_failed"] });
  await settleOverpaid(db, session, former);
  if (isOverpaid(purchase, payment.amountMinor)) {
    await flagPurchase(db, session, former._id, { reason: "amount_mismatch", subject: paymentId });
  }
  await settleEvents(db, { paymentId, reviewReason: "duplicate_charge" }, "completed", session);
  if (former.status === "refunded") {
    const before = await enroll(db, session, purchase);
    if (before.bought) await flagPurchase(db, session, former._id, { reason: "duplicate_charge", subject: paymentId });
    await recordEvents(db, session, [completedFact(purchase), ...before.facts]);
    await recordSale(db, session, purchase, { sales: 1, students: before.counted ? 0 : 1 });
  }
  if (refundedMinor > 0) await markRefundedInPart(db, session, purchase, payment);
  return purchase;
}

/** Settles the flag for a payment above the price, once that payment is paid back. */
async function settleOverpaid(
  db: Db,
  session: ClientSession,
  { _id, providerPaymentId = "" }: Purchase,
): Promise<void> {
  await settleFlags(db, session, _id, { reasons: ["amount_mismatch"], subject: providerPaymentId });
}

/** Events about refunds that need no review once the whole amount is paid back. */
const refundEvents = ["refund.processed", "refund.failed"];

/** Moves a completed purchase to `refunded` and settles its refund events. @returns the fact to record. */
export async function markRefunded(
  db: Db,
  session: ClientSession,
  purchase: Purchase,
  { amountMinor, refundedMinor }: Pick<Payment, "amountMinor" | "refundedMinor">,
): Promise<NewEvent> {
  const { _id, providerPaymentId = "", amount, currency, refunds = [] } = purchase;
  // A lost dispute and a refund may be about the same money, so the sum is bounded by what was paid.
  const paidBack = Math.min(refundedMinor, amountMinor ?? toMinor(amount, currency));
  // The provider is still asked about a live refund of another payment, and about an attempt that was not placed yet.
  const asksOn = refunds.some(
    (attempt) => isLive(attempt) && (attempt.paymentId !== providerPaymentId || attempt.state === "requested"),
  );
  const moved = await setPurchaseRefunded(db, _id, { refundedMinor: paidBack, asksOn }, session);
  if (moved?.reviewReason) {
    await settleFlags(db, session, _id, { reasons: ["partial_refund", "refund_failed"] });
    await settleOverpaid(db, session, purchase);
  }
  await settleEvents(db, { paymentId: providerPaymentId, event: { $in: refundEvents } }, "refunded", session);
  return refundedFact(purchase, paidBack);
}

/** Stores what was paid back of a purchase that stays completed, and flags the purchase for the newest refund. */
export async function markRefundedInPart(
  db: Db,
  session: ClientSession,
  { _id }: Purchase,
  payment: Pick<Payment, "refunds" | "refundedMinor"> | null,
  eventKey: string | null = null,
): Promise<void> {
  const { refundedMinor = 0, refunds = [] } = payment ?? {};
  await setRefundedInPart(db, _id, refundedMinor, session);
  const subject = refunds.at(-1)?.refundId ?? "";
  await flagPurchase(db, session, _id, { reason: "partial_refund", subject, eventKey });
}
