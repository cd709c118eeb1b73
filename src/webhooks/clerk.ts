import { isUtf8 } from "node:buffer";
import type { Request, RequestHandler } from "express";
import PQueue from "p-queue";
import { z } from "zod";
import type { Deps } from "../deps.js";
import { nameOutcome } from "../http/outcomes.js";
import { Unexpected } from "../lib/errors.js";
import { within } from "../lib/within.js";
import { observeEventAge } from "../services/metrics.js";
import { requestErasure } from "../services/privacy/erase-user-data.js";
import { applyIdentityEvent, Replayed, rememberMessage } from "../services/users/apply-identity-event.js";

const Payload = z.object({ type: z.string(), data: z.record(z.string(), z.unknown()).catch({}) });

interface Message {
  readonly id: string;
  /** Time of this delivery in seconds since the epoch. */
  readonly timestamp: number;
  readonly payload: z.output<typeof Payload>;
}

/** Headers without which a message is not signed. */
export const clerkSignature = ["svix-id", "svix-timestamp", "svix-signature"];

/** Limit of concurrent messages. Hundreds would wait so long for the database that all of them fail. */
const maxConcurrent = 16;

/** Time limit of a message, including its wait. The provider waits fifteen seconds. */
const deadlineMs = 12_000;

/**
 * Receives the identity provider's webhook with its raw body. One transaction applies the event and remembers the message,
 * and the answer is `{}`. Every failure is a 500, after which the provider delivers the message again.
 */
export function clerkWebhook({ config, db, metrics }: Deps): RequestHandler {
  const queue = new PQueue({ concurrency: maxConcurrent });
  const handle = (message: Message): Promise<string> => {
    const { timestamp, payload } = message;
    return db.transaction(
      async (session) => {
        if ((await rememberMessage(db, session, message)) === "retry") return "retry";
        if (payload.type === "user.deleted" && config.eraseDeletedAccounts) {
          // A deletion does not revoke certificates, and the user can no longer be asked about them.
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
      const message = await verify(req, config.identity.webhookSecrets);
      const outcome = await within({ ms: deadlineMs }, (signal) => queue.add(() => handle(message), { signal }));
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

/** @throws NotVerified unless one of the secrets signed the message at most five minutes ago. */
async function verify(req: Request, secrets: readonly string[]): Promise<Message> {
  const [id = "", timestamp = "", signature = ""] = clerkSignature.map((name) => req.get(name));
  const body: unknown = req.body;
  // The library signs text, so that other bytes would be changed before the comparison.
  if (!Buffer.isBuffer(body) || !isUtf8(body)) throw new NotVerified("an identity webhook without a readable body");
  if (!/^\d{1,12}$/.test(timestamp)) throw new NotVerified("an identity webhook without a timestamp");
  // The library has the sender's whole API, so it is loaded with the first message.
  const { Webhook } = await import("svix");
  const headers = { "svix-id": id, "svix-timestamp": timestamp, "svix-signature": signature };
  let verified: unknown;
  let failure: unknown = new Error("no identity webhook secret");
  for (const secret of secrets) {
    try {
      verified ??= new Webhook(secret).verify(body, headers);
    } catch (error) {
      failure = error;
    }
  }
  if (verified === undefined) throw new NotVerified(String(failure), { cause: failure });
  return { id, timestamp: Number(timestamp), payload: Payload.parse(verified) };
}
