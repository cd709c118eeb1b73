import { Schema } from "mongoose";

/** An identity webhook message that was handled: its id with the same or an older timestamp is a replay. */
export interface WebhookMessage {
  /** The sender's message id. */
  _id: string;
  /** Seconds since the epoch, of its newest delivery. */
  timestamp: number;
  expiresAt: Date;
}

export const webhookMessageSchema = new Schema<WebhookMessage>(
  {
    _id: { type: String, required: true },
    timestamp: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
webhookMessageSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
