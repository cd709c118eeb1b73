import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import type { Payment } from "../../models/payment.js";
import type { Purchase } from "../../models/purchase.js";
import { endEnrollment } from "../enrollments/enrollment.js";
import { toMinor } from "./price.js";
import { recordSale } from "./record-sale.js";

/**
 * Brings a completed purchase in line with what was refunded of its payment.
 *
 *   1. Less than the whole amount: the purchase is flagged and stays completed.
 *   2. The whole amount: it moves to `refunded`,
 *   3. the enrollment ends, unless another completed purchase of the pair keeps it,
 *   4. and the sale is taken out of the course and its day.
 * @returns whether it is refunded.
 */
export async function refundPurchase(
  db: Db,
  session: ClientSession,
  purchase: Purchase,
  { refundedMinor }: Pick<Payment, "refundedMinor">,
): Promise<boolean> {
  if (purchase.status !== "completed") return purchase.status === "refunded";
  if (refundedMinor === 0 || refundedMinor < toMinor(purchase.amount)) {
    if (refundedMinor > purchase.refundedMinor) await markRefundedInPart(db, session, purchase, refundedMinor);
    return false;
  }
  await markRefunded(db, session, purchase, refundedMinor);
  const ended = await endEnrollment(db, session, purchase);
  await recordSale(db, session, purchase, { sales: -1, students: ended ? -1 : 0 });
  return true;
}

/** Moves a completed purchase to `refunded`. Refund messages that waited for this need no review any more. */
export async function markRefunded(
  db: Db,
  session: ClientSession,
  { _id, providerPaymentId = "", reviewReason }: Purchase,
  refundedMinor: number,
): Promise<void> {
  const now = new Date();
  const settled = reviewReason === "partial_refund" ? { reviewReason: null } : {};
  await bare(db.Purchase).updateOne(
    { _id, status: "completed" },
    {
      $set: { status: "refunded", refundedAt: now, refundedMinor, updatedAt: now, ...settled },
      $unset: { nextCheckAt: "" },
    },
    { session },
  );
  await bare(db.PaymentEvent).updateMany(
    { paymentId: providerPaymentId, event: "refund.processed", state: "review" },
    { $set: { state: "processed", outcome: "refunded", reviewReason: null, updatedAt: now } },
    { session },
  );
}

export async function markRefundedInPart(
  db: Db,
  session: ClientSession,
  { _id }: Purchase,
  refundedMinor: number,
): Promise<void> {
  const flagged = { refundedMinor, reviewReason: "partial_refund" as const, updatedAt: new Date() };
  await bare(db.Purchase).updateOne({ _id, status: "completed" }, { $set: flagged }, { session });
}
