import { createHash } from "node:crypto";
import { type ClientSession, type mongo, Types } from "mongoose";
import { isDuplicateKey } from "../../../db/database-errors.js";
import type { Db } from "../../../db/db.js";
import { insertPaymentEvent, type PaymentEvent } from "../../../models/payments/payment-event.js";
import { timeOfPayment } from "../../../providers/razorpay-replies.js";

/** How long a fresh event belongs to the request that stored it. Then the job that resumes events takes it. */
export const resumeAfterMs = 3_000;

/** A query without Mongoose's documents reads a body as the driver's `Binary`. */
export type StoredEvent = Omit<PaymentEvent, "body"> & { body: Buffer | mongo.Binary };

/**
 * Stores a verified event under the SHA-256 of its raw bytes. A majority has acknowledged it when this returns.
 * @returns the stored event, also when an earlier delivery stored it. @throws when nothing could be stored.
 */
export async function storePaymentEvent(
  { db }: { readonly db: Db },
  body: Buffer,
  headerEventId: string | null,
): Promise<StoredEvent> {
  const read = readPaymentEvent(body);
  const row: PaymentEvent = {
    ...newEvent(hashOf(body), read.event),
    headerEventId,
    paymentId: read.paymentId ?? null,
    orderId: read.orderId ?? null,
    purchaseId: read.purchaseId ?? null,
    refundId: read.refundId ?? null,
    amountMinor: read.refundAmount ?? (Number.isSafeInteger(read.amount) ? Number(read.amount) : null),
    body: withoutPayerData(body),
  };
  // Of two concurrent first deliveries the unique index refuses one, which then finds the other's row.
  const known = await insertPaymentEvent(db, row).catch((error: unknown) => {
    if (isDuplicateKey(error)) return insertPaymentEvent(db, row);
    throw error;
  });
  return known ? { ...known, body } : row;
}

type Unknown = Pick<PaymentEvent, "event" | "paymentId"> &
  Partial<Pick<PaymentEvent, "orderId" | "purchaseId" | "refundId" | "amountMinor">>;

/**
 * Puts money that the provider named when it was asked, and that belongs to no known purchase, in front of an operator. A
 * repeat changes nothing. Such an event has no body, so that its fields are its facts.
 */
export async function storeUnknown(db: Db, found: Unknown, session: ClientSession): Promise<void> {
  const { event, paymentId, orderId = null, purchaseId = null, refundId = null, amountMinor = null } = found;
  const eventKey = hashOf(`${event} ${paymentId} ${refundId} ${amountMinor}`);
  const row = { ...newEvent(eventKey, event), paymentId, orderId, purchaseId, refundId, amountMinor };
  const review = { state: "review", outcome: "needs review", reviewReason: "unknown_purchase" } as const;
  const insert = { $setOnInsert: { ...row, ...review, headerEventId: null, body: Buffer.alloc(0) } };
  await db.PaymentEvent.updateOne({ eventKey }, insert, { session, upsert: true, timestamps: false });
}

const hashOf = (content: Buffer | string): string => createHash("sha256").update(content).digest("hex");

function newEvent(eventKey: string, event: string) {
  const now = new Date();
  return {
    _id: new Types.ObjectId(),
    eventKey,
    event,
    state: "pending" as const,
    outcome: "",
    reviewReason: null,
    attempts: 0,
    nextAttemptAt: new Date(now.getTime() + resumeAfterMs),
    createdAt: now,
    updatedAt: now,
  };
}

/** Reads a stored event. */
export function readStored({ body, ...stored }: StoredEvent): ReadEvent {
  const raw = Buffer.isBuffer(body) ? body : Buffer.from(body.value());
  if (raw.length > 0 || !stored.event) return readPaymentEvent(raw);
  const { event, paymentId, orderId, purchaseId, refundId, amountMinor } = stored;
  const isRefund = event.startsWith("refund.");
  return {
    ...readPaymentEvent(raw),
    ...{ readable: true, event, paymentId: paymentId ?? undefined, orderId: orderId ?? undefined },
    ...{ purchaseId: purchaseId ?? undefined, refundId: refundId ?? undefined },
    ...(isRefund ? { refundAmount: amountMinor ?? 0 } : { amount: amountMinor ?? undefined }),
  };
}

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
