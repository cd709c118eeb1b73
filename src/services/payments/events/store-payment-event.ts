import { createHash } from "node:crypto";
import { type ClientSession, type mongo, Types } from "mongoose";
import { isDuplicateKey } from "../../../db/database-errors.js";
import type { Db } from "../../../db/db.js";
import { insertPaymentEvent, type PaymentEvent } from "../../../models/payments/payment-event.js";
import { type ReadEvent, readPaymentEvent, withoutPayerData } from "../../../providers/razorpay-events.js";

/** How long a fresh event belongs to the request that stored it. Then the job that resumes events takes it. */
export const resumeAfterMs = 3_000;

/** A query without Mongoose's documents reads a body as the driver's `Binary`. */
export type StoredPaymentEvent = Omit<PaymentEvent, "body"> & { body: Buffer | mongo.Binary };

/**
 * Stores a verified event under the SHA-256 of its raw bytes. A majority has acknowledged it when this returns.
 * @returns the stored event, also when an earlier delivery stored it. @throws when nothing could be stored.
 */
export async function storePaymentEvent(
  { db }: { readonly db: Db },
  body: Buffer,
  headerEventId: string | null,
): Promise<StoredPaymentEvent> {
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
export function readStored({ body, ...stored }: StoredPaymentEvent): ReadEvent {
  const raw = Buffer.isBuffer(body) ? body : Buffer.from(body.value());
  if (raw.length > 0 || !stored.event) return readPaymentEvent(raw);
  const { event, paymentId, orderId, purchaseId, refundId, amountMinor } = stored;
  const isRefund = event.startsWith("refund.");
  const amount = isRefund ? { refundAmount: amountMinor ?? 0 } : { amount: amountMinor ?? undefined };
  return {
    ...readPaymentEvent(raw),
    readable: true,
    event,
    paymentId: paymentId ?? undefined,
    orderId: orderId ?? undefined,
    purchaseId: purchaseId ?? undefined,
    refundId: refundId ?? undefined,
    ...amount,
  };
}
