import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import type { PaymentEvent } from "../../models/payments/payment-event.js";
import type { Purchase, ReviewReason } from "../../models/payments/purchase.js";
import { type Actor, audited } from "../audit/record-audit.js";
import { processed, processPaymentEvent } from "./events/apply-payment-event.js";
import { noted } from "./facts.js";
import { PurchaseNotFound } from "./refunds/request-refund.js";
import { type PaymentEventDeps, purchaseFact, type SaleDeps, settle } from "./settle-purchase.js";

export const PaymentEventNotFound = failure("payment_event_not_found", 404, "Payment event not found");
export const NothingToReview = failure("nothing_to_review", 409, "Nothing to review");

interface Review {
  readonly note: string;
  readonly by: Actor;
}

/**
 * Closes one reason for which a purchase is flagged, with an operator's note. Other reasons stay open.
 * @returns the changed purchase. @throws PurchaseNotFound; NothingToReview when the reason is not open.
 */
export function resolvePurchaseReview(
  deps: SaleDeps,
  purchaseId: string,
  { reason, note, by }: Review & { readonly reason: ReviewReason },
): Promise<Purchase> {
  const { db } = deps;
  return db.transaction(async (session) => {
    let before: Purchase | undefined;
    const add = purchaseFact((purchase) => {
      before = purchase;
      return noted(purchase, reason, { note, by: by.userId });
    });
    const settled = await settle(deps, session, new Types.ObjectId(purchaseId), add);
    if (!settled || !before) throw PurchaseNotFound();
    const { purchase } = settled;
    if (!before.reviews?.some((flag) => flag.state === "open" && flag.reason === reason)) throw NothingToReview();
    await audited(db, session, by, "purchase.review", ["purchase", before._id], {
      before: { reviewReason: before.reviewReason },
      after: { reason, note, reviewReason: purchase.reviewReason },
    });
    return purchase;
  });
}

/**
 * Closes the review of a payment event with an operator's note. A repeat of the event does not open it again.
 * @returns the changed event. @throws PaymentEventNotFound; NothingToReview when it does not need review.
 */
export function resolveEventReview(db: Db, eventId: string, { note, by }: Review): Promise<PaymentEvent> {
  return db.transaction(async (session) => {
    const before = await db.PaymentEvent.findById(eventId, { body: 0 }).session(session).lean<PaymentEvent>();
    if (!before) throw PaymentEventNotFound();
    const { state, reviewReason } = before;
    const settled = { ...processed("reviewed"), review: { reason: reviewReason, note, by: by.userId, at: new Date() } };
    const event = await db.PaymentEvent.findOneAndUpdate(
      { _id: before._id, state: "review" },
      { $set: settled },
      { session, returnDocument: "after", projection: { body: 0 } },
    ).lean<PaymentEvent>();
    if (!event) throw NothingToReview();
    await audited(db, session, by, "payment-event.review", ["payment-event", before._id], {
      before: { state, reviewReason },
      after: { state: event.state, note },
    });
    return event;
  });
}

/**
 * Applies a stored event once more, as a redelivery would, after an operator has removed the cause of its failure.
 * @returns the changed event. @throws PaymentEventNotFound; an error when the effect did not finish.
 */
export async function replayPaymentEvent(events: PaymentEventDeps, eventId: string, by: Actor): Promise<PaymentEvent> {
  const { db } = events;
  const stored = await db.PaymentEvent.findById(eventId).lean<PaymentEvent>();
  if (!stored) throw PaymentEventNotFound();
  const { state, reviewReason } = stored;
  const effect = await processPaymentEvent(events, stored, (session, after) =>
    audited(db, session, by, "payment-event.replay", ["payment-event", eventId], {
      before: { state, reviewReason },
      after,
    }),
  );
  if (!effect) throw new Error("the event's effect did not finish");
  return { ...stored, ...effect };
}
