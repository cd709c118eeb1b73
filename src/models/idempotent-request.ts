import { Schema } from "mongoose";
import { defineCollection } from "./collection.js";

/** A request that came with an `Idempotency-Key`, so that its repeat gets the saved reply. Forgotten after a day. */
export interface IdempotentRequest {
  /** SHA-256 of user id, route and key. */
  _id: string;
  /** SHA-256 of the request's body. */
  bodyHash: string;
  /** JSON of the reply, null until there is one. */
  reply: string | null;
  /** Names the request that works on it, and until when no other may. */
  holder: string;
  leasedUntil: Date;
  expiresAt: Date;
}

const idempotentRequestSchema = new Schema<IdempotentRequest>(
  {
    _id: { type: String, required: true },
    bodyHash: { type: String, required: true },
    reply: { type: String, default: null },
    holder: { type: String, required: true },
    leasedUntil: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
idempotentRequestSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const idempotentRequestCollection = defineCollection<IdempotentRequest>({
  schema: idempotentRequestSchema,
  holds: "reply to a request that may come again",
  kept: "24 hours",
  userData: { erasure: { keep: "cannot be found by user, and expires within a day" } },
});
