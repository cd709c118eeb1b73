import type { ClientSession } from "mongoose";
import type { Models } from "../index.js";
import { majority, nativeCollection } from "../native-collection.js";
import type { PaymentEvent } from "./payment-event.js";
import type { ReviewReason } from "./purchase.js";

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

/** Events that need no review any more. */
type Settled =
  | { readonly paymentId: string; readonly event: { $in: string[] } }
  | {
      readonly paymentId: string;
      readonly reviewReason: { $ne: "disputed" } | { $in: ReviewReason[] } | "duplicate_charge";
    }
  | { readonly refundId: string; readonly event: string };

/** Marks events that need review as processed. */
export async function settleEvents(db: Models, which: Settled, outcome: string, session: ClientSession): Promise<void> {
  const settled = { $set: { state: "processed" as const, outcome, reviewReason: null, updatedAt: new Date() } };
  await nativeCollection(db.PaymentEvent).updateMany({ ...which, state: "review" }, settled, { session });
}

/** Gives refunds in part that came before the capture of their payment the reason `partial_refund`. */
export async function renameEarlyRefunds(db: Models, paymentId: string, session: ClientSession): Promise<void> {
  const early = { paymentId, event: "refund.processed", state: "review", reviewReason: "unknown_purchase" } as const;
  const known = { $set: { reviewReason: "partial_refund" as const, updatedAt: new Date() } };
  await nativeCollection(db.PaymentEvent).updateMany(early, known, { session });
}
