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
  const told = {
    ...(purchaseId ? { purchaseId } : {}),
    ...(typeof amount === "number" && Number.isSafeInteger(amount) ? { amountMinor: amount } : {}),
  };
  const unsaid = { purchaseId: null, amountMinor: null, refunds: [], refundedMinor: 0 };
  return bare(db.Payment).findOneAndUpdate(
    { _id: paymentId },
    {
      $set: { ...told, captured: true, updatedAt: new Date() },
      $inc: { revision: 1 },
      $setOnInsert: Object.fromEntries(Object.entries(unsaid).filter(([field]) => !(field in told))),
    },
    { session, upsert: true, returnDocument: "before" },
  );
}

/**
 * Notes a refund of a payment. The same refund told again counts once, at the highest amount that was told of it.
 * @returns the payment as it is then.
 */
export async function recordRefund(
  db: Db,
  session: ClientSession,
  paymentId: string,
  { refundId, amountMinor }: Payment["refunds"][number],
): Promise<Payment> {
  const known = await bare(db.Payment).findOne({ _id: paymentId }, { session });
  const refunds = (known?.refunds ?? []).filter((refund) => refund.refundId !== refundId);
  const before = known?.refunds.find((refund) => refund.refundId === refundId)?.amountMinor ?? 0;
  refunds.push({ refundId, amountMinor: Math.max(before, amountMinor) });
  const refundedMinor = refunds.reduce((sum, refund) => sum + refund.amountMinor, 0);
  const payment: Payment = {
    ...(known ?? { _id: paymentId, purchaseId: null, amountMinor: null, captured: false }),
    ...{ refunds, refundedMinor, revision: (known?.revision ?? 0) + 1, updatedAt: new Date() },
  };
  await bare(db.Payment).replaceOne({ _id: paymentId }, payment, { session, upsert: true });
  return payment;
}
