import { type ClientSession, type mongo, Schema, type Types } from "mongoose";
import { defineCollection } from "../collection.js";
import type { Models } from "../index.js";
import { majority, nativeCollection } from "../native-collection.js";
import type { ReviewReason } from "./purchase.js";

/** `pending`: stored, and its effect is not finished. `review`: an operator has to look at it. */
export const paymentEventStates = ["pending", "processed", "review"] as const;
export type PaymentEventState = (typeof paymentEventStates)[number];

/**
 * One verified event of the payment provider, or an answer of its API, stored before it takes effect. Only the fields about
 * its handling change.
 */
export interface PaymentEvent {
  _id: Types.ObjectId;
  /** SHA-256 of the raw body, hex. */
  eventKey: string;
  /** The provider's name of the event; empty when the body could not be read. */
  event: string;
  /** The unsigned event-id header: shown to operators, never trusted. */
  headerEventId: string | null;
  paymentId: string | null;
  orderId: string | null;
  /** The id in the event. It may belong to no purchase. */
  purchaseId: string | null;
  refundId: string | null;
  /** Minor units of the refund or payment. */
  amountMinor: number | null;
  body: Buffer;
  state: PaymentEventState;
  /** The result, in a word or two. */
  outcome: string;
  reviewReason: ReviewReason | "unreadable" | null;
  /** The note of the operator who settled the event. */
  review?: { reason: string | null; note: string; by: string; at: Date };
  /** How often the effect failed. */
  attempts: number;
  nextAttemptAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

const paymentEventSchema = new Schema<PaymentEvent>(
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
    review: new Schema({ reason: String, note: String, by: String, at: Date }, { _id: false }),
    attempts: { type: Number, default: 0 },
    nextAttemptAt: { type: Date, required: true },
  },
  { timestamps: true, versionKey: false, writeConcern: { w: "majority" } },
);
paymentEventSchema.index({ eventKey: 1 }, { unique: true });
paymentEventSchema.index({ paymentId: 1, event: 1 }); // the refunds of a payment, however they arrived
paymentEventSchema.index({ state: 1, nextAttemptAt: 1 }); // the job that resumes
paymentEventSchema.index({ state: 1, _id: -1 }); // the operator's list, newest first

export const paymentEventCollection = defineCollection<PaymentEvent>({
  schema: paymentEventSchema,
  holds: "every verified payment event with its result, without the payer's data",
  kept: "for good: evidence about money",
  userData: {
    erasure: { keep: "names the operator who settled a review; the payer's data are cut before it is stored" },
  },
});

/** Stores an event unless its key is known. @returns the known event without its body; null when the event is new. */
export function insertPaymentEvent(
  db: Models,
  { eventKey, ...event }: PaymentEvent,
): Promise<Omit<PaymentEvent, "body"> | null> {
  return nativeCollection(db.PaymentEvent).findOneAndUpdate(
    { eventKey },
    { $setOnInsert: event },
    { upsert: true, returnDocument: "before", projection: { body: 0 }, ...majority },
  );
}

export async function setEventResult(
  db: Models,
  { _id, state, outcome, reviewReason }: Pick<PaymentEvent, "_id" | "state" | "outcome" | "reviewReason">,
  session: ClientSession,
): Promise<void> {
  const marked = { $set: { state, outcome, reviewReason, updatedAt: new Date() } };
  await nativeCollection(db.PaymentEvent).updateOne({ _id }, marked, { session });
}

/** Schedules the next attempt of an event, unless its effect has finished meanwhile. */
export async function setNextAttempt(
  db: Models,
  { _id, attempts, nextAttemptAt }: Pick<PaymentEvent, "_id" | "attempts" | "nextAttemptAt">,
): Promise<void> {
  const again = { $set: { attempts, nextAttemptAt, updatedAt: new Date() } };
  await nativeCollection(db.PaymentEvent).updateOne({ _id, state: "pending" }, again);
}

/** Whether an event of a payment is in review for this reason. */
export async function isInReview(
  db: Models,
  which: Required<Pick<PaymentEvent, "paymentId" | "event" | "reviewReason">>,
  session: ClientSession,
): Promise<boolean> {
  const found = { ...which, state: "review" as const };
  return (await nativeCollection(db.PaymentEvent).findOne(found, { session, projection: { _id: 1 } })) !== null;
}

/** Marks events that need review as processed. */
export async function settleEvents(
  db: Models,
  which: Pick<mongo.Filter<PaymentEvent>, "paymentId" | "refundId" | "event" | "reviewReason">,
  outcome: string,
  session: ClientSession,
): Promise<void> {
  const settled = { $set: { state: "processed" as const, outcome, reviewReason: null, updatedAt: new Date() } };
  await nativeCollection(db.PaymentEvent).updateMany({ ...which, state: "review" }, settled, { session });
}

/** Gives refunds in part, or failed refunds, that came before the capture of their payment the reason of later ones. */
export async function renameEarlyRefunds(
  db: Models,
  paymentId: string,
  reviewReason: "partial_refund" | "refund_failed",
  session: ClientSession,
): Promise<void> {
  const event = reviewReason === "partial_refund" ? "refund.processed" : "refund.failed";
  const early = { paymentId, event, state: "review", reviewReason: "unknown_purchase" } as const;
  const known = { $set: { reviewReason, updatedAt: new Date() } };
  await nativeCollection(db.PaymentEvent).updateMany(early, known, { session });
}
