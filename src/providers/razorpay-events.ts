import { timeOfPayment } from "./razorpay-replies.js";

/** The fields of a payment event that the server uses. Each may be missing from the body, or have any type there. */
export type ReadEvent = ReturnType<typeof readPaymentEvent>;

/** Reads an event. It never throws: a field that cannot be read is undefined. */
export function readPaymentEvent(body: Buffer) {
  const message = parse(body);
  const payload = at(message, "payload");
  const payment = at(at(payload, "payment"), "entity");
  const order = at(at(payload, "order"), "entity");
  const refund = at(at(payload, "refund"), "entity");
  const dispute = at(at(payload, "dispute"), "entity");
  const event = name(at(message, "event")) ?? "";
  return {
    readable: typeof at(message, "event") === "string",
    event,
    paymentId: name(at(refund, "payment_id")) ?? name(at(dispute, "payment_id")) ?? name(at(payment, "id")),
    /** A value that is no string is kept as its JSON, which matches no order. `purchaseId` likewise. */
    orderId: asWritten(at(payment, "order_id")) ?? name(at(order, "id")),
    purchaseId: asWritten(at(at(payment, "notes"), "purchaseId")),
    /** Amount and currency of the payment: undefined when absent, otherwise any value. */
    amount: present(at(payment, "amount")),
    currency: present(at(payment, "currency")),
    /** When the payment was made; undefined when the event does not say it in whole seconds. */
    paidAt: timeOfPayment(at(payment, "created_at")),
    refundId: name(at(refund, "id")),
    /** The receipt (or note) that the server requested the refund with. */
    refundReference: name(at(refund, "receipt")) ?? name(at(at(refund, "notes"), "reference")),
    /** Minor units of a refund; 0 when there is none, or it is no amount. Undefined for other events. */
    refundAmount: event.startsWith("refund.") ? amountOr0(at(refund, "amount")) : undefined,
    disputeId: name(at(dispute, "id")),
    /** For example `chargeback`, or `retrieval`, which asks for information. */
    disputePhase: name(at(dispute, "phase")),
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** An own property of an object, else undefined. */
function at(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

const maxName = 256;
const name = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= maxName ? value : undefined;

const present = (value: unknown): unknown => (value === null ? undefined : value);

const amountOr0 = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;

function asWritten(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return (typeof value === "string" ? value : json(value)).slice(0, maxName);
}

/** Reading goes deeper than writing can. */
function json(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "[nested too deep]";
  }
}

/** Personal data in the entities of a webhook body. The server uses none of it. */
const payerFields = [
  "email",
  "contact",
  "card",
  "card_id",
  "vpa",
  "upi",
  "bank_account",
  "customer_id",
  "customer_details",
  "billing_address",
  "shipping_address",
];

/** Removes personal data from a webhook body. A body without such data, or that cannot be read, keeps its exact bytes. */
export function withoutPayerData(body: Buffer): Buffer {
  try {
    const message: unknown = JSON.parse(body.toString("utf8"));
    const payload = isObject(message) && isObject(message.payload) ? message.payload : {};
    let removed = 0;
    for (const part of Object.values(payload)) {
      const entity = isObject(part) && isObject(part.entity) ? part.entity : {};
      for (const field of payerFields) {
        if (!Object.hasOwn(entity, field)) continue;
        delete entity[field];
        removed += 1;
      }
    }
    return removed > 0 ? Buffer.from(JSON.stringify(message)) : body;
  } catch {
    return body;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
