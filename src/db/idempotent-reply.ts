import { createHash, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { failure } from "../lib/errors.js";
import type { Db } from "./db.js";
import { isDuplicateKey } from "./duplicate-key.js";

export const KeyUsedOtherwise = failure("key_used_otherwise", 409, "Idempotency-Key was used with another request");

const keptMs = 24 * 60 * 60_000;
/** Lifetime of a key's lease, in milliseconds: longer than the work takes. After a crash it expires then. */
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
  const holder = randomUUID();
  const until = Date.now() + leaseMs + 1_000;
  do {
    if (await takeLease(db, _id, bodyHash, holder)) return finish(db, _id, holder, work);
    const known = await db.IdempotentRequest.findById(_id).lean();
    if (known && known.bodyHash !== bodyHash) throw KeyUsedOtherwise();
    if (known?.reply) return JSON.parse(known.reply) as T;
    await pause(60 + Math.random() * 60);
  } while (Date.now() < until);
  throw new Error("the first request with this Idempotency-Key did not end in time");
}

async function takeLease(db: Db, _id: string, bodyHash: string, holder: string): Promise<boolean> {
  const now = Date.now();
  try {
    await db.IdempotentRequest.updateOne(
      { _id, bodyHash, reply: null, leasedUntil: { $lte: new Date(now) } },
      {
        $set: { holder, leasedUntil: new Date(now + leaseMs) },
        $setOnInsert: { expiresAt: new Date(now + keptMs) },
      },
      { upsert: true },
    );
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function finish<T>(db: Db, _id: string, holder: string, work: () => Promise<T>): Promise<T> {
  try {
    const reply = await work();
    await db.IdempotentRequest.updateOne({ _id, holder }, { $set: { reply: JSON.stringify(reply) } });
    return reply;
  } catch (error) {
    // Not waited for: with the database away it would take as long again.
    const expired = { $set: { leasedUntil: new Date(0) } };
    db.IdempotentRequest.updateOne({ _id, holder, reply: null }, expired).catch(() => undefined);
    throw error;
  }
}
