import { Schema } from "mongoose";
import { defineCollection } from "./collection.js";

/** Which instance does a piece of work, and until when. An expired lease can be taken by any instance. */
export interface Lease {
  /** Name of the leased work. */
  _id: string;
  holder: string;
  expiresAt: Date;
}

const leaseSchema = new Schema<Lease>({
  _id: { type: String, required: true },
  holder: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
/** Removes leases that no instance takes any more. A day is much longer than any difference between clocks. */
leaseSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 24 * 60 * 60 });

export const leaseCollection = defineCollection<Lease>({
  schema: leaseSchema,
  holds: "which instance works on a thing",
  kept: "a day",
  userData: "none",
});

/** A request that came with an `Idempotency-Key`, so that its repeat gets the saved reply. Forgotten after a day. */
export interface IdempotentRequest {
  /** SHA-256 of user id, route and key. */
  _id: string;
  /** SHA-256 of the request's body. */
  bodyHash: string;
  /** JSON of the reply, null until there is one. */
  reply: string | null;
  expiresAt: Date;
}

const idempotentRequestSchema = new Schema<IdempotentRequest>({
  _id: { type: String, required: true },
  bodyHash: { type: String, required: true },
  reply: { type: String, default: null },
  expiresAt: { type: Date, required: true },
});
idempotentRequestSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const idempotentRequestCollection = defineCollection<IdempotentRequest>({
  schema: idempotentRequestSchema,
  holds: "reply to a request that may come again",
  kept: "24 hours",
  userData: { erasure: { keep: "cannot be found by user, and expires within a day" } },
});

/** A migration that has run on this database. */
export interface Migration {
  /** Its name in src/db/migrations.ts. */
  _id: string;
  ranAt: Date;
}

const migrationSchema = new Schema<Migration>({
  _id: { type: String, required: true },
  ranAt: { type: Date, required: true },
});

export const migrationCollection = defineCollection<Migration>({
  schema: migrationSchema,
  holds: "which changes of stored data were made",
  kept: "for good",
  userData: "none",
});
