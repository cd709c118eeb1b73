import { type ClientSession, Types } from "mongoose";
import { isObjectId } from "../../../lib/fields.js";
import type { PaymentEvent } from "../../../models/payments/payment-event.js";
import type { FailureCause } from "../../../models/payments/purchase.js";
import { findPurchase } from "../../../models/payments/purchase-queries.js";
import { askedNow, closed, everyState, withAttempt, withDispute, withFailedRefund, withRefund } from "../facts.js";
import { paidMinor } from "../position.js";
import { scheduleCheck } from "../reconcile/check-schedule.js";
import { recordProof } from "../record-proof.js";
import { purchaseFact, type SaleDeps, settle, settlePayment } from "../settle-purchase.js";
import {
  captureFound,
  checkoutVerified,
  type EventEffect,
  needsReview,
  processed,
  type ReadEvent,
  readPaymentEvent,
} from "./read-payment-event.js";
import { effectOf } from "./settle-events.js";

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
    apply: applyProof,
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
    apply: applyRefund,
  },
  "payment.dispute.created": dispute("Flags the purchase for review."),
  "payment.dispute.under_review": dispute("Flags the purchase for review."),
  "payment.dispute.won": dispute("Flags the purchase for review."),
  "payment.dispute.closed": dispute("Flags the purchase for review."),
  "payment.dispute.lost": dispute("Flags the purchase for review, and has the effect of a full refund."),
} as const satisfies Record<string, PaymentEventEntry>;

export type PaymentEventName = keyof typeof paymentEvents;

export const isPaymentEventName = (event: string): event is PaymentEventName => Object.hasOwn(paymentEvents, event);

/**
 * Records the fact that a stored event reports, in the caller's transaction. Events may come in any order, repeated and
 * concurrently.
 */
export async function applyPaymentEvent(
  deps: SaleDeps,
  session: ClientSession,
  { body, eventKey }: Pick<PaymentEvent, "body" | "eventKey">,
): Promise<EventEffect> {
  const read = readPaymentEvent(body);
  if (!read.readable) return needsReview("unreadable");
  const { event } = read;
  if (event === captureFound || event === checkoutVerified) return applyProof(deps, session, read, eventKey);
  if (!isPaymentEventName(event)) return processed("no effect");
  return paymentEvents[event].apply(deps, session, read, eventKey);
}

const toId = (purchaseId: string): Types.ObjectId | undefined =>
  isObjectId(purchaseId) ? new Types.ObjectId(purchaseId) : undefined;

/** Applies a capture, or a checkout that its signature proved. */
async function applyProof(
  deps: SaleDeps,
  session: ClientSession,
  { event, paymentId, purchaseId = "", orderId, amount, currency, paidAt }: ReadEvent,
  eventKey: string,
): Promise<EventEffect> {
  if (paymentId === undefined) return needsReview("unknown_purchase");
  const { db } = deps;
  const proof = event === checkoutVerified ? "signature" : "capture";
  const report = { paymentId, orderId, amount, currency, paidAt, proof, eventKey } as const;
  const { payment, purchase } = await recordProof(deps, session, toId(purchaseId), report);
  const effect = effectOf({ event, refundId: null, eventKey }, payment, purchase);
  // A payment without our note completes nothing by itself, so the provider is asked about its order.
  if (purchaseId === "" && orderId !== undefined) await scheduleCheck(db, session, { providerOrderId: orderId });
  if (effect.state !== "review") return effect;
  // The server learns of a capture from the webhook and by asking the provider. One of the two events in review is enough.
  const other = event === captureFound ? "payment.captured" : captureFound;
  const { reviewReason } = effect;
  const inReview = { paymentId, event: other, reviewReason, state: "review" as const };
  return (await db.PaymentEvent.exists(inReview).session(session)) ? processed("in review already") : effect;
}

