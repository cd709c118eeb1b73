import { createHash } from "node:crypto";
import { type ClientSession, type mongo, Types } from "mongoose";
import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";
import type { Config } from "../../../config.js";
import { isDuplicateKey } from "../../../db/database-errors.js";
import type { Db } from "../../../db/db.js";
import { backoffMs } from "../../../lib/backoff.js";
import { isObjectId } from "../../../lib/fields.js";
import {
  insertPaymentEvent,
  type PaymentEvent,
  setEventResult,
  setNextAttempt,
} from "../../../models/payments/payment-event.js";
import { findPurchase } from "../../../models/payments/purchase-queries.js";
import type { Payments } from "../../../providers/razorpay.js";
import type { ProviderPayment } from "../../../providers/razorpay-replies.js";
import { metricOf, observeEventAge } from "../../metrics.js";
import { saleTransaction } from "../settle-purchase.js";
import { applyPaymentEvent, isPaymentEventName } from "./apply-payment-event.js";
import {
  captureEvents,
  captureFound,
  type EventEffect,
  readPaymentEvent,
  withoutPayerData,
} from "./read-payment-event.js";

export interface PaymentEventDeps {
  readonly db: Db;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly config: Pick<Config, "invoices">;
}

/** For work that asks the payment provider. */
export type ProviderDeps = PaymentEventDeps & { readonly payments: Payments };

/** How long a fresh event belongs to the request that stored it. Then the job that resumes events takes it. */
const resumeAfterMs = 3_000;
const maxPauseMs = 10 * 60_000;

/** A query without Mongoose's documents reads a body as the driver's `Binary`. */
type StoredEvent = Omit<PaymentEvent, "body"> & { body: Buffer | mongo.Binary };

/**
 * Stores a verified event under the SHA-256 of its raw bytes. A majority has acknowledged it when this returns.
 * @returns the stored event, also when an earlier delivery stored it. @throws when nothing could be stored.
 */
export async function storePaymentEvent(
  { db }: Pick<PaymentEventDeps, "db">,
  body: Buffer,
  headerEventId: string | null,
): Promise<StoredEvent> {
  const eventKey = createHash("sha256").update(body).digest("hex");
  const read = readPaymentEvent(body);
  const now = new Date();
  const row: PaymentEvent = {
    _id: new Types.ObjectId(),
    eventKey,
    event: read.event,
    headerEventId,
    paymentId: read.paymentId ?? null,
    orderId: read.orderId ?? null,
    purchaseId: read.purchaseId ?? null,
    refundId: read.refundId ?? null,
    amountMinor: read.refundAmount ?? (Number.isSafeInteger(read.amount) ? Number(read.amount) : null),
    body: withoutPayerData(body),
    state: "pending",
    outcome: "",
    reviewReason: null,
    attempts: 0,
    nextAttemptAt: new Date(now.getTime() + resumeAfterMs),
    createdAt: now,
    updatedAt: now,
  };
  // Of two concurrent first deliveries the unique index refuses one, which then finds the other's row.
  const known = await insertPaymentEvent(db, row).catch((error: unknown) => {
    if (isDuplicateKey(error)) return insertPaymentEvent(db, row);
    throw error;
  });
  return known ? { ...known, body } : row;
}

type AlsoWrite = (session: ClientSession, effect: EventEffect) => Promise<void>;

/**
 * Applies a stored event and marks it with the result, in one transaction. A processed event is not applied again, unless
 * `also` is given. After an error, the job tries again with a growing back-off.
 * @param also writes in the same transaction. @returns the result; undefined when it did not finish.
 */
export async function processPaymentEvent(
  events: PaymentEventDeps,
  stored: StoredEvent,
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
async function postpone(events: PaymentEventDeps, stored: StoredEvent, error: unknown): Promise<void> {
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

async function apply(events: PaymentEventDeps, stored: StoredEvent, also?: AlsoWrite): Promise<EventEffect> {
  const { _id: eventId, eventKey, purchaseId, body } = stored;
  const courseOf = async () => {
    const _id = purchaseId !== null && isObjectId(purchaseId) ? new Types.ObjectId(purchaseId) : null;
    return (_id && (await findPurchase(events.db, { _id })))?.courseId;
  };
  return saleTransaction(events.db, courseOf, async (session) => {
    const raw = Buffer.isBuffer(body) ? body : Buffer.from(body.value());
    const effect = await applyPaymentEvent(events, session, { body: raw, eventKey });
    if (effect.state !== stored.state || effect.reviewReason !== stored.reviewReason) {
      await setEventResult(events.db, { _id: eventId, ...effect }, session);
    }
    await also?.(session, effect);
    return effect;
  });
}

function report(
  events: PaymentEventDeps,
  { event, _id }: StoredEvent,
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
 * Stores and applies an event that the server found out itself, in the form of the provider's webhooks.
 * @param entities by their names in the payload. @returns the result; undefined when it did not finish.
 */
export async function applyFoundEvent(
  events: PaymentEventDeps,
  event: string,
  entities: Readonly<Record<string, object>>,
): Promise<EventEffect | undefined> {
  const payload = Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }]));
  const body = Buffer.from(JSON.stringify({ event, payload }));
  return processPaymentEvent(events, await storePaymentEvent(events, body, null));
}

/**
 * Stores and applies a capture that no webhook has reported.
 * @param purchaseId as the provider's notes name it: it may be no purchase at all. @returns as `applyFoundEvent`.
 */
export function applyFoundCapture(
  events: PaymentEventDeps,
  { id, orderId, amountMinor, currency, paidAt }: Omit<ProviderPayment, "captured" | "notes">,
  purchaseId: unknown,
): Promise<EventEffect | undefined> {
  const created_at = paidAt && Math.ceil(paidAt.getTime() / 1_000) - 1;
  const payment = { id, order_id: orderId, amount: amountMinor, currency, created_at, notes: { purchaseId } };
  return applyFoundEvent(events, captureFound, { payment });
}

/** Whether a capture of the payment is stored, from a webhook or from the provider's answer. */
export const isCaptureStored = async (db: Db, paymentId: string): Promise<boolean> =>
  (await db.PaymentEvent.exists({ paymentId, event: { $in: captureEvents } })) !== null;
