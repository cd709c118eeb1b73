import { Schema } from "mongoose";
import { defineCollection } from "../collection.js";

/** A handled message of the identity webhook. Its id with the same or an older timestamp is a replay. */
export interface WebhookMessage {
  /** The sender's message id. */
  _id: string;
  /** Seconds since the epoch, of its newest delivery. */
  timestamp: number;
  expiresAt: Date;
}

const webhookMessageSchema = new Schema<WebhookMessage>({
  _id: { type: String, required: true },
  timestamp: { type: Number, required: true },
  expiresAt: { type: Date, required: true },
});
webhookMessageSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const webhookMessageCollection = defineCollection<WebhookMessage>({
  schema: webhookMessageSchema,
  holds: "identity messages that were handled, so that replays are refused",
  kept: "8 days",
  userData: "none",
});
