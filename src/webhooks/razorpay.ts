import { createHmac } from "node:crypto";
import type { RequestHandler } from "express";
import PQueue from "p-queue";
import type { Deps } from "../deps.js";
import { nameOutcome } from "../http/outcomes.js";
import { Unexpected } from "../lib/errors.js";
import { within } from "../lib/within.js";
import { sameText } from "../providers/razorpay.js";
import { processPaymentEvent } from "../services/payments/events/apply-payment-event.js";
import { storePaymentEvent } from "../services/payments/events/store-payment-event.js";

/** Header without which a message is not signed. */
export const razorpaySignature = ["x-razorpay-signature"];

/** The provider waits 5 s. An effect that takes longer continues after the answer. */
const answerWithinMs = 4_500;

/** Limit of concurrent effects, so that a burst of deliveries does not delay other requests. */
const maxConcurrent = 8;

/**
 * Receives the payment provider's webhook with its raw body. A verified event is stored before it takes effect, and
 * answered 200 whatever its result. A wrong signature, an oversized or a compressed body is 400. The answer is 500 only if
 * the event could not be stored.
 */
export function razorpayWebhook({ config, db, log, metrics }: Deps): RequestHandler {
  const { webhookSecrets } = config.payments;
  const queue = new PQueue({ concurrency: maxConcurrent });
  return async (req, res) => {
    const body: unknown = req.body;
    const signature = req.get("x-razorpay-signature") ?? "";
    if (!Buffer.isBuffer(body) || !signedByAny(webhookSecrets, body, signature)) {
      nameOutcome(res, "bad_signature");
      res.status(400).json({ error: "Invalid Razorpay webhook signature" });
      return;
    }
    const headerEventId = req.get("x-razorpay-event-id")?.slice(0, 256) ?? null;
    const stored = await storePaymentEvent({ db }, body, headerEventId).catch((cause: unknown) => {
      throw Unexpected(cause);
    });
    const applied = queue.add(() => processPaymentEvent({ db, log, metrics, config }, stored));
    await within({ ms: answerWithinMs, late: () => undefined }, () => applied);
    res.json({ received: true });
  };
}

/** Compares with every secret, so that the duration does not show which secret matched. */
const signedByAny = (secrets: readonly string[], body: Buffer, signature: string): boolean =>
  secrets.map((secret) => sameText(signature, createHmac("sha256", secret).update(body).digest("hex"))).includes(true);
