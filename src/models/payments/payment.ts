import type { ClientSession, Model } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { nativeCollection } from "../native-collection.js";
import { objectIdField, withDefault } from "../row.js";

/** `accepted`, or the reason for which a payment does not complete its purchase. */
export const verdicts = [
  "accepted",
  "amount_mismatch",
  "currency_mismatch",
  "order_mismatch",
  "late_payment",
  "not_captured",
] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * One payment at the provider: the facts that events, replies and the checkout reported of it, and the verdict. A transaction
 * that adds a fact writes this document and the purchase, so that two of them always conflict.
 */
export type Payment = z.input<typeof paymentRow>;
const paymentRow = z.object({
  /** The provider's payment id. */
  _id: z.string(),
  /** The purchase that a proof, or a dispute, named. */
  purchaseId: objectIdField.nullable(),
  /** Minor units; null until a capture has reported it. */
  amountMinor: z.number().nullable(),
  /** ISO 4217; missing until a capture has reported it. */
  currency: z.string().exactOptional(),
  /** Whether a capture of it was reported. */
  captured: withDefault(z.boolean(), false),
  /** Whether the checkout's signature proved it. */
  signed: z.boolean().exactOptional(),
  /** When the buyer made it, as the provider says. */
  madeAt: timestamp.exactOptional(),
  /** When its first capture or signature was recorded. */
  provenAt: timestamp.exactOptional(),
  /**
   * Whether it may complete its purchase, or why not. Decided once, when it is first proven, because it depends on the
   * state of the world, such as the price of that day (services/payments/record-proof.ts). Missing without proof, or without a purchase.
   */
  verdict: z.enum(verdicts).exactOptional(),
  /** Whether the provider was asked about the signed payment and knew no capture. */
  isMissing: z.boolean().exactOptional(),
  /** Its distinct refunds, and a dispute of it that was lost. Amounts in minor units. */
  refunds: withDefault(z.array(z.object({ refundId: z.string(), amountMinor: z.number() })), []),
  /** Minor units: the sum of `refunds`. */
  refundedMinor: withDefault(z.number(), 0),
  /** Ids of refunds that the provider could not pay. */
  failedRefunds: z.array(z.string()).exactOptional(),
  /** Events of disputes about it, as they flag its purchase. `phase` is missing in rows of earlier versions. */
  disputes: z
    .array(z.object({ subject: z.string(), eventKey: z.string(), phase: z.string().exactOptional() }))
    .exactOptional(),
  updatedAt: timestamp,
});

export const paymentCollection = defineCollection({
  row: paymentRow,
  indexes: [[{ purchaseId: 1 }]],
  holds: "captures and refunds at the payment provider",
  kept: "for good: accounting",
  userData: "none",
});

type Models = { readonly Payment: Model<Payment> };

export function findPayment(db: Models, _id: string, session?: ClientSession): Promise<Payment | null> {
  return nativeCollection(db.Payment).findOne({ _id }, { ...(session && { session }) });
}

export async function storePayment(db: Models, { _id, ...payment }: Payment, session: ClientSession): Promise<void> {
  await nativeCollection(db.Payment).replaceOne({ _id }, payment, { session, upsert: true });
}
