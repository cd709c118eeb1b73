import { type ClientSession, Types } from "mongoose";
import { Counter } from "prom-client";
import { backoffMs } from "../../../lib/backoff.js";
import { isObjectId } from "../../../lib/fields.js";
import { type PaymentEvent, setEventResult, setNextAttempt } from "../../../models/payments/payment-event.js";
import { findPurchase } from "../../../models/payments/purchase-queries.js";
import type { ReadEvent } from "../../../providers/razorpay-events.js";
import { metricOf, observeEventAge } from "../../metrics.js";
import { closed, isUnfinished, withDispute, withRefund } from "../facts.js";
import { paidMinor } from "../position.js";
import { scheduleCheck } from "../reconcile/check-schedule.js";
import { outcomeOf, recordProof } from "../record-proof.js";
import { recordRefund } from "../refunds/record-refund.js";
import { saleTransaction } from "../sale-transaction.js";
import {
  isUnknownPaidBack,
  type PaymentEventDeps,
  purchaseFact,
  type SaleDeps,
  type SettledPayment,
  settle,
  settlePayment,
} from "../settle-purchase.js";
import { readStored, resumeAfterMs, type StoredPaymentEvent } from "./store-payment-event.js";

/** A capture of an unknown purchase that the provider named when it was asked. */
export const captureFound = "lyceum.capture_found";

/** The result of an event. */
export type EventEffect = Pick<PaymentEvent, "state" | "outcome" | "reviewReason">;

export const processed = (outcome: string): EventEffect => ({ state: "processed", outcome, reviewReason: null });

const needsReview = (reviewReason: "unknown_purchase" | "unreadable"): EventEffect => ({
  state: "review",
  outcome: "needs review",
  reviewReason,
});

/** An event is in review only while no purchase is known for it. All about a known purchase is a flag of the purchase. */
function effectOn({ payment, purchase }: Pick<SettledPayment, "payment" | "purchase">, outcome: string): EventEffect {
  if (purchase) return processed(outcome);
  return isUnknownPaidBack(payment) ? processed("paid back") : needsReview("unknown_purchase");
}

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

const maxPauseMs = 10 * 60_000;

type AlsoWrite = (session: ClientSession, effect: EventEffect) => Promise<void>;

/**
 * Applies a stored event and marks it with the result, in one transaction. A processed event is not applied again, unless
 * `also` is given. After an error, the job tries again with a growing back-off.
 * @param also writes in the same transaction. @returns the result; undefined when it did not finish.
 */
export async function processPaymentEvent(
  events: PaymentEventDeps,
  stored: StoredPaymentEvent,
  also?: AlsoWrite,
): Promise<EventEffect | undefined> {
  const { db } = events;
  try {
    const effect = stored.state === "processed" && !also ? stored : await apply(events, stored, also);
    report(events, stored, effect);
    if (stored.state === "pending") observeEventAge(events.metrics, "payment", stored.createdAt);
    // The event may have made a purchase due for a check at the provider.
    db.jobWakeups.emit("Purchase");
    return effect;
  } catch (error) {
    await postpone(events, stored, error);
    return undefined;
  }
}

/** Schedules the next attempt of an event whose effect did not finish. */
async function postpone(events: PaymentEventDeps, stored: StoredPaymentEvent, error: unknown): Promise<void> {
  const { db, log } = events;
  const { _id, event } = stored;
  const attempts = stored.attempts + 1;
  const pauseMs = backoffMs(attempts, { firstMs: resumeAfterMs, maxMs: maxPauseMs });
  const nextAttemptAt = new Date(Date.now() + pauseMs);
  count(events, event, "unfinished");
  log.warn(
    { eventId: "payment_event_unfinished", event, paymentEventId: String(_id), attempts, cause: String(error) },
    "payment event unfinished",
  );
  await setNextAttempt(db, { _id, attempts, nextAttemptAt }).catch(() => undefined);
  db.jobWakeups.emit("PaymentEvent");
}

async function apply(events: PaymentEventDeps, stored: StoredPaymentEvent, also?: AlsoWrite): Promise<EventEffect> {
  const { _id: eventId, eventKey, purchaseId } = stored;
  const findSold = async () => {
    const _id = toId(purchaseId ?? "");
    return (_id && (await findPurchase(events.db, { _id }))) ?? undefined;
  };
  return saleTransaction(events.db, findSold, async (session) => {
    const effect = await effectOf(events, session, readStored(stored), eventKey);
    if (effect.state !== stored.state || effect.reviewReason !== stored.reviewReason) {
      await setEventResult(events.db, { _id: eventId, ...effect }, session);
    }
    await also?.(session, effect);
    return effect;
  });
}

