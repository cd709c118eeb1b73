import type { ClientSession, Model, Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { nativeCollection } from "../native-collection.js";
import { objectIdField, withDefault } from "../row.js";

/**
 * One payment at the provider, as events and replies reported it. Every transaction about a capture or a refund of the
 * payment writes this document, so that two of them always conflict.
 */
export type Payment = z.input<typeof paymentRow>;
const paymentRow = z.object({
  /** The provider's payment id. */
  _id: z.string(),
  /** The purchase that a capture named. */
  purchaseId: objectIdField.nullable(),
  /** Minor units; null until a capture has reported it. */
  amountMinor: z.number().nullable(),
  /** ISO 4217; missing until a capture has reported it. */
  currency: z.string().exactOptional(),
  /** Whether a capture of it was reported. */
  captured: withDefault(z.boolean(), false),
  /** Whether the checkout's signature proved it. */
  signed: z.boolean().exactOptional(),
  /** Its distinct refunds, and a dispute of it that was lost. Amounts in minor units. */
  refunds: withDefault(z.array(z.object({ refundId: z.string(), amountMinor: z.number() })), []),
  /** Minor units: the sum of `refunds`. */
  refundedMinor: withDefault(z.number(), 0),
  /** Ids of refunds that the provider could not pay. */
  failedRefunds: z.array(z.string()).exactOptional(),
  /** Events of disputes about it, as they flag its purchase. */
  disputes: z.array(z.object({ subject: z.string(), eventKey: z.string() })).exactOptional(),
  /** How often it was written. */
  revision: withDefault(z.number(), 0),
  updatedAt: timestamp,
});

export const paymentCollection = defineCollection({
  row: paymentRow,
  holds: "captures and refunds at the payment provider",
  kept: "for good: accounting",
  userData: "none",
});

type Models = { readonly Payment: Model<Payment> };

export function findPayment(db: Models, _id: string, session?: ClientSession): Promise<Payment | null> {
  return nativeCollection(db.Payment).findOne({ _id }, { ...(session && { session }) });
}

/**
 * Finds the payments with these ids that were captured for a purchase, in no order. It writes all payments with these ids,
 * captured or not, so that a concurrent transaction about one of them conflicts.
 */
export async function lockCapturedPayments(
  db: Models,
  { ids, purchaseId }: { ids: readonly string[]; purchaseId: Types.ObjectId },
  session: ClientSession,
): Promise<Payment[]> {
  const payments = nativeCollection(db.Payment);
  await payments.updateMany({ _id: { $in: [...ids] } }, { $inc: { revision: 1 } }, { session });
  return payments.find({ _id: { $in: [...ids] }, purchaseId, captured: true }, { session }).toArray();
}

/** Whether a capture or a signature has named the purchase for this payment. */
export async function isPaymentOf(db: Models, _id: string, purchaseId: Types.ObjectId): Promise<boolean> {
  const proven = { _id, purchaseId, $or: [{ captured: true }, { signed: true }] };
  return (await nativeCollection(db.Payment).findOne(proven, { projection: { _id: 1 } })) !== null;
}

/** Creates the document of a payment that nobody has reported yet. */
const unreported = { purchaseId: null, amountMinor: null, captured: false, refunds: [], refundedMinor: 0 };

/** What a report says of a payment that was captured or signed. */
interface PaymentReport {
  readonly paymentId: string;
  readonly purchaseId: Types.ObjectId | undefined;
  /** Minor units. The report may have any value here. */
  readonly amount?: unknown;
  readonly currency?: unknown;
  readonly proof: "capture" | "signature";
}

/** Records a payment that was captured or signed. @returns the payment before this report; null when it is new. */
export function recordPayment(
  db: Models,
  { paymentId, purchaseId, amount, currency, proof }: PaymentReport,
  session: ClientSession,
): Promise<Payment | null> {
  const reported: Partial<Payment> = {
    ...(purchaseId && { purchaseId }),
    ...(Number.isSafeInteger(amount) && { amountMinor: Number(amount) }),
    ...(typeof currency === "string" && { currency }),
    [proof === "capture" ? "captured" : "signed"]: true,
  };
  return nativeCollection(db.Payment).findOneAndUpdate(
    { _id: paymentId },
    {
      $set: { ...reported, updatedAt: new Date() },
      $inc: { revision: 1 },
      $setOnInsert: Object.fromEntries(Object.entries(unreported).filter(([field]) => !(field in reported))),
    },
    { session, upsert: true, returnDocument: "before" },
  );
}

/**
 * Records a refund of a payment, or a lost dispute. A repeated report counts once, at the highest amount reported.
 * @returns the changed payment.
 */
export function recordRefund(
  db: Models,
  _id: string,
  { refundId, amountMinor }: Payment["refunds"][number],
  session: ClientSession,
): Promise<Payment> {
  return changePayment(db, _id, session, (known) => {
    const before = known.refunds.find((refund) => refund.refundId === refundId)?.amountMinor ?? 0;
    const others = known.refunds.filter((refund) => refund.refundId !== refundId);
    const refunds = [...others, { refundId, amountMinor: Math.max(before, amountMinor) }];
    return { refunds, refundedMinor: refunds.reduce((sum, refund) => sum + refund.amountMinor, 0) };
  });
}

/** Records that the provider could not pay a refund. @returns the changed payment. */
export function recordFailedRefund(
  db: Models,
  _id: string,
  refundId: string,
  session: ClientSession,
): Promise<Payment> {
  return changePayment(db, _id, session, ({ failedRefunds = [] }) => ({
    failedRefunds: [...failedRefunds.filter((id) => id !== refundId), refundId],
  }));
}

/** Records an event of a dispute. @returns the changed payment. */
export function recordDispute(
  db: Models,
  _id: string,
  dispute: NonNullable<Payment["disputes"]>[number],
  session: ClientSession,
): Promise<Payment> {
  return changePayment(db, _id, session, ({ disputes = [] }) => ({
    disputes: [...disputes.filter(({ subject }) => subject !== dispute.subject), dispute],
  }));
}

/** Writes the payment also when nothing changed, so that two transactions about it always conflict. */
async function changePayment(
  db: Models,
  _id: string,
  session: ClientSession,
  change: (known: Omit<Payment, "updatedAt">) => Partial<Payment>,
): Promise<Payment> {
  const known = (await findPayment(db, _id, session)) ?? { _id, ...unreported, revision: 0 };
  const payment = { ...known, ...change(known), revision: known.revision + 1, updatedAt: new Date() };
  await nativeCollection(db.Payment).replaceOne({ _id }, payment, { session, upsert: true });
  return payment;
}
