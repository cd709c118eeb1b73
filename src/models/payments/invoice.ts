import { type ClientSession, Schema, type Types } from "mongoose";
import type { Models } from "../index.js";

export const invoiceKinds = ["invoice", "credit-note"] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/** The content of an invoice or credit note. Amounts are in minor units of `currency`. */
export interface InvoiceFacts {
  seller: { name: string; address: string; taxId: string };
  buyer: { name: string; email: string };
  courseTitle: string;
  /** ISO 4217. */
  currency: string;
  priceMinor: number;
  /** Reductions by the course's discount and by the coupon. */
  discountMinor: number;
  couponMinor: number;
  couponCode: string | null;
  /** The amount that was paid, or paid back. */
  totalMinor: number;
  /** The tax that the total includes; null when no tax is configured. */
  tax: { name: string; percent: number; amountMinor: number } | null;
  /** The provider's payment id. */
  paymentId: string;
  /** Number of the invoice that a credit note is about. */
  invoiceNumber: string | null;
}

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

export const invoiceSchema = new Schema<Invoice>(
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

/** The counter of a series such as `INV-2026-27`. The numbers 1 to `last` are given, without a gap. */
export interface InvoiceSeries {
  _id: string;
  last: number;
}

export const invoiceSeriesSchema = new Schema<InvoiceSeries>(
  { _id: { type: String, required: true }, last: { type: Number, required: true } },
  { versionKey: false },
);

/** Takes the next numbers of a series. @returns the first number. */
export async function takeNumbers(db: Models, _id: string, count: number, session: ClientSession): Promise<number> {
  const options = { session, upsert: true, returnDocument: "after" } as const;
  const series = await db.InvoiceSeries.findOneAndUpdate({ _id }, { $inc: { last: count } }, options)
    .orFail()
    .lean<InvoiceSeries>();
  return series.last - count + 1;
}
