import type { Deps } from "../../deps.js";
import { forManagers } from "../../http/for-managers.js";
import { type RouteGroup, route } from "../../http/route.js";
import {
  DeliveryNotFound,
  describeDelivery,
  listDeliveries,
  pingWebhook,
  resendDelivery,
} from "../../services/webhooks/manage-deliveries.js";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  describeWebhook,
  findWebhook,
  listWebhooks,
  rotateSecret,
  TooManyWebhooks,
  UrlNotAllowed,
  WebhookNotFound,
} from "../../services/webhooks/manage-webhooks.js";
import {
  DeliveriesQuery,
  DeliveriesReply,
  DeliveryReply,
  NewWebhookBody,
  NewWebhookReply,
  SecretReply,
  WebhookChangesBody,
  WebhookReply,
  WebhooksReply,
} from "./webhooks.schemas.js";

/** Webhooks and their deliveries. Administrators manage all webhooks, educators their own. */
export const webhooksGroups = (deps: Deps): RouteGroup[] => {
  const { db } = deps;
  return forManagers("webhooks", ["admin", "educator"], ({ role, isAdmin, suffix }) => [
    route("post", "/webhooks", {
      operationId: `createWebhook${suffix}`,
      summary: isAdmin ? "Send the platform's events to an address" : "Send events of own courses to an address",
      description: "Messages are signed by Standard Webhooks 1.0 with the secret, which is shown this once.",
      access: role,
      scope: "webhooks:write",
      body: NewWebhookBody,
      reply: NewWebhookReply,
      errors: [UrlNotAllowed, TooManyWebhooks],
      async handle({ body, manager }) {
        const webhook = await createWebhook(deps, body, manager);
        return { webhook: describeWebhook(webhook), secret: webhook.secret };
      },
    }),
    route("get", "/webhooks", {
      operationId: `listWebhooks${suffix}`,
      summary: isAdmin ? "Every webhook, newest first" : "The educator's own webhooks, newest first",
      access: role,
      scope: "webhooks:write",
      reply: WebhooksReply.schema,
      handle: (request) => WebhooksReply.answer(request, listWebhooks(db, request.manager)),
    }),
    route("patch", "/webhooks/:id", {
      operationId: `updateWebhook${suffix}`,
      summary: "Change a webhook, or switch it on or off",
      description: "A webhook that is not active receives nothing, and its due deliveries fail.",
      access: role,
      scope: "webhooks:write",
      body: WebhookChangesBody,
      reply: WebhookReply,
      errors: [UrlNotAllowed, WebhookNotFound],
      async handle({ params, body, manager }) {
        const webhook = await changeWebhook(deps, params.id, body, manager);
        return { webhook: describeWebhook(webhook) };
      },
    }),
    route("delete", "/webhooks/:id", {
      operationId: `deleteWebhook${suffix}`,
      summary: "Remove a webhook; its pending deliveries end",
      access: role,
      scope: "webhooks:write",
      errors: [WebhookNotFound],
      handle: ({ params, manager }) => deleteWebhook(db, params.id, manager),
    }),
    route("post", "/webhooks/:id/rotate-secret", {
      operationId: `rotateSecret${suffix}`,
      summary: "Replace the secret of a webhook",
      description: "For 24 hours messages have two signatures, by the new and by the old secret.",
      access: role,
      scope: "webhooks:write",
      reply: SecretReply,
      errors: [WebhookNotFound],
      handle: async ({ params, manager }) => ({ secret: await rotateSecret(db, params.id, manager) }),
    }),
    route("post", "/webhooks/:id/ping", {
      operationId: `pingWebhook${suffix}`,
      summary: "Send a message of the type `ping` to a webhook",
      description:
        "The reply follows the attempt, which takes up to 10 seconds. While the webhook has five attempts under way, the ping waits up to 10 seconds first, and is answered as `pending` after that. A ping is never repeated.",
      access: role,
      scope: "webhooks:write",
      reply: DeliveryReply,
      errors: [WebhookNotFound],
      handle: async ({ params, manager, signal }) => ({
        delivery: describeDelivery(await pingWebhook(deps, params.id, manager, signal)),
      }),
    }),
    route("get", "/webhooks/:id/deliveries", {
      operationId: `listDeliveries${suffix}`,
      summary: "The deliveries of a webhook, newest first",
      access: role,
      scope: "webhooks:write",
      query: DeliveriesQuery,
      reply: DeliveriesReply.schema,
      errors: [WebhookNotFound],
      async handle(request) {
        const { _id } = await findWebhook(db, request.params.id, request.manager);
        return DeliveriesReply.answer(request, listDeliveries(db, _id, request.query.state));
      },
    }),
    route("post", "/webhooks/:id/deliveries/:deliveryId/resend", {
      operationId: `resendDelivery${suffix}`,
      summary: "Send a delivery again",
      description: "Its messages keep their `webhook-id`.",
      access: role,
      scope: "webhooks:write",
      reply: DeliveryReply,
      errors: [WebhookNotFound, DeliveryNotFound],
      async handle({ params, manager }) {
        const { id, deliveryId } = params;
        return { delivery: describeDelivery(await resendDelivery(db, id, deliveryId, manager)) };
      },
    }),
  ]);
};
