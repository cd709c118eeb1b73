import { type ClientSession, type Model, Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, withDefault } from "../row.js";
import { eventTypeNames } from "./event-types.js";

export const deliveryStates = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Maximum number of concurrent attempts at one webhook, over all instances. */
export const maxAttemptsAtOnce = 5;

/** One event, or one ping, for one webhook. The event holds the data. */
export type WebhookDelivery = z.input<typeof webhookDeliveryRow>;
const webhookDeliveryRow = z.object({
  _id: objectIdField,
  webhookId: objectIdField,
  /** Null for a ping. */
  eventId: objectIdField.nullable(),
  type: z.enum([...eventTypeNames, "ping"]),
  /** The users whom the event names. */
  userIds: withDefault(z.array(z.string()), []),
  state: z.enum(deliveryStates),
  /** Number of all attempts. */
  attempts: withDefault(z.number(), 0),
  /** Number of failed attempts since the creation, or since the last resend. */
  failures: withDefault(z.number(), 0),
  /** Set while pending. During an attempt: when the attempt counts as lost, and the delivery is due again. */
  nextAttemptAt: timestamp.exactOptional(),
  /** Set during an attempt: a number below `maxAttemptsAtOnce`, unique for the webhook. */
  slot: z.number().exactOptional(),
  lastStatus: z.number().nullable(),
  lastError: z.string().nullable(),
  createdAt: timestamp,
  deliveredAt: timestamp.nullable(),
  expiresAt: timestamp,
});

/** Filters the pending deliveries, and those under way. */
export const pendingDeliveries = { nextAttemptAt: { $gt: new Date(0) } };
const underWay = { slot: { $gte: 0 } };

export const webhookDeliveryCollection = defineCollection({
  row: webhookDeliveryRow,
  indexes: [
    [{ nextAttemptAt: 1 }, { partialFilterExpression: pendingDeliveries }], // the job's poll
    [{ webhookId: 1, nextAttemptAt: 1 }, { partialFilterExpression: pendingDeliveries }],
    [{ createdAt: 1 }, { partialFilterExpression: pendingDeliveries }], // the oldest pending one
    [
      { webhookId: 1, slot: 1 },
      { unique: true, partialFilterExpression: underWay },
    ],
    [{ webhookId: 1, createdAt: -1, _id: -1 }], // the list of a webhook, newest first
    [{ webhookId: 1, state: 1, createdAt: -1, _id: -1 }],
    [{ userIds: 1 }],
    [{ expiresAt: 1 }, { expireAfterSeconds: 0 }],
  ],
  holds: "one event for one webhook: its state and attempts",
  kept: "`EVENT_RETENTION_DAYS`; erasure",
  userData: {
    owner: "userIds",
    section: "webhookDeliveries",
    exported: ["type", "state", "createdAt", "deliveredAt"],
    exportedAs: { deliveredAt: timestamp.nullable() },
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
  db: { readonly WebhookDelivery: Model<WebhookDelivery> },
  deliveries: readonly WebhookDelivery[],
  session: ClientSession,
): Promise<void> {
  await db.WebhookDelivery.insertMany(deliveries, { session, lean: true });
}
