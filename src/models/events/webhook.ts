import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
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
export interface Webhook {
  _id: Types.ObjectId;
  url: string;
  /** The types of events that are sent; `*` alone means every type. */
  types: WebhookType[];
  description: string;
  active: boolean;
  disabledReason: DisabledReason | null;
  /** User id of the owner. */
  createdBy: string;
  /** The API key that created it; absent when the owner did. */
  keyId?: Types.ObjectId;
  /** The role that the owner had at the creation. An educator's webhook receives the events of the educator's courses. */
  role: WebhookRole;
  /** The only courses whose events are sent: those of the API key that created it. Null: every course of the owner. */
  courseIds: Types.ObjectId[] | null;
  /** `whsec_…`, as clients get it. */
  secret: string;
  /** Secrets that sign until their date, newest first. */
  oldSecrets: { secret: string; until: Date }[];
  /** When the first delivery failed since the last delivered one; absent while none has failed. */
  failingSince?: Date;
  createdAt: Date;
  updatedAt: Date;
}

const webhookSchema = new Schema<Webhook>(
  {
    url: { type: String, required: true },
    types: { type: [String], enum: webhookTypes, required: true },
    description: { type: String, default: "" },
    active: { type: Boolean, default: true },
    disabledReason: { type: String, enum: [...disabledReasons, null], default: null },
    createdBy: { type: String, required: true },
    keyId: Schema.Types.ObjectId,
    role: { type: String, enum: webhookRoles, required: true },
    courseIds: { type: [Schema.Types.ObjectId], default: null },
    secret: { type: String, required: true },
    oldSecrets: { type: [new Schema({ secret: String, until: Date }, { _id: false })], default: [] },
    failingSince: Date,
  },
  { timestamps: true },
);
webhookSchema.index({ createdAt: -1, _id: -1 }); // the administrators' list, newest first
webhookSchema.index({ createdBy: 1, createdAt: -1, _id: -1 }); // an educator's list, newest first
webhookSchema.index({ role: 1, active: 1, createdBy: 1 }); // the receivers of an event

export const webhookCollection = defineCollection<Webhook>({
  schema: webhookSchema,
  holds: "an address that events are sent to, with its secrets",
  kept: "until the owner removes it, or erasure",
  userData: {
    owner: "createdBy",
    section: "webhooks",
    row: z.object({
      url: z.string(),
      types: z.array(z.string()),
      description: z.string(),
      active: z.boolean(),
      disabledReason: z.string().nullable(),
      createdAt: timestamp,
    }),
    erasure: "delete",
  },
});
