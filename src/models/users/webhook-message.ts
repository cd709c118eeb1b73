import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";

/** A handled message of the identity webhook. Its id with the same or an older timestamp is a replay. */
const webhookMessageRow = z.object({
  /** The sender's message id. */
  _id: z.string(),
  /** Seconds since the epoch, of its newest delivery. */
  timestamp: z.number(),
  expiresAt: timestamp,
});

export const webhookMessageCollection = defineCollection({
  row: webhookMessageRow,
  indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
  holds: "identity messages that were handled, so that replays are refused",
  kept: "8 days",
  userData: "none",
});