function report(
  events: PaymentEventDeps,
  { event, _id }: StoredPaymentEvent,
  { state, outcome, reviewReason }: EventEffect,
): void {
  count(events, event, reviewReason ?? state);
  const line = { event, paymentEventId: String(_id), outcome, ...(reviewReason && { reviewReason }) };
  if (state === "review")
    events.log.warn({ eventId: "payment_event_in_review", ...line }, "payment event needs review");
  else events.log.info({ eventId: "payment_event_handled", ...line }, "payment event handled");
}

/** Names of events come from outside: only the known ones become label values. */
function count({ metrics }: PaymentEventDeps, event: string, outcome: string): void {
  const help = "Payment events by their result";
  const events = metricOf(
    metrics,
    "lyceum_payment_events_total",
    (as) => new Counter({ ...as, help, labelNames: ["event", "outcome"] }),
  );
  events.inc({ event: isPaymentEventName(event) ? event : "other", outcome });
}

/**
 * Records the fact that a stored event reports, in the caller's transaction. Events may come in any order, repeated and
 * concurrently.
 */
async function effectOf(
  deps: SaleDeps,
  session: ClientSession,
  read: ReadEvent,
  eventKey: string,
): Promise<EventEffect> {
  if (!read.readable) return needsReview("unreadable");
  const { event } = read;
  if (event === captureFound) return applyCapture(deps, session, read, eventKey);
  if (!isPaymentEventName(event)) return processed("no effect");
  return paymentEvents[event].apply(deps, session, read, eventKey);
}

const toId = (purchaseId: string): Types.ObjectId | undefined =>
  isObjectId(purchaseId) ? new Types.ObjectId(purchaseId) : undefined;

async function applyCapture(
  deps: SaleDeps,
  session: ClientSession,
  { paymentId, purchaseId = "", orderId, amount, currency, paidAt }: ReadEvent,
  eventKey: string,
): Promise<EventEffect> {
  if (paymentId === undefined) return needsReview("unknown_purchase");
  const report = { paymentId, orderId, amount, currency, paidAt, proof: "capture", eventKey } as const;
  const settled = await recordProof(deps, session, toId(purchaseId), report);
  // A payment without our note completes nothing by itself, so the provider is asked about its order.
  if (purchaseId === "" && orderId !== undefined) await scheduleCheck(deps.db, session, { providerOrderId: orderId });
  return effectOn(settled, outcomeOf(settled));
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
  const isOfAnother = orderId && purchase.providerOrderId && orderId !== purchase.providerOrderId;
  if (isOfAnother || !isUnfinished(purchase)) return processed("no effect");
  await settle(
    deps,
    session,
    purchase._id,
    purchaseFact((unpaid) => closed(unpaid, "payment")),
  );
  return processed("failed");
}

/** Has the provider asked about the order, because the event is no proof of a capture. */
async function applyPaidOrder({ db }: SaleDeps, session: ClientSession, { orderId }: ReadEvent): Promise<EventEffect> {
  const known = orderId !== undefined && (await scheduleCheck(db, session, { providerOrderId: orderId }));
  return processed(known ? "provider is asked" : "no effect");
}

/** Applies a refund that was paid, or could not be paid. A refund without an id counts once for each message. */
async function applyRefund(
  deps: SaleDeps,
  session: ClientSession,
  { event, paymentId, refundId, refundReference, refundAmount = 0 }: ReadEvent,
  eventKey: string,
): Promise<EventEffect> {
  if (paymentId === undefined) return needsReview("unknown_purchase");
  const hasSucceeded = event === "refund.processed";
  const about = { refundId: refundId ?? eventKey, reference: refundReference, amountMinor: refundAmount };
  const settled = await recordRefund(deps, session, paymentId, { ...about, hasSucceeded, eventKey });
  return effectOn(settled, hasSucceeded ? "refund" : "refund failed");
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
  const settled = await settlePayment(deps, session, about, ({ payment, purchase }) => {
    const disputed = withDispute(payment, { subject: `${id} ${event}`, eventKey, ...(phase && { phase }) });
    const owned = purchase && !disputed.purchaseId ? { ...disputed, purchaseId: purchase._id } : disputed;
    if (event !== "payment.dispute.lost") return { payment: owned, purchase };
    const told = typeof amount === "number" && Number.isSafeInteger(amount) ? amount : 0;
    const whole = purchase ? paidMinor(purchase, payment) : (payment.amountMinor ?? told);
    return { payment: withRefund(owned, { refundId: id, amountMinor: whole }), purchase };
  });
  return effectOn(settled, "disputed");
}
