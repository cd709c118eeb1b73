import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";
import { type EventType, eventTypeNames } from "./event-types.js";

/** `gone`: the endpoint answered 410. `failing`: it has taken no delivery for five days. */
export const disabledReasons = ["gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const webhookRoles = ["educator", "admin"] as const;
export type WebhookRole = (typeof webhookRoles)[number];

export type WebhookType = EventType | "*";
export const webhookTypes = [...eventTypeNames, "*"] as const satisfies WebhookType[];

/** Maximum number of webhooks of one user. */
export const maxWebhooksPerOwner = 20;

/** An address that events are sent to. */
export type Webhook = z.input<typeof webhookRow>;
const webhookRow = z.object({
  _id: objectIdField,
  url: z.string(),
  /** The types of events that are sent; `*` alone means every type. */
  types: z.array(z.enum(webhookTypes)),
  description: withDefault(z.string(), ""),
  active: withDefault(z.boolean(), true),
  disabledReason: z.enum(disabledReasons).nullable(),
  /** User id of the owner. */
  createdBy: z.string(),
  /** The API key that created it; absent when the owner did. */
  keyId: objectIdField.exactOptional(),
  /** The role that the owner had at the creation. An educator's webhook receives the events of the educator's courses. */
  role: z.enum(webhookRoles),
  /** The only courses whose events are sent: those of the API key that created it. Null: every course of the owner. */
  courseIds: z.array(objectIdField).nullable(),
  /** `whsec_…`, as clients get it. */
  secret: z.string(),
  /** Secrets that sign until their date, newest first. */
  oldSecrets: withDefault(z.array(z.object({ secret: z.string(), until: timestamp })), []),
  /** When the first delivery failed since the last delivered one; absent while none has failed. */
  failingSince: timestamp.exactOptional(),
  /** Set when the server disables the webhook, until the owner has a notice. */
  noticeDueAt: timestamp.exactOptional(),
  ...rowTimes,
});

export const webhookCollection = defineCollection({
  row: webhookRow,
  indexes: [
    [{ createdAt: -1, _id: -1 }], // the administrators' list, newest first
    [{ createdBy: 1, createdAt: -1, _id: -1 }], // an educator's list, newest first
    [{ noticeDueAt: 1 }, { sparse: true }],
    [{ role: 1, active: 1, createdBy: 1 }], // the receivers of an event
  ],
  holds: "an address that events are sent to, with its secrets",
  kept: "until the owner removes it, or erasure",
  userData: {
    owner: "createdBy",
    section: "webhooks",
    exported: ["url", "types", "description", "active", "disabledReason", "createdAt"],
    exportedAs: {
      description: z.string(),
      active: z.boolean(),
      disabledReason: z.string().nullable(),
      createdAt: timestamp,
    },
    erasure: "delete",
  },
});