async function applyFailedPayment(
  deps: SaleDeps,
  session: ClientSession,
  { purchaseId = "", orderId }: ReadEvent,
): Promise<EventEffect> {
  if (purchaseId === "" && orderId === undefined) return processed("no effect");
  // The note of the payment names the purchase, or else its order does.
  const _id = toId(purchaseId);
  const named = _id && (await findPurchase(deps.db, { _id }, session));
  const purchase = named ?? (orderId ? await findPurchase(deps.db, { providerOrderId: orderId }, session) : null);
  if (!purchase) return needsReview("unknown_purchase");
  if (orderId && purchase.providerOrderId && orderId !== purchase.providerOrderId) return needsReview("order_mismatch");
  return processed((await close(deps, session, purchase._id, "payment")) ? "failed" : "no effect");
}

/** Closes an unfinished purchase. @returns whether it failed now. */
export async function close(
  deps: SaleDeps,
  session: ClientSession,
  purchaseId: Types.ObjectId,
  because: FailureCause,
): Promise<boolean> {
  const settled = await settle(
    deps,
    session,
    purchaseId,
    purchaseFact((purchase) => closed(purchase, because)),
  );
  return settled?.purchase.status === "failed" && settled.was !== "failed";
}

/** Has the provider asked about the order, because the event is no proof of a capture. */
async function applyPaidOrder({ db }: SaleDeps, session: ClientSession, { orderId }: ReadEvent): Promise<EventEffect> {
  const known = orderId !== undefined && (await scheduleCheck(db, session, { providerOrderId: orderId }));
  return processed(known ? "provider is asked" : "no effect");
}

/** Applies a refund that was paid, or could not be paid. */
async function applyRefund(
  deps: SaleDeps,
  session: ClientSession,
  { event, paymentId, refundId, refundReference, refundAmount = 0 }: ReadEvent,
  eventKey: string,
): Promise<EventEffect> {
  if (paymentId === undefined) return needsReview("unknown_purchase");
  const id = refundId ?? eventKey;
  const isPaid = event === "refund.processed";
  const settled = await settlePayment(deps, session, { paymentId, eventKey }, ({ payment: known, purchase }) => {
    const payment = isPaid
      ? withRefund(known, { refundId: id, amountMinor: refundAmount })
      : withFailedRefund(known, id);
    if (!purchase) return { payment, purchase };
    const isPaidAfterAll = !isPaid && payment.refunds.some((refund) => refund.refundId === id);
    const attempt = { state: isPaid ? "paid" : "failed", refundId: id } as const;
    const told = isPaidAfterAll
      ? purchase
      : withAttempt(purchase, { reference: refundReference, refundId }, attempt, everyState);
    // A refund without an amount counts as nothing, so the provider is asked.
    return { payment, purchase: isPaid && refundAmount === 0 && payment !== known ? askedNow(told) : told };
  });
  return effectOf({ event, refundId: id, eventKey }, settled.payment, settled.purchase);
}

/**
 * Applies a dispute. Each phase flags the purchase; before the capture it is recorded for later. A lost dispute has the
 * effect of a full refund.
 */
async function applyDispute(
  deps: SaleDeps,
  session: ClientSession,
  { event, paymentId, purchaseId = "", disputeId, disputePhase: phase, amount }: ReadEvent,
  eventKey: string,
): Promise<EventEffect> {
  if (paymentId === undefined) return needsReview("unknown_purchase");
  const id = disputeId ?? eventKey;
  const about = { paymentId, eventKey, inNotes: toId(purchaseId) };
  await settlePayment(deps, session, about, ({ payment, purchase }) => {
    const disputed = withDispute(payment, { subject: `${id} ${event}`, eventKey, ...(phase && { phase }) });
    const owned = purchase && !disputed.purchaseId ? { ...disputed, purchaseId: purchase._id } : disputed;
    if (event !== "payment.dispute.lost") return { payment: owned, purchase };
    const told = typeof amount === "number" && Number.isSafeInteger(amount) ? amount : 0;
    const whole = purchase ? paidMinor(purchase, payment) : (payment.amountMinor ?? told);
    return { payment: withRefund(owned, { refundId: id, amountMinor: whole }), purchase };
  });
  return needsReview("disputed");
}
