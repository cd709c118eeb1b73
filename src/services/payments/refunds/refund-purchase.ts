import type { ClientSession } from "mongoose";
import type { Db } from "../../../db/db.js";
import type { Payment } from "../../../models/payments/payment.js";
import { settleEvents } from "../../../models/payments/payment-event-queries.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import { setPurchaseRefunded, setRefundedInPart } from "../../../models/payments/purchase-queries.js";
import { endPurchase } from "../../enrollments/enrollment.js";
import { toMinor } from "../price.js";
import { recordSale } from "../record-sale.js";
import { flagPurchase, settleFlags } from "../review-flags.js";
import { isLive } from "./refund-attempts.js";

/**
 * Brings a completed purchase in line with what was refunded of its payment.
 *
 *   1. Less than the whole amount: the purchase is flagged and stays completed.
 *   2. The whole amount: it moves to `refunded`.
 *   3. The enrollment ends, unless another completed purchase of the pair keeps it.
 *   4. The sale is taken out of the course and its day.
 * @returns whether it is refunded.
 */
export async function refundPurchase(
  db: Db,
  session: ClientSession,
  purchase: Purchase,
  payment: Pick<Payment, "refunds" | "refundedMinor">,
  eventKey: string | null,
): Promise<boolean> {
  const { refundedMinor } = payment;
  if (purchase.status !== "completed") return purchase.status === "refunded";
  // 1.
  if (refundedMinor === 0 || refundedMinor < toMinor(purchase.amount, purchase.currency)) {
    if (refundedMinor > purchase.refundedMinor) await markRefundedInPart(db, session, purchase, payment, eventKey);
    return false;
  }
  // 2.
  await markRefunded(db, session, purchase, refundedMinor);
  // 3.
  const ended = await endPurchase(db, session, purchase);
  // 4.
  await recordSale(db, session, purchase, { sales: -1, students: ended ? -1 : 0 });
  return true;
}

/** Events about refunds that need no review once everything is paid back. */
const refundEvents = ["refund.processed", "refund.failed"];

/** Moves a completed purchase to `refunded`. Refund events that waited for this need no review any more. */
export async function markRefunded(
  db: Db,
  session: ClientSession,
  { _id, providerPaymentId = "", amount, currency, refunds = [] }: Purchase,
  refundedMinor: number,
): Promise<void> {
  // A lost dispute and a refund may be about the same money: no more than was paid is paid back.
  const paidBack = Math.min(refundedMinor, toMinor(amount, currency));
  // Another payment may still be on its way back, and an attempt may wait that this refund has left nothing for: then
  // the provider is asked about it later.
  const asksOn = refunds.some(
    (attempt) => isLive(attempt) && (attempt.paymentId !== providerPaymentId || attempt.state === "requested"),
  );
  const moved = await setPurchaseRefunded(db, _id, { refundedMinor: paidBack, asksOn }, session);
  if (moved?.reviewReason) await settleFlags(db, session, _id, { reasons: ["partial_refund", "refund_failed"] }, null);
  await settleEvents(db, { paymentId: providerPaymentId, event: { $in: refundEvents } }, "refunded", session);
}

/** Notes what was paid back of a purchase that stays completed, and flags it for the newest refund. */
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
