import { setTimeout as pause } from "node:timers/promises";
import { Types } from "mongoose";
import PQueue from "p-queue";
import type { Db } from "../../db/db.js";
import { maxAttemptsAtOnce, pendingDeliveries } from "../../models/events/webhook-delivery.js";
import {
  type AttemptOutcome,
  attemptDelivery,
  beginTurn,
  type Delivering,
  type DueDelivery,
} from "./attempt-delivery.js";

/** Maximum number of webhooks that one run serves at once, so that it has at most 1,000 connections. */
const maxWebhooksAtOnce = 200;

/** Deliveries of one webhook that are read at once. Webhooks take turns after so many. */
const maxBatchRows = 50;

/** A webhook whose endpoint is slow gives up its turn after this time. */
const maxTurnMs = 10_000;

/** Pause between two polls for webhooks with due deliveries, while others are served. */
const pollMs = 500;

/** Pause of a webhook whose slots are all taken by another instance. */
const busyPauseMs = 1_000;

const lowestId = new Types.ObjectId("0".repeat(24));

/**
 * Makes the due attempts of every webhook, until no delivery is due. Each webhook has a queue of its own, so that an
 * endpoint that hangs delays its own deliveries only.
 * @returns the number of attempts.
 */
export async function deliverDue(
  deps: Delivering,
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

/** Makes due attempts at one webhook, oldest first, five at a time. @returns the number of attempts. */
async function serveWebhook(deps: Delivering, webhookId: Types.ObjectId, signal: AbortSignal): Promise<number> {
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
  const turn = await beginTurn(db, webhook, due);
  const queue = new PQueue({ concurrency: maxAttemptsAtOnce });
  const slots = Array.from({ length: maxAttemptsAtOnce }, (_, slot) => slot);
  const endsAt = now.getTime() + maxTurnMs;
  const work = async (delivery: DueDelivery): Promise<AttemptOutcome | undefined> => {
    if (signal.aborted || Date.now() > endsAt) return undefined;
    const slot = slots.pop() ?? 0;
    try {
      return await attemptDelivery(deps, delivery, { turn, slot, signal });
    } finally {
      slots.push(slot);
    }
  };
  const results = await Promise.allSettled(due.map((delivery) => queue.add(() => work(delivery))));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  const outcomes = results.map((result) => (result.status === "fulfilled" ? result.value : undefined));
  const isBusy = due.length > 0 && outcomes.every((outcome) => outcome === "busy");
  if (isBusy && !signal.aborted) await pause(busyPauseMs, undefined, { signal }).catch(() => undefined);
  return outcomes.filter((outcome) => outcome === "attempted").length;
}

/** Frees the slots of attempts that a crash has ended. */
export async function releaseLostSlots(db: Db, webhookId: Types.ObjectId, now: Date): Promise<void> {
  const lost = { webhookId, slot: { $gte: 0 }, nextAttemptAt: { $gt: new Date(0), $lte: now } };
  await db.WebhookDelivery.updateMany(lost, { $unset: { slot: 1 } });
}
