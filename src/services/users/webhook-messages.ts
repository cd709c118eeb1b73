import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";

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
 * Remembers a delivery of a message, in the transaction that handles it.
 * @returns "retry" when it was handled before and the timestamp is newer: a genuine retry, nothing is left to do.
 * @throws Replayed when it was handled before, with the same or an older timestamp.
 */
export async function rememberMessage(
  db: Db,
  session: ClientSession,
  { id, timestamp }: { id: string; timestamp: number },
): Promise<"first" | "retry"> {
  const before = await db.WebhookMessage.findOneAndUpdate(
    { _id: id },
    { $max: { timestamp }, $set: { expiresAt: new Date(Date.now() + rememberedMs) } },
    { session, upsert: true, returnDocument: "before" },
  ).lean();
  if (before && before.timestamp >= timestamp) throw new Replayed();
  return before ? "retry" : "first";
}
