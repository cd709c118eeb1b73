import { timeOfPayment } from "../../../providers/razorpay-replies.js";

/** What the server looks at in an event of the payment provider. Every field may be missing or of any type. */
export interface ReadEvent {
  readonly readable: boolean;
  readonly event: string;
  readonly paymentId: string | undefined;
  /** A value that is no string is kept as its JSON, which is no order. */
  readonly orderId: string | undefined;
  /** `notes.purchaseId` as it stands; a value that is no string is kept as its JSON, which is no purchase. */
  readonly purchaseId: string | undefined;
  /** Of the payment: undefined when absent, otherwise as it stands. */
  readonly amount: unknown;
  readonly currency: unknown;
  /** When the payment was made; undefined when the event does not say it in whole seconds. */
  readonly paidAt: Date | undefined;
  readonly refundId: string | undefined;
  /** The receipt (or note) that the server asked for the refund with. */
  readonly refundReference: string | undefined;
  /** Minor units of a refund; 0 when there is none, or it is no amount. Undefined for other events. */
  readonly refundAmount: number | undefined;
  readonly disputeId: string | undefined;
}

/** Reads an event without ever failing: what cannot be read is absent. */
export function readPaymentEvent(body: Buffer): ReadEvent {
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
    orderId: asWritten(at(payment, "order_id")) ?? name(at(order, "id")),
    purchaseId: asWritten(at(at(payment, "notes"), "purchaseId")),
    amount: present(at(payment, "amount")),
    currency: present(at(payment, "currency")),
    paidAt: timeOfPayment(at(payment, "created_at")),
    refundId: name(at(refund, "id")),
    refundReference: name(at(refund, "receipt")) ?? name(at(at(refund, "notes"), "reference")),
    refundAmount: event.startsWith("refund.") ? amountOr0(at(refund, "amount")) : undefined,
    disputeId: name(at(dispute, "id")),
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
