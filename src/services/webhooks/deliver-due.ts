import { setTimeout as pause } from "node:timers/promises";
import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { maxAttemptsAtOnce, pendingDeliveries } from "../../models/events/webhook-delivery.js";
import {
  type AttemptOutcome,
  attemptDelivery,
  type DeliveryDeps,
  type DueDelivery,
  loadAttemptContext,
} from "./attempt-delivery.js";

/** Maximum number of webhooks that one run serves at once, so that it has at most 1,000 connections. */
const maxWebhooksAtOnce = 200;

/** Number of deliveries in one turn of a webhook. */
const maxBatchRows = 50;

/** Time limit of a turn, after which a webhook with a slow endpoint lets others go first. */
const maxTurnMs = 10_000;

/** Pause between two polls for webhooks with due deliveries, while others are served. */
const pollMs = 500;

/** Pause of a webhook whose slots are all taken by another instance. */
const busyPauseMs = 1_000;

const lowestId = new Types.ObjectId("0".repeat(24));

/**
 * Makes the due attempts of every webhook, until no delivery is due. Each webhook has a queue of its own, so that an
 * endpoint that hangs delays its own deliveries only.
 * The job's worker has one loop for all rows. Here each webhook needs its own lanes, a time limit and a pause while another
 * instance has its slots. An owner has at most 20 webhooks, so nobody can take all of the places.
 * @returns the number of attempts.
 */
export async function deliverDue(
  deps: DeliveryDeps,
  signal: AbortSignal,
  webhooksAtOnce: number = maxWebhooksAtOnce,
): Promise<number> {
  const turns = new Map<string, Promise<void>>();
  let attempts = 0;
  let failure: unknown;
  let last: Types.ObjectId | undefined;
  while (!signal.aborted && failure === undefined) {
    const limit = webhooksAtOnce - turns.size;
    const found = await findDueWebhooks(deps.db, { except: [...turns.keys()], after: last, limit });
    last = found.at(-1) ?? last;
    for (const webhookId of found) {
      const key = String(webhookId);
      const turn = serveWebhook(deps, webhookId, signal)
        .then((made) => {
          attempts += made;
        })
        .catch((error: unknown) => {
          failure = error;
        })
        .finally(() => turns.delete(key));
      turns.set(key, turn);
    }
    if (turns.size === 0) break;
    await Promise.race([...turns.values(), pause(pollMs, undefined, { ref: false })]);
  }
  await Promise.all(turns.values());
  if (failure !== undefined && !signal.aborted) throw failure;
  return attempts;
}

/**
 * Finds webhooks with due deliveries, and begins behind `after`, so that each webhook gets a turn before any gets a second
 * turn. Each query skips to the next webhook in the index, however many deliveries are due.
 */
async function findDueWebhooks(
  db: Db,
  { except, after, limit }: { except: readonly string[]; after: Types.ObjectId | undefined; limit: number },
): Promise<Types.ObjectId[]> {
  const found: Types.ObjectId[] = [];
  const due = { nextAttemptAt: { $gt: new Date(0), $lte: new Date() } };
  let from = after;
  while (found.length < limit) {
    // Always with a lower bound, so that the database reads the index of webhooks and does not sort.
    const webhookId = { $gt: from ?? lowestId, $nin: [...except, ...found] };
    const next = await db.WebhookDelivery.findOne({ webhookId, ...due }, { webhookId: 1, _id: 0 })
      .sort({ webhookId: 1, nextAttemptAt: 1 })
      .lean();
    if (!next && !from) break;
    from = next?.webhookId;
    if (next) found.push(next.webhookId);
  }
  return found;
}

/** Makes due attempts at one webhook, oldest first, one at a time in each slot. @returns the number of attempts. */
async function serveWebhook(deps: DeliveryDeps, webhookId: Types.ObjectId, signal: AbortSignal): Promise<number> {
  const { db } = deps;
  const now = new Date();
  const webhook = await db.Webhook.findById(webhookId, { createdBy: 1, role: 1 }).lean();
  if (!webhook) {
    await db.WebhookDelivery.deleteMany({ webhookId, ...pendingDeliveries });
    return 0;
  }
  await releaseLostSlots(db, webhookId, now);
  const due = await db.WebhookDelivery.find(
    { webhookId, nextAttemptAt: { $gt: new Date(0), $lte: now } },
    { nextAttemptAt: 1, eventId: 1 },
  )
    .sort({ nextAttemptAt: 1 })
    .limit(maxBatchRows)
    .lean<DueDelivery[]>();
  const context = await loadAttemptContext(db, webhook, due);
  const endsAt = now.getTime() + maxTurnMs;
  const remaining = due.values();
  const outcomes: AttemptOutcome[] = [];
  const attemptInSlot = async (slot: number): Promise<void> => {
    for (const delivery of remaining) {
      if (signal.aborted || Date.now() > endsAt) return;
      outcomes.push(await attemptDelivery(deps, delivery, { context, slot, signal }));
    }
  };
  const slots = Array.from({ length: maxAttemptsAtOnce }, (_, slot) => attemptInSlot(slot));
  const failed = (await Promise.allSettled(slots)).find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  const isBusy = outcomes.length > 0 && outcomes.every((outcome) => outcome === "busy");
  if (isBusy && !signal.aborted) await pause(busyPauseMs, undefined, { signal }).catch(() => undefined);
  return outcomes.filter((outcome) => outcome === "attempted").length;
}

/** Frees the slots of attempts that a crash has ended. */
export async function releaseLostSlots(db: Db, webhookId: Types.ObjectId, now: Date): Promise<void> {
  const lost = { webhookId, slot: { $gte: 0 }, nextAttemptAt: { $gt: new Date(0), $lte: now } };
  await db.WebhookDelivery.updateMany(lost, { $unset: { slot: 1 } });
}
