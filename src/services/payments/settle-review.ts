import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import type { PaymentEvent } from "../../models/payments/payment-event.js";
import type { Purchase, ReviewReason } from "../../models/payments/purchase.js";
import { recordAudit } from "../audit/record-audit.js";
import { type PaymentEventDeps, processPaymentEvent } from "./events/payment-events.js";
import { processed } from "./events/read-payment-event.js";
import { PurchaseNotFound } from "./refunds/request-refund.js";
import { settleFlags } from "./review-flags.js";

export const PaymentEventNotFound = failure("payment_event_not_found", 404, "Payment event not found");
export const NothingToReview = failure("nothing_to_review", 409, "Nothing to review");

interface Reviewer {
  readonly note: string;
  readonly actorId: string;
  readonly requestId: string;
}

/**
 * Settles one reason for which a purchase is flagged, with an operator's note. Other reasons stay open.
 * @returns the changed purchase. @throws PurchaseNotFound; NothingToReview when the reason is not open.
 */
export function settlePurchaseReview(
  db: Db,
  purchaseId: string,
  { reason, note, actorId, requestId }: Reviewer & { readonly reason: ReviewReason },
): Promise<Purchase> {
  return db.transaction(async (session) => {
    const before = await db.Purchase.findById(purchaseId).session(session).lean<Purchase>();
    if (!before) throw PurchaseNotFound();
    const settled = await settleFlags(db, session, before._id, { reasons: [reason] }, { note, by: actorId });
    if (!settled) throw NothingToReview();
    const purchase = await db.Purchase.findById(purchaseId).session(session).orFail().lean<Purchase>();
    await recordAudit(db, session, {
      actorId,
      action: "purchase.review",
      targetKind: "purchase",
      targetId: String(before._id),
      requestId,
      before: { reviewReason: before.reviewReason },
      after: { reason, note, reviewReason: purchase.reviewReason },
    });
    return purchase;
  });
}

/**
 * Settles a payment event that needs review, with an operator's note. A repeat of the event leaves it settled.
 * @returns the changed event. @throws PaymentEventNotFound; NothingToReview when it does not need review.
 */
export function settleEventReview(
  db: Db,
  eventId: string,
  { note, actorId, requestId }: Reviewer,
): Promise<PaymentEvent> {
  return db.transaction(async (session) => {
    const before = await db.PaymentEvent.findById(eventId, { body: 0 }).session(session).lean<PaymentEvent>();
    if (!before) throw PaymentEventNotFound();
    const { state, reviewReason } = before;
    const settled = { ...processed("reviewed"), review: { reason: reviewReason, note, by: actorId, at: new Date() } };
    const event = await db.PaymentEvent.findOneAndUpdate(
      { _id: before._id, state: "review" },
      { $set: settled },
      { session, returnDocument: "after", projection: { body: 0 } },
    ).lean<PaymentEvent>();
    if (!event) throw NothingToReview();
    await recordAudit(db, session, {
      actorId,
      action: "payment-event.review",
      targetKind: "payment-event",
      targetId: String(before._id),
      requestId,
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
export async function replayPaymentEvent(
  events: PaymentEventDeps,
  eventId: string,
  { actorId, requestId }: Omit<Reviewer, "note">,
): Promise<PaymentEvent> {
  const { db } = events;
  const stored = await db.PaymentEvent.findById(eventId).lean<PaymentEvent>();
  if (!stored) throw PaymentEventNotFound();
  const { state, reviewReason } = stored;
  const effect = await processPaymentEvent(events, stored, (session, after) =>
    recordAudit(db, session, {
      actorId,
      action: "payment-event.replay",
      targetKind: "payment-event",
      targetId: eventId,
      before: { state, reviewReason },
      after,
      requestId,
    }),
  );
  if (!effect) throw new Error("the event's effect did not finish");
  return { ...stored, ...effect };
}
