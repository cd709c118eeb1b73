import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import type { Payment } from "../../models/payment.js";
import type { Purchase } from "../../models/purchase.js";
import { endPurchase } from "../enrollments/enrollment.js";
import { toMinor } from "./price.js";
import { mayMove, movedTo } from "./purchase-states.js";
import { recordSale } from "./record-sale.js";
import { isLive } from "./refund-attempts.js";
import { flagPurchase, settleFlags } from "./review-flags.js";

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
  const now = new Date();
  // A lost dispute and a refund may be about the same money: no more than was paid is paid back.
  const paidBack = Math.min(refundedMinor, toMinor(amount, currency));
  // Another payment of the purchase may still be on its way back: then the provider is asked about it later.
  const asksOn = refunds.some((attempt) => isLive(attempt) && attempt.paymentId !== providerPaymentId);
  const moved = await bare(db.Purchase).findOneAndUpdate(
    { _id, ...mayMove("refund") },
    {
      $set: { ...movedTo("refund"), refundedAt: now, refundedMinor: paidBack, creditNoteDueAt: now, updatedAt: now },
      $unset: { signatureOnly: "", ...(asksOn ? {} : { nextCheckAt: "" }) },
    },
    { session, returnDocument: "after" },
  );
  if (moved?.reviewReason) await settleFlags(db, session, _id, { reasons: ["partial_refund", "refund_failed"] }, null);
  await bare(db.PaymentEvent).updateMany(
    { paymentId: providerPaymentId, event: { $in: refundEvents }, state: "review" },
    { $set: { state: "processed", outcome: "refunded", reviewReason: null, updatedAt: now } },
    { session },
  );
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
  const now = new Date();
  const noted = { refundedMinor, creditNoteDueAt: now, updatedAt: now };
  await bare(db.Purchase).updateOne({ _id, status: "completed" }, { $set: noted }, { session });
  const subject = refunds.at(-1)?.refundId ?? "";
  await flagPurchase(db, session, _id, { reason: "partial_refund", subject, eventKey });
}
