import type { ClientSession, Model } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, uncast } from "../row.js";

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

/** A numbered document about a purchase. What it says never changes. */
export type Invoice = z.input<typeof invoiceRow>;
const invoiceRow = z.object({
  _id: objectIdField,
  kind: z.enum(invoiceKinds),
  number: z.string(),
  purchaseId: objectIdField,
  /**
   * 1 for the first invoice of a purchase. Another invoice follows when the purchase is completed again after a credit
   * note.
   */
  ordinal: z.number().exactOptional(),
  /** Of the refund that a credit note is about. */
  refundId: z.string().nullable(),
  /** When the purchase was completed, or the refund was reported. */
  issuedAt: timestamp,
  /** IANA zone of its date and of the year in its number. Absent in documents of earlier versions: UTC. */
  timeZone: z.string().exactOptional(),
  facts: uncast(invoiceFacts),
  /** Set until its mail to the buyer is stored. Absent in documents of version 1.0, which sent no mail. */
  noticeDueAt: timestamp.exactOptional(),
  createdAt: rowTimes.createdAt,
});

export const invoiceCollection = defineCollection({
  row: invoiceRow,
  options: { minimize: false },
  indexes: [
    [{ number: 1 }, { unique: true }],
    [{ purchaseId: 1, kind: 1, _id: 1 }],
    [{ noticeDueAt: 1 }, { sparse: true }],
    [
      { purchaseId: 1, ordinal: 1 },
      { unique: true, partialFilterExpression: { kind: "invoice" } },
    ],
  ],
  holds: "invoice or credit note with buyer and seller; never changes",
  kept: "for good, as the law of accounting asks",
  userData: {
    owner: "purchaseId",
    section: "invoices",
    through: "Purchase",
    exported: ["kind", "number", "purchaseId", "issuedAt", "facts"],
    exportedAs: {
      kind: z.enum(invoiceKinds),
      facts: invoiceFacts.meta({
        description: "amounts are in the smallest unit of the currency",
      }),
    },
    erasure: { keep: "the law of accounting wants it unchanged" },
  },
});

/** The counter of a series, such as `INV-2026-27` of `INV-2627-000001`. The numbers 1 to `last` are given, without a gap. */
export type InvoiceSeries = z.input<typeof invoiceSeriesRow>;
const invoiceSeriesRow = z.object({
  _id: z.string(),
  last: z.number(),
});

export const invoiceSeriesCollection = defineCollection({
  row: invoiceSeriesRow,
  holds: "the last number given, for each prefix and financial year",
  kept: "for good",
  userData: "none",
});

/** Takes the next numbers of a series. @returns the first number. */
export async function takeNumbers(
  db: { readonly InvoiceSeries: Model<InvoiceSeries> },
  _id: string,
  count: number,
  session: ClientSession,
): Promise<number> {
  const options = { session, upsert: true, returnDocument: "after" } as const;
  const series = await db.InvoiceSeries.findOneAndUpdate({ _id }, { $inc: { last: count } }, options)
    .orFail()
    .lean<InvoiceSeries>();
  return series.last - count + 1;
}
