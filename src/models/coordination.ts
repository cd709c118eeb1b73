import { Schema } from "mongoose";

/** Which instance does a piece of work, and until when. An expired lease can be taken by any instance. */
export interface Lease {
  /** What is leased. */
  _id: string;
  holder: string;
  expiresAt: Date;
}

export const leaseSchema = new Schema<Lease>(
  {
    _id: { type: String, required: true },
    holder: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
/** Removes leases that no instance takes any more. A day is much longer than any difference between clocks. */
leaseSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 24 * 60 * 60 });

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

export const idempotentRequestSchema = new Schema<IdempotentRequest>(
  {
    _id: { type: String, required: true },
    bodyHash: { type: String, required: true },
    reply: { type: String, default: null },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
idempotentRequestSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** A migration that has run on this database. */
export interface Migration {
  /** Its name in src/db/migrations.ts. */
  _id: string;
  ranAt: Date;
}

export const migrationSchema = new Schema<Migration>(
  { _id: { type: String, required: true }, ranAt: { type: Date, required: true } },
  { versionKey: false },
);
