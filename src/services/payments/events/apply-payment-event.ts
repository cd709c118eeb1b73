import { type ClientSession, Types } from "mongoose";
import { isObjectId } from "../../../lib/fields.js";
import { isInReview, type PaymentEvent } from "../../../models/payments/payment-event.js";
import { findPurchase } from "../../../models/payments/purchase-queries.js";
import { fulfillPurchase, type ProvenPayment, type SaleDeps } from "../fulfill-purchase.js";
import { canMove } from "../purchase-states.js";
import { scheduleCheck } from "../reconcile/check-schedule.js";
import { applyDispute, applyFailedRefund, applyRefund, settlePaidBack } from "../refunds/apply-refund-event.js";
import { failPurchase } from "../unpaid-purchases.js";
import { type EventEffect, needsReview, processed, type ReadEvent, readPaymentEvent } from "./read-payment-event.js";

/** @param eventKey identifies a refund or a dispute that has no id. */
type Apply = (deps: SaleDeps, session: ClientSession, event: ReadEvent, eventKey: string) => Promise<EventEffect>;

interface PaymentEventEntry {
  /** What the server does, for the OpenAPI document. */
  readonly summary: string;
  /** The entities in the payload of the event. */
  readonly entities: readonly ("payment" | "order" | "refund" | "dispute")[];
  readonly apply: Apply;
}

const dispute = (summary: string) => ({ summary, entities: ["payment", "dispute"], apply: applyDispute }) as const;

/**
 * The payment provider's events that have an effect. The handler, the label of the metric and the OpenAPI document all
 * come from this table. Other events are stored without an effect.
 */
export const paymentEvents = {
  "payment.captured": {
    summary: "Completes the purchase in `notes.purchaseId` and enrolls the learner.",
    entities: ["payment"],
    apply: applyCapture,
  },
  "payment.failed": {
    summary: "Fails an unfinished purchase; no effect on others.",
    entities: ["payment"],
    apply: applyFailedPayment,
  },
  "order.paid": {
    summary: "A hint: the provider is asked about the order within seconds.",
    entities: ["payment", "order"],
    apply: applyPaidOrder,
  },
  "refund.processed": {
    summary: "Adds to the refunds of the payment; when all is paid back, the access ends.",
    entities: ["refund", "payment"],
    apply: applyRefund,
  },
  "refund.failed": {
    summary: "Flags the purchase for review; another refund may be asked for.",
    entities: ["refund", "payment"],
    apply: applyFailedRefund,
  },
  "payment.dispute.created": dispute("Flags the purchase for review."),
  "payment.dispute.under_review": dispute("Flags the purchase for review."),
  "payment.dispute.won": dispute("Flags the purchase for review."),
  "payment.dispute.closed": dispute("Flags the purchase for review."),
  "payment.dispute.lost": dispute("Flags the purchase for review, and has the effect of a full refund."),
} as const satisfies Record<string, PaymentEventEntry>;

export type PaymentEventName = keyof typeof paymentEvents;

export const isPaymentEventName = (event: string): event is PaymentEventName => Object.hasOwn(paymentEvents, event);

/** A capture that the provider named when it was asked, and that completed nothing. The server stores this event itself. */
export const captureFound = "lyceum.capture_found";
/** A checkout that its signature proved and that completed nothing. The server stores this event itself as well. */
export const checkoutVerified = "lyceum.checkout_verified";

/** Events that report a capture. */
export const captureEvents = ["payment.captured", captureFound];

/**
 * Applies one stored event in the caller's transaction. Events may come in any order, repeated and concurrently. The result
 * of a set of events does not depend on their order.
 */
export async function applyPaymentEvent(
  deps: SaleDeps,
  session: ClientSession,
  { body, eventKey }: Pick<PaymentEvent, "body" | "eventKey">,
): Promise<EventEffect> {
  const read = readPaymentEvent(body);
  if (!read.readable) return needsReview("unreadable");
  const { event } = read;
  if (event === captureFound) return applyCapture(deps, session, read, eventKey);
  if (event === checkoutVerified) return applyPayment(deps, session, read, { proof: "signature", eventKey });
  if (!isPaymentEventName(event)) return processed("no effect");
  return paymentEvents[event].apply(deps, session, read, eventKey);
}

function applyCapture(deps: SaleDeps, session: ClientSession, event: ReadEvent, eventKey: string) {
  return applyPayment(deps, session, event, { proof: "capture", eventKey });
}

async function applyPayment(
  deps: SaleDeps,
  session: ClientSession,
  { event, paymentId, purchaseId = "", orderId, amount, currency, paidAt }: ReadEvent,
  source: Pick<ProvenPayment, "proof" | "eventKey">,
): Promise<EventEffect> {
  if (paymentId === undefined) return needsReview("unknown_purchase");
  const { db } = deps;
  const payment = { purchaseId, paymentId, orderId, amount, currency, paidAt, ...source };
  const fulfilled = await fulfillPurchase(deps, session, payment);
  if (fulfilled.kind !== "review") return processed(fulfilled.kind);
  // A payment without our note completes nothing by itself, so the provider is asked about its order.
  if (purchaseId === "" && orderId !== undefined) await scheduleCheck(db, session, { providerOrderId: orderId });
  const purchase = isObjectId(purchaseId) ? { _id: new Types.ObjectId(purchaseId) } : null;
  // An unknown order may be ours: the provider may have made it after the server had stopped waiting for the reply.
  if (purchase && fulfilled.reason === "order_mismatch") await scheduleCheck(db, session, purchase);
  if (fulfilled.isPaidBack) return settlePaidBack(db, session, paymentId, purchase);
  // The server learns of a capture from the webhook and by asking the provider. One of the two events in review is enough.
  const other = event === captureFound ? "payment.captured" : captureFound;
  const found = { paymentId, event: other, reviewReason: fulfilled.reason };
  return (await isInReview(db, found, session)) ? processed("in review already") : needsReview(fulfilled.reason);
}

async function applyFailedPayment(
  { db }: SaleDeps,
  session: ClientSession,
  { purchaseId = "", orderId }: ReadEvent,
): Promise<EventEffect> {
  if (purchaseId === "" && orderId === undefined) return processed("no effect");
  // The note of the payment names the purchase, or else its order does.
  const noted = isObjectId(purchaseId)
    ? await findPurchase(db, { _id: new Types.ObjectId(purchaseId) }, session)
    : null;
  const purchase = noted ?? (orderId ? await findPurchase(db, { providerOrderId: orderId }, session) : null);
  if (!purchase) return needsReview("unknown_purchase");
  if (orderId && purchase.providerOrderId && orderId !== purchase.providerOrderId) return needsReview("order_mismatch");
  if (!canMove("fail", purchase.status)) return processed("no effect");
  return processed((await failPurchase(db, session, purchase, "payment")) ? "failed" : "no effect");
}

/** Has the provider asked about the order, because the event is no proof of a capture. */
async function applyPaidOrder({ db }: SaleDeps, session: ClientSession, { orderId }: ReadEvent): Promise<EventEffect> {
  const known = orderId !== undefined && (await scheduleCheck(db, session, { providerOrderId: orderId }));
  return processed(known ? "provider is asked" : "no effect");
}
