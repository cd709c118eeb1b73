import { type ClientSession, Schema, type Types } from "mongoose";
import { defineCollection } from "../collection.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";

/**
 * One payment at the provider, as events and replies reported it. Every transaction about a capture or a refund of the
 * payment writes this document, so that two of them always conflict.
 */
export interface Payment {
  /** The provider's payment id. */
  _id: string;
  /** The purchase that a capture named. */
  purchaseId: Types.ObjectId | null;
  /** Minor units; null until a capture has reported it. */
  amountMinor: number | null;
  /** ISO 4217; missing until a capture has reported it. */
  currency?: string;
  /** Whether a capture of it was reported. */
  captured: boolean;
  /** Whether the checkout's signature proved it. */
  signed?: boolean;
  /** Its distinct refunds, and a dispute of it that was lost. Amounts in minor units. */
  refunds: { refundId: string; amountMinor: number }[];
  /** Minor units: the sum of `refunds`. */
  refundedMinor: number;
  /** Ids of refunds that the provider could not pay. */
  failedRefunds?: string[];
  /** Events of disputes about it, as they flag its purchase. */
  disputes?: { subject: string; eventKey: string }[];
  /** How often it was written. */
  revision: number;
  updatedAt: Date;
}

const paymentSchema = new Schema<Payment>(
  {
    _id: { type: String, required: true },
    purchaseId: { type: Schema.Types.ObjectId, default: null },
    amountMinor: { type: Number, default: null },
    currency: String,
    captured: { type: Boolean, default: false },
    signed: Boolean,
    refunds: { type: [new Schema({ refundId: String, amountMinor: Number }, { _id: false })], default: [] },
    refundedMinor: { type: Number, default: 0 },
    failedRefunds: { type: [String], default: undefined },
    disputes: { type: [new Schema({ subject: String, eventKey: String }, { _id: false })], default: undefined },
    revision: { type: Number, default: 0 },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false },
);

export const paymentCollection = defineCollection<Payment>({
  schema: paymentSchema,
  holds: "captures and refunds at the payment provider",
  kept: "for good: accounting",
  userData: "none",
});

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

/** The facts that a capture or a signature reported of a payment. */
export type ReportedPayment = Partial<Pick<Payment, "purchaseId" | "amountMinor" | "currency">> &
  ({ captured: true } | { signed: true });

/** Records a payment that was captured or signed. @returns the payment before this report; null when it is new. */
export function setProven(
  db: Models,
  _id: string,
  reported: ReportedPayment,
  session: ClientSession,
): Promise<Payment | null> {
  const unknown = { purchaseId: null, amountMinor: null, captured: false, refunds: [], refundedMinor: 0 };
  return nativeCollection(db.Payment).findOneAndUpdate(
    { _id },
    {
      $set: { ...reported, updatedAt: new Date() },
      $inc: { revision: 1 },
      $setOnInsert: Object.fromEntries(Object.entries(unknown).filter(([field]) => !(field in reported))),
    },
    { session, upsert: true, returnDocument: "before" },
  );
}

export async function replacePayment(db: Models, payment: Payment, session: ClientSession): Promise<void> {
  await nativeCollection(db.Payment).replaceOne({ _id: payment._id }, payment, { session, upsert: true });
}
