import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
import type { Payment } from "../../models/payment.js";

/** Notes that a payment was captured. @returns what was known of it before; null when it is new. */
export function recordCapture(
  db: Db,
  session: ClientSession,
  { paymentId, purchaseId, amount }: { paymentId: string; purchaseId?: Types.ObjectId | undefined; amount?: unknown },
): Promise<Payment | null> {
  const reported = {
    ...(purchaseId ? { purchaseId } : {}),
    ...(typeof amount === "number" && Number.isSafeInteger(amount) ? { amountMinor: amount } : {}),
  };
  const unknown = { purchaseId: null, amountMinor: null, refunds: [], refundedMinor: 0 };
  return bare(db.Payment).findOneAndUpdate(
    { _id: paymentId },
    {
      $set: { ...reported, captured: true, updatedAt: new Date() },
      $inc: { revision: 1 },
      $setOnInsert: Object.fromEntries(Object.entries(unknown).filter(([field]) => !(field in reported))),
    },
    { session, upsert: true, returnDocument: "before" },
  );
}

/**
 * Notes a refund of a payment, or a lost dispute. The same one again counts once, at the highest amount that was
 * reported of it.
 * @returns the payment as it is then.
 */
export async function recordRefund(
  db: Db,
  session: ClientSession,
  paymentId: string,
  { refundId, amountMinor }: Payment["refunds"][number],
): Promise<Payment> {
  return change(db, session, paymentId, (known) => {
    const refunds = known.refunds.filter((refund) => refund.refundId !== refundId);
    const before = known.refunds.find((refund) => refund.refundId === refundId)?.amountMinor ?? 0;
    refunds.push({ refundId, amountMinor: Math.max(before, amountMinor) });
    return { ...known, refunds, refundedMinor: refunds.reduce((sum, refund) => sum + refund.amountMinor, 0) };
  });
}

/** Notes that the provider could not pay a refund. @returns the payment as it is then. */
export async function recordFailedRefund(
  db: Db,
  session: ClientSession,
  paymentId: string,
  refundId: string,
): Promise<Payment> {
  return change(db, session, paymentId, (known) => {
    const others = (known.failedRefunds ?? []).filter((id) => id !== refundId);
    return { ...known, failedRefunds: [...others, refundId] };
  });
}

/** Notes an event of a dispute. @returns the payment as it is then. */
export async function recordDispute(
  db: Db,
  session: ClientSession,
  paymentId: string,
  dispute: { subject: string; eventKey: string },
): Promise<Payment> {
  return change(db, session, paymentId, (known) => {
    const others = (known.disputes ?? []).filter(({ subject }) => subject !== dispute.subject);
    return { ...known, disputes: [...others, dispute] };
  });
}

/** Writes the payment whether or not anything changed: two transactions about it never pass each other unseen. */
async function change(
  db: Db,
  session: ClientSession,
  paymentId: string,
  next: (known: Payment) => Payment,
): Promise<Payment> {
  const known = await bare(db.Payment).findOne({ _id: paymentId }, { session });
  const unknown = {
    _id: paymentId,
    purchaseId: null,
    amountMinor: null,
    captured: false,
    refunds: [],
    refundedMinor: 0,
  };
  const revised = { revision: (known?.revision ?? 0) + 1, updatedAt: new Date() };
  const payment: Payment = next({ ...(known ?? unknown), ...revised });
  await bare(db.Payment).replaceOne({ _id: paymentId }, payment, { session, upsert: true });
  return payment;
}
