import type { ClientSession, Types, UpdateQuery } from "mongoose";
import { Counter, type Registry } from "prom-client";
import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import type { StoredEvent } from "../../models/events/event.js";
import type { DisabledReason, Webhook } from "../../models/events/webhook.js";
import type { DeliveryState, WebhookDelivery } from "../../models/events/webhook-delivery.js";
import { attemptLimitMs, type ReceiverAnswer } from "../../providers/webhook-sender.js";
import { audited, theSystem } from "../audit/record-audit.js";
import { metricOf } from "../metrics.js";
import { withEntitledOwner } from "./receiving-owners.js";
import { signMessage } from "./sign-message.js";

export type DeliveryDeps = Pick<Deps, "db" | "log" | "metrics" | "webhooks">;

/** Time after which an attempt without a stored result counts as lost, and its delivery is due again. */
const attemptLeaseMs = attemptLimitMs + 20_000;

/** Time without a delivery after which a webhook is disabled. */
const maxFailingMs = 5 * 24 * 60 * 60_000;

const statusGone = 410;

/** A due delivery, as it was read. */
export type DueDelivery = Required<Pick<WebhookDelivery, "_id" | "nextAttemptAt" | "eventId">>;

type EventContent = Pick<StoredEvent, "at" | "data">;

/** Data that is read once for several attempts at one webhook. */
export interface AttemptContext {
  /** Whether the owner may see the webhook's events. */
  readonly isEntitled: boolean;
  /** By the ids of the events. An erased event is missing. */
  readonly events: ReadonlyMap<string, EventContent>;
}

/** Reads the data for attempts at some due deliveries of a webhook. */
export async function loadAttemptContext(
  db: Db,
  webhook: Pick<Webhook, "createdBy" | "role">,
  due: readonly DueDelivery[],
): Promise<AttemptContext> {
  const eventIds = due.flatMap(({ eventId }) => eventId ?? []);
  const [entitled, events] = await Promise.all([
    withEntitledOwner(db, [webhook]),
    eventIds.length > 0
      ? db.Event.find({ _id: { $in: eventIds } }, { at: 1, data: 1 }).lean<(EventContent & { _id: Types.ObjectId })[]>()
      : [],
  ]);
  return { isEntitled: entitled.length > 0, events: new Map(events.map((event) => [String(event._id), event])) };
}

/** A delivery during an attempt. */
type ClaimedDelivery = WebhookDelivery & Required<Pick<WebhookDelivery, "nextAttemptAt" | "slot">>;

/**
 * `attempted`: the result is stored. `removed`: there is nothing to send. `busy`: another attempt has the slot or the
 * delivery.
 */
export type AttemptOutcome = "attempted" | "removed" | "busy";

