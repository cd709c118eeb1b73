import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { findPayment, type Payment, replacePayment, setProven } from "../../models/payments/payment.js";

interface Report {
  readonly paymentId: string;
  readonly purchaseId?: Types.ObjectId | undefined;
  readonly amount?: unknown;
  readonly currency?: unknown;
  readonly proof: "capture" | "signature";
}

/** Records a payment that was captured or signed. @returns the payment before this report; null when it is new. */
export function recordPayment(
  db: Db,
  session: ClientSession,
  { paymentId, purchaseId, amount, currency, proof }: Report,
): Promise<Payment | null> {
  const reported = {
    ...(purchaseId ? { purchaseId } : {}),
    ...(typeof amount === "number" && Number.isSafeInteger(amount) ? { amountMinor: amount } : {}),
    ...(typeof currency === "string" ? { currency } : {}),
    ...(proof === "capture" ? ({ captured: true } as const) : ({ signed: true } as const)),
  };
  return setProven(db, paymentId, reported, session);
}

/** Whether all of a payment was paid back. @param price minor units, for a payment whose amount no capture has reported. */
export const isPaidBack = ({ captured, signed, amountMinor, refundedMinor }: Payment, price: number): boolean =>
  (captured || signed === true) && refundedMinor > 0 && refundedMinor >= (amountMinor ?? price);

/**
 * Records a refund of a payment, or a lost dispute. A repeated report counts once, at the highest amount reported.
 * @returns the changed payment.
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

/** Records that the provider could not pay a refund. @returns the changed payment. */
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

/** Records an event of a dispute. @returns the changed payment. */
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

/** Writes the payment also when nothing changed, so that two transactions about it always conflict. */
async function change(
  db: Db,
  session: ClientSession,
  paymentId: string,
  next: (known: Payment) => Payment,
): Promise<Payment> {
  const known = await findPayment(db, paymentId, session);
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
  await replacePayment(db, payment, session);
  return payment;
}
