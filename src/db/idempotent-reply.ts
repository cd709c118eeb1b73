import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { failure } from "../lib/errors.js";
import { isDuplicateKey } from "./database-errors.js";
import type { Db } from "./db.js";
import { withLease } from "./lease.js";

export const KeyUsedOtherwise = failure("key_used_otherwise", 409, "Idempotency-Key was used with another request");

const replyTtlMs = 24 * 60 * 60_000;
/** How long a crash blocks repeats of the request. */
const leaseMs = 15_000;

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * Runs `work` once per key: a repeat of the same request gets the saved reply, and waits for it while the first runs.
 * Only replies are saved; after a failure the same request may be tried again under its key.
 * @param request `scope` names the user and the route, `body` is compared by its JSON.
 * @throws KeyUsedOtherwise for another body under the same key.
 */
export async function idempotentReply<T>(
  db: Db,
  { scope, key, body }: { scope: string; key: string; body: unknown },
  work: () => Promise<T>,
): Promise<T> {
  const _id = digest(`${scope}\n${key}`);
  const bodyHash = digest(JSON.stringify(body));
  const fresh = { bodyHash, reply: null, expiresAt: new Date(Date.now() + replyTtlMs) };
  await db.IdempotentRequest.updateOne({ _id }, { $setOnInsert: fresh }, { upsert: true }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  const runOnce = async (): Promise<{ reply: T }> => {
    const known = await db.IdempotentRequest.findById(_id).lean();
    if (known?.bodyHash !== bodyHash) throw KeyUsedOtherwise();
    if (known.reply !== null) return { reply: JSON.parse(known.reply) as T };
    const reply = await work();
    await db.IdempotentRequest.updateOne({ _id }, { $set: { reply: JSON.stringify(reply) } });
    return { reply };
  };
  const until = Date.now() + leaseMs + 1_000;
  do {
    const done = await withLease(db, `idempotency-key:${_id}`, runOnce, { ttlMs: leaseMs });
    if (done) return done.reply;
    await pause(60 + Math.random() * 60);
  } while (Date.now() < until);
  throw new Error("the first request with this Idempotency-Key did not end in time");
}
