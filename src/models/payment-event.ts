import { Schema, type Types } from "mongoose";
import type { ReviewReason } from "./purchase.js";

/** `pending`: stored, effect not finished. `review`: an operator is asked to look. */
export const paymentEventStates = ["pending", "processed", "review"] as const;
export type PaymentEventState = (typeof paymentEventStates)[number];

/** One verified message of the payment provider, stored before it takes effect. Append-only but for its handling. */
export interface PaymentEvent {
  _id: Types.ObjectId;
  /** SHA-256 of the raw body, hex. */
  eventKey: string;
  /** The provider's name for it; empty when the body could not be read. */
  event: string;
  /** The unsigned event-id header: for the operator's eye, never trusted. */
  headerEventId: string | null;
  paymentId: string | null;
  orderId: string | null;
  /** As the event names it, which may be no purchase at all. */
  purchaseId: string | null;
  refundId: string | null;
  /** Minor units of the refund or payment. */
  amountMinor: number | null;
  body: Buffer;
  state: PaymentEventState;
  /** What came of it, in a word or two. */
  outcome: string;
  reviewReason: ReviewReason | "unreadable" | null;
  /** How often its effect was tried in vain, and when it is tried again. */
  attempts: number;
  nextAttemptAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

export const paymentEventSchema = new Schema<PaymentEvent>(
  {
    eventKey: { type: String, required: true },
    event: { type: String, default: "" },
    headerEventId: { type: String, default: null },
    paymentId: { type: String, default: null },
    orderId: { type: String, default: null },
    purchaseId: { type: String, default: null },
    refundId: { type: String, default: null },
    amountMinor: { type: Number, default: null },
    body: { type: Buffer, required: true },
    state: { type: String, enum: paymentEventStates, required: true },
    outcome: { type: String, default: "" },
    reviewReason: { type: String, default: null },
    attempts: { type: Number, default: 0 },
    nextAttemptAt: { type: Date, required: true },
  },
  { timestamps: true, versionKey: false, writeConcern: { w: "majority" } },
);
paymentEventSchema.index({ eventKey: 1 }, { unique: true });
paymentEventSchema.index({ paymentId: 1, event: 1 }); // the refunds of a payment, however they arrived
paymentEventSchema.index({ state: 1, nextAttemptAt: 1 }); // the sweep
paymentEventSchema.index({ state: 1, _id: -1 }); // the operator's list, newest first
