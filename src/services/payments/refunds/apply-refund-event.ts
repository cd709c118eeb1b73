import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../../db/db.js";
import { isObjectId } from "../../../lib/fields.js";
import { type Payment, recordDispute, recordFailedRefund, recordRefund } from "../../../models/payments/payment.js";
import { settleEvents } from "../../../models/payments/payment-event.js";
import type { Purchase, RefundAttempt, ReviewReason } from "../../../models/payments/purchase.js";
import { findPurchase } from "../../../models/payments/purchase-queries.js";
import { type EventEffect, needsReview, processed, type ReadEvent } from "../events/read-payment-event.js";
import type { SaleDeps } from "../fulfill-purchase.js";
import { toMinor } from "../price.js";
import { scheduleCheck } from "../reconcile/check-schedule.js";
import { flagPurchase, settleFlags, withheldReasons } from "../review-flags.js";
import { changeAttempt } from "./refund-attempts.js";
import { refundPurchase } from "./refund-purchase.js";

/** Applies a paid refund: the purchase of its payment is refunded, or flagged while a part is left. */
export async function applyRefund(
  { db }: SaleDeps,
  session: ClientSession,
  { paymentId, refundId, refundReference, refundAmount = 0 }: ReadEvent,
  eventKey: string,
): Promise<EventEffect> {
  if (paymentId === undefined) return needsReview("unknown_purchase");
  const id = refundId ?? eventKey;
  const payment = await recordRefund(db, paymentId, { refundId: id, amountMinor: refundAmount }, session);
  const owner = await findOwner(db, session, payment);
  if (owner?.refunds) {
    const paid = { state: "paid", refundId: id } as const;
    await changeAttempt(db, session, owner._id, { reference: refundReference, refundId }, paid, everyState);
  }
  // The refund was reported as failed and has been paid after all.
  if (payment.failedRefunds?.includes(id)) {
    if (owner) await settleFlags(db, session, owner._id, { reasons: ["refund_failed"], subject: id });
    await settleEvents(db, { paymentId, refundId: id, event: "refund.failed" }, "no effect", session);
  }
  if (owner?.providerPaymentId === paymentId) {
    const result = await refundPurchase(db, session, owner, payment, eventKey);
    if (result === "refunded") return processed("refunded");
    if (result === "taken over") return settlePaidBack(db, session, paymentId, owner);
    // A refund without an amount counts as nothing, so the provider is asked.
    if (refundAmount === 0) await scheduleCheck(db, session, { _id: owner._id }, "completed");
    return needsReview("partial_refund");
  }
  // The capture may still come and will then end in `refunded`. Until then the event is in review.
  if (!payment.captured && !payment.signed) return needsReview("unknown_purchase");
  if (!isPaidBack(payment, priceOf(owner))) return needsReview("partial_refund");
  return settlePaidBack(db, session, paymentId, owner);
}

/** Applies a failed refund: the purchase is flagged, and another refund may be requested. */
export async function applyFailedRefund(
  { db }: SaleDeps,
  session: ClientSession,
  { paymentId, refundId, refundReference }: ReadEvent,
  eventKey: string,
): Promise<EventEffect> {
  if (paymentId === undefined) return needsReview("unknown_purchase");
  const id = refundId ?? eventKey;
  const payment = await recordFailedRefund(db, paymentId, id, session);
  const owner = await findOwner(db, session, payment);
  if (!owner) return needsReview("unknown_purchase");
  const failed = { state: "failed", refundId: id } as const;
  const paidAfterAll = payment.refunds.some((refund) => refund.refundId === id);
  if (!paidAfterAll) {
    await changeAttempt(db, session, owner._id, { reference: refundReference, refundId }, failed, everyState);
  }
  const done =
    owner.providerPaymentId === paymentId ? owner.status === "refunded" : isPaidBack(payment, priceOf(owner));
  if (paidAfterAll || done) return processed("no effect");
  await flagPurchase(db, session, owner._id, { reason: "refund_failed", subject: id, eventKey });
  return needsReview("refund_failed");
}

const everyState: RefundAttempt["state"][] = ["requested", "placed", "paid", "refused", "failed"];

/**
 * Applies a dispute. Each phase flags the purchase; before the capture it is recorded for later. A lost dispute has the
 * effect of a full refund.
 */
export async function applyDispute(
  { db }: SaleDeps,
  session: ClientSession,
  { event, paymentId, purchaseId = "", disputeId, amount }: ReadEvent,
  eventKey: string,
): Promise<EventEffect> {
  if (paymentId === undefined) return needsReview("unknown_purchase");
  const id = disputeId ?? eventKey;
  const flag = { subject: `${id} ${event}`, eventKey };
  const known = await recordDispute(db, paymentId, flag, session);
  const noted = isObjectId(purchaseId) ? new Types.ObjectId(purchaseId) : null;
  const owner = await findOwner(db, session, { _id: paymentId, purchaseId: known.purchaseId ?? noted });
  if (event === "payment.dispute.lost") {
    const price = owner ? toMinor(owner.amount, owner.currency) : amount;
    const whole = known.amountMinor ?? (typeof price === "number" && Number.isSafeInteger(price) ? price : 0);
    const payment = await recordRefund(db, paymentId, { refundId: id, amountMinor: whole }, session);
    if (owner?.providerPaymentId === paymentId) await refundPurchase(db, session, owner, payment, eventKey);
    else if (payment.captured) await settlePaidBack(db, session, paymentId, owner);
  }
  if (owner) await flagPurchase(db, session, owner._id, { reason: "disputed", ...flag });
  return needsReview("disputed");
}

/** Minor units of the purchase. 0 without a purchase, so that any refund counts as a full refund. */
const priceOf = (owner: Purchase | null): number => (owner ? toMinor(owner.amount, owner.currency) : 0);

/** Whether all of a payment was paid back. @param price minor units, for a payment whose amount no capture has reported. */
const isPaidBack = ({ captured, signed, amountMinor, refundedMinor }: Payment, price: number): boolean =>
  (captured || signed === true) && refundedMinor > 0 && refundedMinor >= (amountMinor ?? price);

/** Finds the purchase that a payment completed, or else the purchase that the payment was for. */
async function findOwner(
  db: Db,
  session: ClientSession,
  { _id, purchaseId }: Pick<Payment, "_id" | "purchaseId">,
): Promise<Purchase | null> {
  const completed = await findPurchase(db, { providerPaymentId: _id }, session);
  return completed ?? (purchaseId && findPurchase(db, { _id: purchaseId }, session));
}

/** Settles the flags and events of a payment that completed nothing and was paid back. A dispute stays open. */
export async function settlePaidBack(
  db: Db,
  session: ClientSession,
  paymentId: string,
  purchase: Pick<Purchase, "_id"> | null,
): Promise<EventEffect> {
  await settleEvents(db, { paymentId, reviewReason: { $ne: "disputed" } }, "paid back", session);
  const reasons: ReviewReason[] = [...withheldReasons, "duplicate_charge"];
  if (purchase) await settleFlags(db, session, purchase._id, { reasons, subject: paymentId });
  return processed("paid back");
}
