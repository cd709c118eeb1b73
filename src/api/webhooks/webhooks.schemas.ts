import { z } from "zod";
import { listReply } from "../../http/list-reply.js";
import { newestFirstPage, nextCursor } from "../../http/pages.js";
import { id, list, normaliseAddress, text, timestamp } from "../../lib/fields.js";
import { disabledReasons, webhookTypes } from "../../models/events/webhook.js";
import { deliveryStates } from "../../models/events/webhook-delivery.js";

const maxTypes = 30;

const url = text(1, 2048).overwrite(normaliseAddress).meta({
  description: "`https`, with a host that has public addresses; no credentials",
  example: "https://crm.example/lyceum",
});
const types = list(z.enum(webhookTypes), maxTypes, 1)
  .refine((all) => all.length === 1 || !all.includes("*"), "* stands alone")
  .nonoptional()
  .meta({ description: "`*` alone: every type", example: ["purchase.completed"] });
const description = text(0, 200);

export const NewWebhookBody = z.object({ url, types, description: description.default("") });

export const WebhookChangesBody = z.object({
  url: url.optional(),
  types: types.optional(),
  description: description.optional(),
  active: z.boolean().optional().meta({ description: "true forgets why it was disabled", example: true }),
});

const WebhookView = z
  .object({
    _id: id,
    url: z.string(),
    types: z.array(z.string()).meta({ description: "types of events; `*`: every type" }),
    description: z.string(),
    active: z.boolean(),
    disabledReason: z.enum(disabledReasons).nullable().meta({
      description: "`gone`: the endpoint answered 410. `failing`: it has taken no delivery for five days",
    }),
    createdBy: z
      .object({ kind: z.enum(["user", "key"]), id: z.string() })
      .meta({ description: "the user or the API key; revoking that key switches the webhook off" }),
    createdAt: timestamp,
  })
  .meta({ id: "Webhook" });

const secret = z
  .string()
  .meta({ description: "`whsec_…`; shown this once", example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" });

export const WebhookReply = z.object({ webhook: WebhookView });
export const NewWebhookReply = z.object({ webhook: WebhookView, secret });
export const WebhooksReply = listReply("webhooks", WebhookView);
export const SecretReply = z.object({ secret });

const DeliveryView = z
  .object({
    _id: id.meta({ description: "`webhook-id` of its messages" }),
    eventId: id.nullable().meta({ description: "null: a ping" }),
    type: z.string(),
    state: z.enum(deliveryStates),
    attempts: z.number(),
    nextAttemptAt: timestamp.nullable().meta({ description: "null: no attempt is planned, or one is under way" }),
    lastStatus: z.int().nullable(),
    lastError: z.string().nullable(),
    createdAt: timestamp,
    deliveredAt: timestamp.nullable(),
  })
  .meta({ id: "WebhookDelivery" });

export const DeliveryReply = z.object({ delivery: DeliveryView });
export const DeliveriesQuery = z.object({ state: z.enum(deliveryStates).optional(), ...newestFirstPage });
export const DeliveriesReply = listReply("deliveries", DeliveryView, nextCursor);
