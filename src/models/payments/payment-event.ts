import type { ClientSession, Model } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { majority, nativeCollection } from "../native-collection.js";
import { bytesField, objectIdField, rowTimes, withDefault } from "../row.js";
import { reviewReasons } from "./purchase.js";

/** `pending`: stored, and its effect is not finished. `review`: an operator has to look at it. */
export const paymentEventStates = ["pending", "processed", "review"] as const;

/**
 * One verified event of the payment provider, stored before it takes effect. Only the fields about its handling change. After a
 * restore, money of no known purchase that the provider names is stored as an event in review without a body.
 */
export type PaymentEvent = z.input<typeof paymentEventRow>;
const paymentEventRow = z.object({
  _id: objectIdField,
  /** SHA-256 of the raw body, hex. */
  eventKey: z.string(),
  /** The provider's name of the event; empty when the body could not be read. */
  event: withDefault(z.string(), ""),
  /** The unsigned event-id header: shown to operators, never trusted. */
  headerEventId: z.string().nullable(),
  paymentId: z.string().nullable(),
  orderId: z.string().nullable(),
  /** The id in the event. It may belong to no purchase. */
  purchaseId: z.string().nullable(),
  refundId: z.string().nullable(),
  /** Minor units of the refund or payment. */
  amountMinor: z.number().nullable(),
  body: bytesField,
  state: z.enum(paymentEventStates),
  /** The result, in a word or two. */
  outcome: withDefault(z.string(), ""),
  reviewReason: z.enum([...reviewReasons, "unreadable"]).nullable(),
  /** The note of the operator who settled the event. */
  review: z.object({ reason: z.string().nullable(), note: z.string(), by: z.string(), at: timestamp }).exactOptional(),
  /** How often the effect failed. */
  attempts: withDefault(z.number(), 0),
  nextAttemptAt: timestamp,
  ...rowTimes,
});

export const paymentEventCollection = defineCollection({
  row: paymentEventRow,
  options: { writeConcern: { w: "majority" } },
  indexes: [
    [{ eventKey: 1 }, { unique: true }],
    [{ paymentId: 1, event: 1 }], // the refunds of a payment, however they arrived
    [{ state: 1, nextAttemptAt: 1 }], // the job that resumes
    [{ state: 1, _id: -1 }], // the operator's list, newest first
  ],
  holds: "every verified payment event with its result, without the payer's data",
  kept: "for good: evidence about money",
  userData: {
    erasure: { keep: "names the operator who settled a review; the payer's data are cut before it is stored" },
  },
});

type Models = { readonly PaymentEvent: Model<PaymentEvent> };

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
  await db.PaymentEvent.updateOne({ _id, state: "pending" }, { $set: { attempts, nextAttemptAt } });
}

/** Ends the review of the events of a payment, because its purchase is known now, or all of it was paid back. */
export async function closeEventReviews(db: Models, paymentId: string, session: ClientSession): Promise<void> {
  const closed = { state: "processed" as const, outcome: "known now", reviewReason: null };
  await db.PaymentEvent.updateMany({ paymentId, state: "review" }, { $set: closed }, { session });
}
