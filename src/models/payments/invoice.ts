import { type ClientSession, Schema, type Types } from "mongoose";
import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import type { Models } from "../index.js";

export const invoiceKinds = ["invoice", "credit-note"] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

const invoiceFacts = z.object({
  seller: z.object({ name: z.string(), address: z.string(), taxId: z.string() }),
  buyer: z.object({ name: z.string(), email: z.string() }),
  courseTitle: z.string(),
  /** ISO 4217. */
  currency: z.string(),
  priceMinor: z.number(),
  /** Reductions by the course's discount and by the coupon. */
  discountMinor: z.number(),
  couponMinor: z.number(),
  couponCode: z.string().nullable(),
  /** The amount that was paid, or paid back. */
  totalMinor: z.number(),
  /** The tax that the total includes; null when no tax is configured. */
  tax: z.object({ name: z.string(), percent: z.number(), amountMinor: z.number() }).nullable(),
  /** The provider's payment id. */
  paymentId: z.string(),
  invoiceNumber: z.string().nullable().meta({ description: "of the invoice that a credit note is about" }),
});
/** The content of an invoice or credit note. Amounts are in minor units of `currency`. */
export type InvoiceFacts = z.infer<typeof invoiceFacts>;

/** A numbered document about a purchase. It never changes. */
export interface Invoice {
  _id: Types.ObjectId;
  kind: InvoiceKind;
  number: string;
  purchaseId: Types.ObjectId;
  /**
   * 1 for the first invoice of a purchase. Another invoice follows when the purchase is completed again after a credit
   * note.
   */
  ordinal?: number;
  /** Of the refund that a credit note is about. */
  refundId: string | null;
  /** When the purchase was completed, or the refund was reported. */
  issuedAt: Date;
  facts: InvoiceFacts;
  createdAt: Date;
}

const invoiceSchema = new Schema<Invoice>(
  {
    kind: { type: String, enum: invoiceKinds, required: true },
    number: { type: String, required: true },
    purchaseId: { type: Schema.Types.ObjectId, required: true },
    ordinal: Number,
    refundId: { type: String, default: null },
    issuedAt: { type: Date, required: true },
    facts: { type: Schema.Types.Mixed, required: true },
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false, minimize: false },
);
invoiceSchema.index({ number: 1 }, { unique: true });
invoiceSchema.index({ purchaseId: 1, kind: 1, _id: 1 });
invoiceSchema.index({ purchaseId: 1, ordinal: 1 }, { unique: true, partialFilterExpression: { kind: "invoice" } });

export const invoiceCollection = defineCollection<Invoice>({
  schema: invoiceSchema,
  holds: "invoice or credit note with buyer and seller; never changes",
  kept: "for good, as the law of accounting asks",
  userData: {
    owner: "purchaseId",
    section: "invoices",
    through: "Purchase",
    row: z.object({
      kind: z.enum(invoiceKinds),
      number: z.string(),
      purchaseId: id,
      issuedAt: timestamp,
      facts: invoiceFacts.meta({ description: "amounts are in the smallest unit of the currency" }),
    }),
    erasure: { keep: "the law of accounting wants it unchanged" },
  },
});

/** The counter of a series such as `INV-2026-27`. The numbers 1 to `last` are given, without a gap. */
export interface InvoiceSeries {
  _id: string;
  last: number;
}

const invoiceSeriesSchema = new Schema<InvoiceSeries>(
  { _id: { type: String, required: true }, last: { type: Number, required: true } },
  { versionKey: false },
);

export const invoiceSeriesCollection = defineCollection<InvoiceSeries>({
  schema: invoiceSeriesSchema,
  holds: "the last number given, for each prefix and financial year",
  kept: "for good",
  userData: "none",
});

/** Takes the next numbers of a series. @returns the first number. */
export async function takeNumbers(db: Models, _id: string, count: number, session: ClientSession): Promise<number> {
  const options = { session, upsert: true, returnDocument: "after" } as const;
  const series = await db.InvoiceSeries.findOneAndUpdate({ _id }, { $inc: { last: count } }, options)
    .orFail()
    .lean<InvoiceSeries>();
  return series.last - count + 1;
}
