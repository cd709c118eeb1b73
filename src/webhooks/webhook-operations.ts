import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";
import { described, failed } from "../http/openapi/openapi-operations.js";
import { Unexpected } from "../lib/errors.js";
import { paymentEvents as handledPaymentEvents } from "../services/payments/events/apply-payment-event.js";

const text = z.string();
const optional = (schema: z.ZodType) => schema.nullish();

/** The fields of a user that the server reads. */
const User = z
  .looseObject({
    id: text,
    first_name: optional(text),
    last_name: optional(text),
    image_url: optional(text),
    email_addresses: optional(
      z.array(
        z.looseObject({
          id: optional(text),
          email_address: text,
          verification: optional(z.looseObject({ status: text })),
        }),
      ),
    ),
    primary_email_address_id: optional(text),
    public_metadata: optional(z.looseObject({ role: optional(text) })),
    updated_at: optional(z.number()).meta({ description: "milliseconds; orders the events of one user" }),
  })
  .meta({ id: "IdentityUser" });

const amount = z.int().meta({ description: "minor units" });
const notes = optional(z.union([z.looseObject({ purchaseId: text }), z.array(z.unknown())]));
const Payment = z
  .looseObject({ id: text, order_id: optional(text), amount, currency: text, status: text, notes })
  .meta({ id: "ProviderPayment" });
const Order = z.looseObject({ id: text, amount, currency: text, status: text, notes }).meta({ id: "ProviderOrder" });
const Refund = z.looseObject({ id: text, payment_id: text, amount, status: text }).meta({ id: "ProviderRefund" });
const Dispute = z
  .looseObject({ id: text, payment_id: text, amount, status: text, phase: optional(text) })
  .meta({ id: "ProviderDispute" });

const entity = (schema: z.ZodType) => z.looseObject({ entity: schema });
const payload = (event: string, entities: Record<string, z.ZodType>) =>
  z.looseObject({
    event: z.literal(event),
    payload: z.looseObject(Object.fromEntries(Object.entries(entities).map(([name, one]) => [name, entity(one)]))),
    created_at: z.int().meta({ description: "seconds" }),
  });

interface Event {
  readonly does: string;
  readonly body: z.ZodType;
}

const identityEvent = (event: string, does: string, data: z.ZodType): [string, Event] => [
  event,
  { does, body: z.looseObject({ type: z.literal(event), data }) },
];

/** Events that have an effect. Other events get the same answer. */
const identityEvents: ReadonlyMap<string, Event> = new Map([
  identityEvent("user.created", "Writes the user, and activates access that waits for the verified address.", User),
  identityEvent("user.updated", "Updates the user. An event older than the newest one changes nothing.", User),
  identityEvent("user.deleted", "Removes the profile permanently.", z.looseObject({ id: text })),
]);

const paymentEntities = { payment: Payment, order: Order, refund: Refund, dispute: Dispute };

const paymentEvents: ReadonlyMap<string, Event> = new Map(
  Object.entries(handledPaymentEvents).map(([event, { summary, entities }]) => {
    const schemas = Object.fromEntries(entities.map((name) => [name, paymentEntities[name]]));
    return [event, { does: summary, body: payload(event, schemas) }];
  }),
);

const svix = {
  "svix-id": text.meta({ description: "id of the message, equal in every attempt" }),
  "svix-timestamp": text.meta({ description: "seconds since the epoch, at most five minutes from now" }),
  "svix-signature": text.meta({
    description: "`v1,` and the base64 HMAC-SHA256 of `<svix-id>.<svix-timestamp>.<body>` with `CLERK_WEBHOOK_SECRET`",
  }),
};
const razorpay = {
  "x-razorpay-signature": text.meta({ description: "hex HMAC-SHA256 of the body with `RAZORPAY_WEBHOOK_SECRET`" }),
  "x-razorpay-event-id": text.optional().meta({ description: "id of the event, stored with it" }),
};
const answer = (description: string) => ({ description });

const identityAnswers = {
  "200": answer("`{}`: the event took effect, or has no effect"),
  "500": answer(
    "Any failure, including a wrong signature or a body over 1 MiB: the provider delivers the message again",
  ),
};
const paymentAnswers = {
  "200": answer('`{"received":true}`: the event is stored; administrators see its result'),
  "400": answer(
    "The signature is wrong, or the body is over 1 MiB or compressed: the provider does not deliver it again",
  ),
  "500": answer("The event could not be stored: the provider delivers it again"),
};

const signed = (...headers: string[]): Partial<ZodOpenApiOperationObject> => ({
  requestParams: { header: z.object(Object.fromEntries(headers.map((name) => [name, text]))) },
  requestBody: { required: true, content: { "application/json": { schema: z.looseObject({}) } } },
});

/** The paths that receive the events. */
const paths: ZodOpenApiPathsObject = {
  "/clerk": {
    post: described(
      "webhooks",
      "clerkWebhook",
      "Events of the identity provider",
      {
        200: ["The event took effect, or has no effect", z.object({})],
        500: [Unexpected.message, failed(Unexpected.message)],
      },
      {
        ...signed("svix-id", "svix-timestamp", "svix-signature"),
        "x-events": [...identityEvents.keys()],
        description:
          "Signed by svix over `<id>.<timestamp>.<body>`, body up to 1 MB. The provider repeats an event until the status " +
          "is 2xx. `webhooks` describes the events.",
      },
    ),
  },
  "/razorpay": {
    post: described(
      "webhooks",
      "razorpayWebhook",
      "Events of the payment provider",
      {
        200: ["The event is stored", z.object({ received: z.literal(true) })],
        400: ["The signature is wrong", z.object({ error: z.literal("Invalid Razorpay webhook signature") })],
        500: [Unexpected.message, failed(Unexpected.message)],
      },
      {
        ...signed("x-razorpay-signature"),
        "x-events": [...paymentEvents.keys()],
        description:
          "Signed with HMAC-SHA256 over the body, in hex; body up to 1 MB. The provider repeats an event until the status " +
          "is 200 or 400. `webhooks` describes the events.",
      },
    ),
  },
};

/** One entry of OpenAPI's `webhooks` for each event. */
const webhooks: ZodOpenApiPathsObject = {
  ...operationsOf("/clerk", identityEvents, svix, identityAnswers),
  ...operationsOf("/razorpay", paymentEvents, razorpay, paymentAnswers),
};

function operationsOf(
  path: string,
  events: ReadonlyMap<string, Event>,
  headers: Record<string, z.ZodType>,
  responses: Record<string, { description: string }>,
): ZodOpenApiPathsObject {
  const operation = (event: string, { does, body }: Event) => ({
    post: {
      tags: ["webhooks"],
      operationId: `${event.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())}Event`,
      summary: does,
      description: `Sent to \`POST ${path}\`, body up to 1 MB.`,
      "x-path": path,
      requestParams: { header: z.object(headers) },
      requestBody: { required: true, content: { "application/json": { schema: body } } },
      responses,
    },
  });
  return Object.fromEntries([...events].map(([event, about]) => [event, operation(event, about)]));
}

export const receivedWebhooks = { paths, webhooks };
