import { setTimeout as pause } from "node:timers/promises";
import type { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { findAfter } from "../../db/find-after.js";
import type { Deps } from "../../deps.js";
import { failure } from "../../lib/errors.js";
import {
  type DeliveryState,
  maxAttemptsAtOnce,
  newDelivery,
  type WebhookDelivery,
} from "../../models/events/webhook-delivery.js";
import type { Manager } from "../../models/users/manager.js";
import { type AttemptContext, attemptDelivery, type DeliveryDeps, type DueDelivery } from "./attempt-delivery.js";
import { releaseLostSlots } from "./deliver-due.js";
import { auditWebhook, findWebhook, WebhookNotFound } from "./manage-webhooks.js";

export const DeliveryNotFound = failure("delivery_not_found", 404, "Delivery not found");

const dayMs = 24 * 60 * 60_000;

/** How long a ping waits for one of the webhook's slots. */
const maxWaitMs = 10_000;
const waitMs = 1_000;

/** Reads the deliveries of a webhook, newest first. */
export function listDeliveries(db: Db, webhookId: Types.ObjectId, state?: DeliveryState) {
  return {
    find: (after: [Date, Types.ObjectId] | undefined, limit: number) =>
      findAfter(db.WebhookDelivery, {
        filter: { webhookId, ...(state && { state }) },
        sort: { createdAt: -1, _id: -1 },
        after,
        limit,
      }),
    keyOf: ({ createdAt, _id }: WebhookDelivery): [Date, Types.ObjectId] => [createdAt, _id],
    describe: async (deliveries: readonly WebhookDelivery[]) => deliveries.map(describeDelivery),
  };
}

/** The fields of a delivery as clients see them. During an attempt, no further attempt is planned. */
export const describeDelivery = ({ slot, nextAttemptAt, ...delivery }: WebhookDelivery) => ({
  ...delivery,
  nextAttemptAt: slot === undefined ? (nextAttemptAt ?? null) : null,
});

/**
 * Sends a ping to a webhook, active or not, and waits for the result. A ping is not repeated.
 * @param signal ends the wait for a slot; the job makes the attempt then.
 * @returns the delivery with its result; still pending when every slot stayed taken. @throws WebhookNotFound.
 */
export async function pingWebhook(
  deps: DeliveryDeps & Pick<Deps, "config">,
  webhookId: string,
  manager: Manager,
  signal: AbortSignal,
): Promise<WebhookDelivery> {
  const { db, config } = deps;
  const webhook = await findWebhook(db, webhookId, manager);
  const now = new Date();
  const ping = newDelivery({
    webhookId: webhook._id,
    eventId: null,
    type: "ping",
    userIds: [],
    createdAt: now,
    // The job makes the attempt in case this process dies before it.
    nextAttemptAt: new Date(now.getTime() + 2 * maxWaitMs),
    expiresAt: new Date(now.getTime() + config.eventRetentionDays * dayMs),
  });
  await db.transaction(async (session) => {
    const { _id, ...fields } = ping;
    // A repetition after a commit whose result was lost inserts nothing.
    const options = { session, upsert: true };
    const { upsertedCount } = await db.WebhookDelivery.updateOne({ _id }, { $setOnInsert: fields }, options);
    if (upsertedCount === 0) return;
    await auditWebhook(db, session, manager, "webhook.ping", {
      _id: webhook._id,
      after: { deliveryId: String(ping._id) },
    });
  });
  // A ping has no event, and says nothing of the platform.
  const context: AttemptContext = { isEntitled: true, events: new Map() };
  for (const endsAt = now.getTime() + maxWaitMs; Date.now() < endsAt && !signal.aborted; await pause(waitMs)) {
    if (await attemptInAnySlot(deps, ping, context)) break;
    await releaseLostSlots(db, webhook._id, new Date());
  }
  const stored = await db.WebhookDelivery.findById(ping._id).lean<WebhookDelivery>();
  if (!stored) throw WebhookNotFound();
  return stored;
}

/** @returns false while every slot is taken. */
async function attemptInAnySlot(deps: DeliveryDeps, delivery: DueDelivery, context: AttemptContext): Promise<boolean> {
  const { signal } = new AbortController();
  for (let slot = 0; slot < maxAttemptsAtOnce; slot += 1) {
    if ((await attemptDelivery(deps, delivery, { context, slot, always: true, signal })) !== "busy") return true;
  }
  return false;
}

/**
 * Makes a delivery due now, with a new schedule of attempts. An attempt that is under way goes on.
 * @throws WebhookNotFound, DeliveryNotFound.
 */
export async function resendDelivery(
  db: Db,
  webhookId: string,
  deliveryId: string,
  manager: Manager,
): Promise<WebhookDelivery> {
  const webhook = await findWebhook(db, webhookId, manager);
  const own = { _id: deliveryId, webhookId: webhook._id };
  const due = { state: "pending" as const, nextAttemptAt: new Date(), failures: 0, deliveredAt: null };
  const sent = await db.transaction(async (session) => {
    const updated = await db.WebhookDelivery.findOneAndUpdate(
      { ...own, slot: { $exists: false } },
      { $set: due },
      { returnDocument: "after", session },
    ).lean<WebhookDelivery>();
    if (updated)
      await auditWebhook(db, session, manager, "webhook.resend", { _id: webhook._id, after: { deliveryId } });
    return updated;
  });
  const delivery = sent ?? (await db.WebhookDelivery.findOne(own).lean<WebhookDelivery>());
  if (!delivery) throw DeliveryNotFound();
  if (sent) db.jobWakeups.emit("WebhookDelivery");
  return delivery;
}
