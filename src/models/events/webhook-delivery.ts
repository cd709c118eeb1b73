import { type ClientSession, Schema, Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";
import type { EventType } from "./event-types.js";

export const deliveryStates = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Maximum number of concurrent attempts at one webhook, over all instances. */
export const maxAttemptsAtOnce = 5;

/** One event, or one ping, for one webhook. The event holds the data. */
export interface WebhookDelivery {
  _id: Types.ObjectId;
  webhookId: Types.ObjectId;
  /** Null for a ping. */
  eventId: Types.ObjectId | null;
  type: EventType | "ping";
  /** The users whom the event names. */
  userIds: string[];
  state: DeliveryState;
  /** Number of all attempts. */
  attempts: number;
  /** Number of failed attempts since the creation, or since the last resend. */
  failures: number;
  /** Set while pending. During an attempt: when the attempt counts as lost, and the delivery is due again. */
  nextAttemptAt?: Date;
  /** Set during an attempt: a number below `maxAttemptsAtOnce`, unique for the webhook. */
  slot?: number;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: Date;
  deliveredAt: Date | null;
  expiresAt: Date;
}

const deliverySchema = new Schema<WebhookDelivery>({
  webhookId: { type: Schema.Types.ObjectId, required: true },
  eventId: { type: Schema.Types.ObjectId, default: null },
  type: { type: String, required: true },
  userIds: { type: [String], default: [] },
  state: { type: String, enum: deliveryStates, required: true },
  attempts: { type: Number, default: 0 },
  failures: { type: Number, default: 0 },
  nextAttemptAt: Date,
  slot: Number,
  lastStatus: { type: Number, default: null },
  lastError: { type: String, default: null },
  createdAt: { type: Date, required: true },
  deliveredAt: { type: Date, default: null },
  expiresAt: { type: Date, required: true },
});
/** Filters the pending deliveries, and those under way. */
export const pendingDeliveries = { nextAttemptAt: { $gt: new Date(0) } };
const underWay = { slot: { $gte: 0 } };
deliverySchema.index({ nextAttemptAt: 1 }, { partialFilterExpression: pendingDeliveries }); // the job's poll
deliverySchema.index({ webhookId: 1, nextAttemptAt: 1 }, { partialFilterExpression: pendingDeliveries });
deliverySchema.index({ createdAt: 1 }, { partialFilterExpression: pendingDeliveries }); // the oldest pending one
deliverySchema.index({ webhookId: 1, slot: 1 }, { unique: true, partialFilterExpression: underWay });
deliverySchema.index({ webhookId: 1, createdAt: -1, _id: -1 }); // the list of a webhook, newest first
deliverySchema.index({ webhookId: 1, state: 1, createdAt: -1, _id: -1 });
deliverySchema.index({ userIds: 1 });
deliverySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const webhookDeliveryCollection = defineCollection<WebhookDelivery>({
  schema: deliverySchema,
  holds: "one event for one webhook: its state and attempts",
  kept: "`EVENT_RETENTION_DAYS`; erasure",
  userData: {
    owner: "userIds",
    section: "webhookDeliveries",
    row: z.object({
      type: z.string(),
      state: z.string(),
      createdAt: timestamp,
      deliveredAt: timestamp.nullable(),
    }),
    erasure: "delete",
  },
});

type NewDelivery = Pick<WebhookDelivery, "webhookId" | "eventId" | "type" | "userIds" | "createdAt" | "expiresAt">;

/** A pending delivery before its first attempt, which is due at once unless `nextAttemptAt` is given. */
export const newDelivery = (fields: NewDelivery & { nextAttemptAt?: Date }) => ({
  _id: new Types.ObjectId(),
  state: "pending" as const,
  attempts: 0,
  failures: 0,
  nextAttemptAt: fields.createdAt,
  lastStatus: null,
  lastError: null,
  deliveredAt: null,
  ...fields,
});

export async function insertDeliveries(
  db: Models,
  deliveries: readonly WebhookDelivery[],
  session: ClientSession,
): Promise<void> {
  await nativeCollection(db.WebhookDelivery).insertMany(deliveries, { session });
}