interface AttemptOptions {
  readonly context: AttemptContext;
  readonly slot: number;
  readonly always?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Makes one attempt at a due delivery, and stores its result. A conditional update claims the delivery and one of the
 * webhook's slots, so that no other instance makes the same attempt, and no webhook has more attempts than slots.
 * @param options `slot` of the attempt. `always` sends to inactive webhooks too.
 */
export async function attemptDelivery(
  deps: DeliveryDeps,
  due: DueDelivery,
  { context, slot, always = false, signal }: AttemptOptions,
): Promise<AttemptOutcome> {
  const { db } = deps;
  const { _id } = due;
  const delivery = await claim(db, due, slot);
  if (!delivery) return "busy";
  const webhook = await db.Webhook.findById(delivery.webhookId).lean<Webhook>();
  const message = messageOf(delivery, context);
  if (!webhook || !message) {
    await db.WebhookDelivery.deleteOne({ _id });
    return "removed";
  }
  const refusal = refusalOf(webhook, context, always);
  if (refusal !== undefined) {
    await storeResult(deps, delivery, webhook, { status: null, error: refusal, isUnsent: true });
    return "attempted";
  }
  try {
    const body = JSON.stringify(message);
    const headers = await signMessage(webhook, { id: String(_id), body, at: new Date() });
    const result = await deps.webhooks.send({ url: webhook.url, headers, body }, signal);
    await storeResult(deps, delivery, webhook, result);
    return "attempted";
  } catch (error) {
    // The server stops, or the lease is lost: the attempt does not count, and another instance may make it at once.
    if (signal.aborted) await giveBack(db, delivery).catch(() => undefined);
    throw error;
  }
}

/** @returns the claimed delivery; null when it is not due as it was read, or when another attempt has the slot. */
async function claim(db: Db, { _id, nextAttemptAt }: DueDelivery, slot: number): Promise<ClaimedDelivery | null> {
  const claimed = { slot, nextAttemptAt: new Date(Date.now() + attemptLeaseMs) };
  try {
    return await db.WebhookDelivery.findOneAndUpdate(
      { _id, nextAttemptAt },
      { $set: claimed },
      { returnDocument: "after" },
    ).lean<ClaimedDelivery>();
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/** Filters a delivery while this attempt has it. */
const heldBy = ({ _id, slot, nextAttemptAt }: ClaimedDelivery) => ({ _id, slot, nextAttemptAt });

async function giveBack(db: Db, delivery: ClaimedDelivery): Promise<void> {
  await db.WebhookDelivery.updateOne(heldBy(delivery), {
    $set: { nextAttemptAt: new Date() },
    $unset: { slot: 1 },
  });
}

/** @returns what is sent; undefined when the event was erased. */
function messageOf({ eventId, type, webhookId, createdAt }: WebhookDelivery, { events }: AttemptContext) {
  if (!eventId) return { type, timestamp: createdAt, data: { webhookId: String(webhookId) } };
  const event = events.get(String(eventId));
  return event && { type, timestamp: event.at, data: event.data };
}

/** @returns why a webhook receives nothing now; undefined when it does. */
function refusalOf({ active }: Webhook, { isEntitled }: AttemptContext, always: boolean): string | undefined {
  if (!active && !always) return "The webhook is not active";
  return isEntitled ? undefined : "The owner of the webhook may not see its events any more";
}

interface AttemptResult extends ReceiverAnswer {
  /** Nothing was sent: no further attempt follows, and the result says nothing about the endpoint. */
  readonly isUnsent?: boolean;
}

/** Stores the result of an attempt, together with what follows for the webhook. */
async function storeResult(
  { db, log, metrics }: DeliveryDeps,
  delivery: ClaimedDelivery,
  webhook: Webhook,
  result: AttemptResult,
): Promise<void> {
  const { state, update } = resultChanges(delivery, result);
  const reason = result.isUnsent ? undefined : disabledBy(delivery, webhook, result);
  const health = result.isUnsent ? undefined : healthChanges(delivery, webhook, result);
  const store = (session: ClientSession | null = null) =>
    db.WebhookDelivery.updateOne(heldBy(delivery), update, session ? { session } : {});
  let isStored: boolean;
  let isDisabled = false;
  if (reason || health) {
    isStored = await db.transaction(async (session) => {
      const { matchedCount } = await store(session);
      if (reason) isDisabled = await disable(db, webhook, reason, session);
      else if (health) await db.Webhook.updateOne({ _id: webhook._id }, health, { session, timestamps: false });
      return matchedCount > 0;
    });
  } else isStored = (await store()).matchedCount > 0;
  if (isStored && state !== "pending") countDelivery(metrics, state);
  if (isDisabled) {
    db.jobWakeups.emit("Webhook");
    const about = { webhookId: String(webhook._id), reason };
    log.warn({ eventId: "webhook_disabled", ...about }, "a webhook was disabled");
  }
}

/** Counts a delivery that was delivered or has failed for good. */
function countDelivery(metrics: Registry, outcome: "delivered" | "failed"): void {
  const help = "Deliveries to webhooks that this process has delivered, or that have failed for good";
  const name = "lyceum_webhook_deliveries_total";
  metricOf(metrics, name, (as) => new Counter({ ...as, help, labelNames: ["outcome"] })).inc({ outcome });
}

/** The change of a delivery by the result of an attempt, and its state afterwards. */
function resultChanges(
  { failures, type }: WebhookDelivery,
  { status, error, retryAfter, isUnsent }: AttemptResult,
): { state: DeliveryState; update: UpdateQuery<WebhookDelivery> } {
  const result = { lastStatus: status, lastError: error };
  const attempts = isUnsent ? 0 : 1;
  const isOver = isUnsent || status === statusGone || type === "ping";
  const pauseMs = error === null || isOver ? undefined : nextPauseMs(failures, retryAfter);
  if (pauseMs !== undefined) {
    const nextAttemptAt = new Date(Date.now() + pauseMs);
    const update = { $set: { ...result, nextAttemptAt }, $inc: { attempts, failures: 1 }, $unset: { slot: 1 } };
    return { state: "pending", update };
  }
  const state = error === null ? "delivered" : "failed";
  const set = { ...result, state, ...(error === null && { deliveredAt: new Date() }) };
  return { state, update: { $set: set, $inc: { attempts }, $unset: { nextAttemptAt: 1, slot: 1 } } };
}

/** Why the result of an attempt disables a webhook, if it does. */
function disabledBy(
  { type }: WebhookDelivery,
  { active, failingSince }: Webhook,
  { status, error }: ReceiverAnswer,
): DisabledReason | undefined {
  if (error === null || !active) return undefined;
  if (status === statusGone) return "gone";
  if (type === "ping") return undefined;
  return failingSince && Date.now() - failingSince.getTime() >= maxFailingMs ? "failing" : undefined;
}

/** The change of a webhook's time of failures, if there is one. A ping that fails changes nothing. */
function healthChanges(
  { type }: WebhookDelivery,
  { failingSince }: Webhook,
  { error }: ReceiverAnswer,
): UpdateQuery<Webhook> | undefined {
  if (error === null) return failingSince && { $unset: { failingSince: 1 } };
  if (type === "ping") return undefined;
  // A concurrent attempt may have stored an earlier time.
  return failingSince ? undefined : { $min: { failingSince: new Date() } };
}

/** Disables a webhook unless its owner has changed it during the attempt. @returns whether it did. */
async function disable(
  db: Db,
  { _id, url, failingSince }: Webhook,
  reason: DisabledReason,
  session: ClientSession,
): Promise<boolean> {
  const { modifiedCount } = await db.Webhook.updateOne(
    { _id, url, active: true, ...(reason === "failing" && failingSince && { failingSince }) },
    { $set: { active: false, disabledReason: reason, noticeDueAt: new Date() } },
    { session },
  );
  if (modifiedCount === 0) return false;
  await audited(db, session, theSystem, "webhook.disable", ["webhook", _id], { after: { reason } });
  return true;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Pauses after the first failed attempt, the second, and so on. The next failure is final. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/** Spreads the retries of deliveries that failed at the same time. */
const jitter = 0.1;

/** The longest `Retry-After` that is kept. */
const maxRetryAfterMs = hour;

/**
 * Returns the pause after a failed attempt; undefined when no attempt follows.
 * @param failures number of failed attempts before this one.
 * @param retryAfter header of the answer: the pause is not shorter.
 */
function nextPauseMs(failures: number, retryAfter?: string): number | undefined {
  const pauseMs = pausesMs[failures];
  if (pauseMs === undefined) return undefined;
  const withJitter = pauseMs * (1 - jitter + 2 * jitter * Math.random());
  return Math.max(withJitter, Math.min(retryAfterMs(retryAfter), maxRetryAfterMs));
}

/** Reads `Retry-After`: seconds, or a date. Anything else is 0. */
function retryAfterMs(header = ""): number {
  const value = header.trim();
  if (/^\d+$/.test(value)) return Number(value) * second;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}
