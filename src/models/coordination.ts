import { z } from "zod";
import { timestamp } from "../lib/fields.js";
import { defineCollection } from "./collection.js";

/** Which instance does a piece of work, and until when. An expired lease can be taken by any instance. */
const leaseRow = z.object({
  /** Name of the leased work. */
  _id: z.string(),
  holder: z.string(),
  expiresAt: timestamp,
});

export const leaseCollection = defineCollection({
  row: leaseRow,
  // Removes leases that no instance takes any more. A day is much longer than any difference between clocks.
  indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 24 * 60 * 60 }]],
  holds: "which instance works on a thing",
  kept: "a day",
  userData: "none",
});

/** A request that came with an `Idempotency-Key`, so that its repeat gets the saved reply. Forgotten after a day. */
const idempotentRequestRow = z.object({
  /** SHA-256 of user id, route and key. */
  _id: z.string(),
  /** SHA-256 of the request's body. */
  bodyHash: z.string(),
  /** JSON of the reply, null until there is one. */
  reply: z.string().nullable(),
  expiresAt: timestamp,
});

export const idempotentRequestCollection = defineCollection({
  row: idempotentRequestRow,
  indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
  holds: "reply to a request that may come again",
  kept: "24 hours",
  userData: { erasure: { keep: "cannot be found by user, and expires within a day" } },
});

/** A migration that has run on this database. */
const migrationRow = z.object({
  /** Its name in src/services/migrations/migrations.ts. */
  _id: z.string(),
  ranAt: timestamp,
});

export const migrationCollection = defineCollection({
  row: migrationRow,
  holds: "which changes of stored data were made",
  kept: "for good",
  userData: "none",
});

/** When a periodic job runs next. */
const periodicRunRow = z.object({
  /** Name of the job. */
  _id: z.string(),
  /** Moved to the next period when the run has ended. */
  dueAt: timestamp,
});

export const periodicRunCollection = defineCollection({
  row: periodicRunRow,
  holds: "when a periodic job runs next",
  kept: "for good",
  userData: "none",
});

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
