import { isUtf8 } from "node:buffer";
import type { Request, RequestHandler } from "express";
import PQueue from "p-queue";
import { Webhook } from "svix";
import { z } from "zod";
import type { Deps } from "../deps.js";
import { nameOutcome } from "../http/outcomes.js";
import { Unexpected } from "../lib/errors.js";
import { requestErasure } from "../services/privacy/request-erasure.js";
import { applyIdentityEvent, Replayed, rememberMessage } from "../services/users/apply-identity-event.js";
import { observeEventAge } from "../services/webhook-age.js";

/** Only the types that have an effect need data, and those need an id in it. */
const Payload = z.object({ type: z.string(), data: z.record(z.string(), z.unknown()).catch({}) });

interface Message {
  readonly id: string;
  /** Seconds since the epoch, of this delivery. */
  readonly timestamp: number;
  readonly payload: z.output<typeof Payload>;
}

/** Messages that one server applies at once. Hundreds would wait so long for the database that all of them fail. */
const maxConcurrent = 16;

/** Time for one message, waiting included. The provider gives a delivery up after fifteen seconds. */
const deadlineMs = 12_000;

/**
 * The identity provider's webhook. Expects the raw body. One transaction applies the event and remembers the message,
 * then the answer is `{}`; every failure is the same 500, after which the provider delivers it anew under a newer
 * timestamp.
 */
export function clerkWebhook({ config, db, metrics }: Deps): RequestHandler {
  const verifiers = config.identity.webhookSecrets.map((secret) => new Webhook(secret));
  const queue = new PQueue({ concurrency: maxConcurrent });
  const handle = (message: Message): Promise<string> => {
    const { timestamp, payload } = message;
    return db.transaction(
      async (session) => {
        if ((await rememberMessage(db, session, message)) === "retry") return "retry";
        if (payload.type === "user.deleted" && config.eraseDeletedAccounts) {
          // The user cannot be asked any more whether the certificates shall go, and a deletion does not revoke them.
          const userId = String(payload.data.id);
          await requestErasure(db, session, { userId, keepCertificates: true, actorId: "system" });
        }
        return applyIdentityEvent(db, session, { ...payload, sentAt: timestamp * 1000 });
      },
      { mutex: `account:${payload.data.id}` },
    );
  };
  return async (req, res) => {
    try {
      const message = verify(req, verifiers);
      const outcome = await queue.add(() => handle(message), { signal: AbortSignal.timeout(deadlineMs) });
      observeEventAge(metrics, "identity", new Date(message.timestamp * 1_000));
      nameOutcome(res, outcome, { event: message.payload.type.slice(0, 64) });
    } catch (cause) {
      if (cause instanceof NotVerified) nameOutcome(res, "bad_signature");
      if (cause instanceof Replayed) nameOutcome(res, "replayed");
      throw Unexpected(cause);
    }
    res.json({});
  };
}

class NotVerified extends Error {}

/** @throws NotVerified for anything but a message that one of the secrets signed within five minutes of now. */
function verify(req: Request, verifiers: readonly Webhook[]): Message {
  const id = header(req, "svix-id");
  const timestamp = header(req, "svix-timestamp");
  const signature = header(req, "svix-signature");
  const body: unknown = req.body;
  // The library signs text: bytes that are no text would be compared as something else.
  if (!Buffer.isBuffer(body) || !isUtf8(body)) throw new NotVerified("an identity webhook without a readable body");
  if (!/^\d{1,12}$/.test(timestamp)) throw new NotVerified("an identity webhook without a timestamp");
  const headers = { "svix-id": id, "svix-timestamp": timestamp, "svix-signature": signature };
  let verified: unknown;
  let failure: unknown = new Error("no identity webhook secret");
  for (const verifier of verifiers) {
    try {
      verified ??= verifier.verify(body, headers);
    } catch (error) {
      failure = error;
    }
  }
  if (verified === undefined) throw new NotVerified(String(failure), { cause: failure });
  return { id, timestamp: Number(timestamp), payload: Payload.parse(verified) };
}

const header = (req: Request, name: string): string => {
  const value = req.headers[name];
  return typeof value === "string" ? value : "";
};
