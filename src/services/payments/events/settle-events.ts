import type { ClientSession } from "mongoose";
import type { Db } from "../../../db/db.js";
import type { Payment, Verdict } from "../../../models/payments/payment.js";
import type { PaymentEvent } from "../../../models/payments/payment-event.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import { isPaidBack } from "../position.js";
import { toMinor } from "../price.js";
import { captureEvents, checkoutVerified, type EventEffect, needsReview, processed } from "./read-payment-event.js";

/** Events whose result depends on the position of the payment. */
const paymentFacts = [...captureEvents, checkoutVerified, "refund.processed", "refund.failed"];

/**
 * The result of an event about a payment, by the position of its purchase.
 * @param purchase null when no purchase is known. It may be another one than the payment's own.
 */
export function effectOf(
  { event, refundId, eventKey }: Pick<PaymentEvent, "event" | "refundId" | "eventKey">,
  payment: Payment,
  purchase: Purchase | null,
): EventEffect {
  if (event === "refund.processed") return effectOfRefund(payment, purchase);
  if (event === "refund.failed") return effectOfFailedRefund(refundId ?? eventKey, payment, purchase);
  const against = reasonAgainst(payment, purchase);
  if (isDone(payment, purchase)) {
    const isItsPayment = purchase?.status === "refunded" && purchase.providerPaymentId === payment._id;
    return processed(isItsPayment ? "refunded" : "paid back");
  }
  return against ? needsReview(against) : processed("completed");
}

/** Why a proven payment does not complete the purchase; undefined when it does. */
export function reasonAgainst(
  { _id, purchaseId, verdict, captured, amountMinor, currency }: Payment,
  purchase: Purchase | null,
): Exclude<Verdict, "accepted"> | "duplicate_charge" | "unknown_purchase" | undefined {
  if (!purchase) return "unknown_purchase";
  if (!purchaseId?.equals(purchase._id)) return "duplicate_charge";
  const isItsPayment = purchase.status === "completed" && purchase.providerPaymentId === _id;
  const isWithheld = verdict !== undefined && verdict !== "accepted";
  if (isWithheld && !(captured && purchase.status === "completed")) return verdict;
  if (!isItsPayment) return "duplicate_charge";
  // This report contradicts the one that completed the purchase.
  if (amountMinor !== null && amountMinor < toMinor(purchase.amount, purchase.currency)) return "amount_mismatch";
  return currency !== undefined && currency !== purchase.currency ? "currency_mismatch" : undefined;
}

function effectOfRefund(payment: Payment, purchase: Purchase | null): EventEffect {
  // The capture may still come and will then end in `refunded`. Until then the event is in review.
  if (!payment.captured && !payment.signed) return needsReview("unknown_purchase");
  if (!isDone(payment, purchase)) return needsReview("partial_refund");
  const isItsPayment = purchase?.status === "refunded" && purchase.providerPaymentId === payment._id;
  return processed(isItsPayment ? "refunded" : "paid back");
}

/** A refund that was paid after all, or is not needed any more, has no effect. */
function effectOfFailedRefund(refundId: string, payment: Payment, purchase: Purchase | null): EventEffect {
  if (!purchase) return needsReview("unknown_purchase");
  const isPaidAfterAll = payment.refunds.some((refund) => refund.refundId === refundId);
  return isPaidAfterAll || isDone(payment, purchase) ? processed("no effect") : needsReview("refund_failed");
}

/** Whether all of a proven payment was paid back. Without a known amount or purchase, any refund counts as all. */
function isDone(payment: Payment, purchase: Purchase | null): boolean {
  if (!payment.captured && !payment.signed) return false;
  return purchase
    ? isPaidBack(purchase, payment)
    : payment.refundedMinor > 0 && payment.refundedMinor >= (payment.amountMinor ?? 0);
}

/**
 * Brings the events of payments that are in review to the position of their purchase. An operator's review stays, and so do
 * events that name another purchase.
 */
export async function settleEvents(
  db: Db,
  session: ClientSession,
  purchase: Purchase | null,
  payments: readonly Payment[],
): Promise<void> {
  if (payments.length === 0) return;
  const paymentId = { $in: payments.map(({ _id }) => _id) };
  const open = await db.PaymentEvent.find(
    { paymentId, event: { $in: paymentFacts }, state: "review" },
    { event: 1, paymentId: 1, purchaseId: 1, refundId: 1, eventKey: 1, reviewReason: 1 },
  )
    .session(session)
    .lean<PaymentEvent[]>();
  for (const event of open) {
    const namesAnother = event.purchaseId !== null && event.purchaseId.toLowerCase() !== String(purchase?._id);
    if (purchase && namesAnother) continue;
    const payment = payments.find(({ _id }) => _id === event.paymentId);
    const effect = payment && effectOf(event, payment, purchase);
    if (!effect || effect.reviewReason === event.reviewReason) continue;
    await db.PaymentEvent.updateOne({ _id: event._id }, { $set: effect }, { session });
  }
}
