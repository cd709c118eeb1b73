import { type ClientSession, Schema, type Types } from "mongoose";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";

/**
 * One payment at the provider, as its events and replies reported it. Every transaction about a capture or a refund of
 * it writes this document, so that two of them never pass each other unseen.
 */
export interface Payment {
  /** The provider's payment id. */
  _id: string;
  /** The purchase that it was for, as a capture named it. */
  purchaseId: Types.ObjectId | null;
  /** Minor units; null until a capture has said it. */
  amountMinor: number | null;
  /** Whether a capture of it was reported. */
  captured: boolean;
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

export const paymentSchema = new Schema<Payment>(
  {
    _id: { type: String, required: true },
    purchaseId: { type: Schema.Types.ObjectId, default: null },
    amountMinor: { type: Number, default: null },
    captured: { type: Boolean, default: false },
    refunds: { type: [new Schema({ refundId: String, amountMinor: Number }, { _id: false })], default: [] },
    refundedMinor: { type: Number, default: 0 },
    failedRefunds: { type: [String], default: undefined },
    disputes: { type: [new Schema({ subject: String, eventKey: String }, { _id: false })], default: undefined },
    revision: { type: Number, default: 0 },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false },
);

export function findPayment(db: Models, _id: string, session?: ClientSession): Promise<Payment | null> {
  return nativeCollection(db.Payment).findOne({ _id }, { ...(session && { session }) });
}

/** A payment that was captured for a purchase, whether or not it completed it. */
export function findCapturedPayment(
  db: Models,
  { _id, purchaseId }: { _id: string; purchaseId: Types.ObjectId },
): Promise<Payment | null> {
  return nativeCollection(db.Payment).findOne({ _id, purchaseId, captured: true });
}

/** Notes that a payment was captured. @returns what was known of it before; null when it is new. */
export function setCaptured(
  db: Models,
  _id: string,
  reported: Partial<Pick<Payment, "purchaseId" | "amountMinor">>,
  session: ClientSession,
): Promise<Payment | null> {
  const unknown = { purchaseId: null, amountMinor: null, refunds: [], refundedMinor: 0 };
  return nativeCollection(db.Payment).findOneAndUpdate(
    { _id },
    {
      $set: { ...reported, captured: true, updatedAt: new Date() },
      $inc: { revision: 1 },
      $setOnInsert: Object.fromEntries(Object.entries(unknown).filter(([field]) => !(field in reported))),
    },
    { session, upsert: true, returnDocument: "before" },
  );
}

export async function replacePayment(db: Models, payment: Payment, session: ClientSession): Promise<void> {
  await nativeCollection(db.Payment).replaceOne({ _id: payment._id }, payment, { session, upsert: true });
}
