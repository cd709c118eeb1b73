import { createHmac } from "node:crypto";
import type { RequestHandler } from "express";
import PQueue from "p-queue";
import pTimeout from "p-timeout";
import type { Deps } from "../deps.js";
import { nameOutcome } from "../http/outcomes.js";
import { Unexpected } from "../lib/errors.js";
import { sameText } from "../providers/razorpay.js";
import { processPaymentEvent, storePaymentEvent } from "../services/payments/events/payment-events.js";

/** The sender gives up after 5 s: an effect that takes longer than this goes on after the answer. */
const answerWithinMs = 4_500;

/**
 * Stored events are applied one at a time, because the provider can wait a moment, and readers should not wait for a rush
 * of deliveries. One that has waited so many milliseconds for others goes on among so many more: a slow database leaves
 * the server idle.
 */
const longestWaitMs = 500;
const lateAtOnce = 16;

/**
 * The payment provider's webhook. Expects the raw body. A bad signature, an oversize or a compressed body is 400; otherwise the event is stored, durably, before
 * it takes effect, and answered 200 whatever its result. 500 only when it could not be stored.
 */
export function razorpayWebhook({ config, db, log, metrics }: Deps): RequestHandler {
  const { webhookSecrets } = config.payments;
  const queue = new PQueue({ concurrency: 1 });
  const late = new PQueue({ concurrency: lateAtOnce });
  return async (req, res) => {
    const body: unknown = req.body;
    const signature = req.headers["x-razorpay-signature"];
    if (!Buffer.isBuffer(body) || typeof signature !== "string" || !signedByAny(webhookSecrets, body, signature)) {
      nameOutcome(res, "bad_signature");
      res.status(400).json({ error: "Invalid Razorpay webhook signature" });
      return;
    }
    const eventId = req.headers["x-razorpay-event-id"];
    const headerEventId = typeof eventId === "string" ? eventId.slice(0, 256) : null;
    const stored = await storePaymentEvent({ db }, body, headerEventId).catch((cause: unknown) => {
      throw Unexpected(cause);
    });
    let applying: Promise<unknown> | undefined;
    const apply = () => {
      applying ??= processPaymentEvent({ db, log, metrics, config }, stored);
      return applying;
    };
    const applied = pTimeout(queue.add(apply), { milliseconds: longestWaitMs, fallback: () => late.add(apply) });
    await pTimeout(applied, { milliseconds: answerWithinMs, fallback: () => undefined });
    res.json({ received: true });
  };
}

/** Looks at every secret, so that the time taken does not tell which one matched. */
function signedByAny(secrets: readonly string[], body: Buffer, signature: string): boolean {
  let signed = false;
  for (const secret of secrets) {
    if (sameText(signature, createHmac("sha256", secret).update(body).digest("hex"))) signed = true;
  }
  return signed;
}
