import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";

/** A message that was handled came again under the same or an older timestamp. */
export class Replayed extends Error {
  constructor() {
    super("a replayed identity webhook");
    this.name = "Replayed";
  }
}

/** Longer than the sender goes on trying. */
const rememberedMs = 8 * 24 * 60 * 60_000;

/**
 * Tells a genuine retry of a message that was handled (newer timestamp: true, nothing is left to do) from a first
 * delivery (false). @throws Replayed: a remembered id with the same or an older timestamp.
 */
export async function isReplay(db: Db, id: string, timestamp: number): Promise<boolean> {
  const known = await db.WebhookMessage.findById(id, { timestamp: 1 }).lean();
  if (!known) return false;
  if (known.timestamp < timestamp) await rememberMessage(db, id, timestamp);
  else throw new Replayed();
  return true;
}

/**
 * Remembers that a message was handled. Of two deliveries with one timestamp the second is a replay.
 * @throws Replayed.
 */
export async function rememberMessage(db: Db, id: string, timestamp: number): Promise<void> {
  try {
    await db.WebhookMessage.updateOne(
      { _id: id, timestamp: { $lt: timestamp } },
      { $set: { timestamp, expiresAt: new Date(Date.now() + rememberedMs) } },
      { upsert: true },
    );
  } catch (error) {
    if (isDuplicateKey(error)) throw new Replayed();
    throw error;
  }
}
