import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";
import type { Coupon } from "./coupon.js";

export const purchaseStates = ["created", "pending", "completed", "failed", "refunded"] as const;
export type PurchaseState = (typeof purchaseStates)[number];

/** States that wait for money. At most one purchase of a learner and course is in one of them. */
export const unfinishedStates: PurchaseState[] = ["created", "pending"];

/** Reasons for an operator to look at a purchase. They are flags, not states: several may be open at once. */
export const reviewReasons = [
  "amount_mismatch",
  "currency_mismatch",
  "order_mismatch",
  "duplicate_charge",
  "unknown_purchase",
  "partial_refund",
  "refund_failed",
  "disputed",
  "not_captured",
  "late_payment",
] as const;
export type ReviewReason = (typeof reviewReasons)[number];

/**
 * Why a purchase failed. The cause decides whether a later payment still completes the purchase.
 * `learner`: the learner asked for the course with another coupon, or bought it otherwise. `review`: it was under review.
 * `price`: the price of the course changed. `payment`: the provider reported a failed payment. `expired`: a day passed.
 * `not_captured`: the checkout's signature completed it, and its payment was not captured within a day, or did not fit the
 * purchase. `erased`: the learner's data were erased.
 */
export type FailureCause = "learner" | "review" | "price" | "payment" | "expired" | "not_captured" | "erased";

/** A reason to look at a purchase. A reason and a subject occur once in a purchase, however often they are reported. */
export interface ReviewFlag {
  reason: ReviewReason;
  /** The provider's id of the payment, the refund, or the dispute with its phase. */
  subject: string;
  /** `eventKey` of the payment event that raised the flag; null when an answer of the provider did. */
  eventKey: string | null;
  at: Date;
  state: "open" | "settled";
  /** Of the operator who settled the flag; null when a later event did. */
  note: string | null;
  by: string | null;
  settledAt: Date | null;
}

/** An administrator's attempt to pay a payment back. It is never deleted. */
export interface RefundAttempt {
  /** Our id of the attempt: idempotency key and receipt of the refund at the provider. */
  reference: string;
  paymentId: string;
  /** Minor units that were left to pay back. Null until the provider was asked what is left. */
  amountMinor: number | null;
  /**
   * `requested`: the answer is not known. `placed`: the provider accepted it. `paid`: processed. `failed`: it could not be
   * paid. `unneeded`: nothing was left to pay back.
   */
  state: "requested" | "placed" | "paid" | "refused" | "failed" | "unneeded";
  reason: string;
  requestedBy: string;
  requestedAt: Date;
  /** The provider's refund id, once it has accepted. */
  refundId: string | null;
}

/** The terms on which a purchase was opened. Later changes of the course do not change them. */
export interface PurchaseTerms {
  courseTitle: string;
  /** Major unit, before the course's discount. */
  coursePrice: number;
  /** Percent. */
  discount: number;
  /** Days of access after completion; null: for good. */
  accessDays: number | null;
}

/** How the amount of a purchase came about, in minor units: list − course discount − coupon discount = total. */
export interface PriceBreakdown {
  listMinor: number;
  courseDiscountMinor: number;
  couponDiscountMinor: number;
  totalMinor: number;
}

/** The coupon that a purchase was opened with, as it was then. */
export interface PurchaseCoupon extends Pick<Coupon, "code" | "kind" | "value"> {
  couponId: Types.ObjectId;
}

/** One attempt of a learner to get a course. It is never deleted. services/payments/purchase-states.ts moves its state. */
export interface Purchase {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  /** Major unit of `currency`, with its decimals at most: exact in minor units after rounding. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** The breakdown of `amount` when the purchase was opened. The invoice shows it. */
  price: PriceBreakdown;
  status: PurchaseState;
  /** Set while the purchase is `failed`. */
  failedBecause?: FailureCause;
  terms: PurchaseTerms;
  /** The learner's profile, kept up to date until the purchase completes. */
  buyer?: { name: string; email: string };
  /** Seller and tax of the configuration when a payment completed the purchase. */
  seller?: { name: string; address: string; taxId: string };
  tax?: { name: string; percent: number } | null;
  coupon?: PurchaseCoupon;
  /** Set while the purchase holds a redemption of its coupon: reserved until it completes, redeemed from then on. */
  couponUse?: string;
  /** A unique key that only one purchase holds at a time: the learner's unfinished, or free, purchase of the course. */
  slot?: string;
  providerOrderId?: string;
  providerPaymentId?: string;
  /** Payments that completed the purchase and were refunded before another payment took their place. */
  formerPaymentIds?: string[];
  /** Whether the learner's data were erased. Then no further payment completes the purchase. */
  isErased?: boolean;
  completedAt: Date | null;
  refundedAt: Date | null;
  refundedMinor: number;
  /** The reason of the newest open flag in `reviews`. Lists show it and queries filter by it. */
  reviewReason: ReviewReason | null;
  reviews?: ReviewFlag[];
  /** The caller who is opening the order, and until when no other caller may. */
  orderLock?: { holder: string; until: Date };
  /** When the provider is asked about this purchase; absent when nothing is left to ask. */
  nextCheckAt?: Date;
  checks: number;
  /** How often in a row asking the provider failed. */
  checkFailures?: number;
  /** When the provider is asked whether a second order was paid; set before a second order is made. */
  orphanCheckAt?: Date;
  orphanCheckFailures?: number;
  /** The checkout's signature completed it and no capture is known. The provider is asked for up to a day. */
  signatureOnly?: boolean;
  /** Numbers of the invoice and of the newest credit note, once they are given. */
  invoiceNumber?: string;
  creditNoteNumber?: string;
  /** Numbers of invoices whose payment was never captured. A credit note takes each back. */
  voidedInvoices?: string[];
  /** Since when an invoice, or a credit note, waits for its number; absent when none does. */
  invoiceDueAt?: Date;
  creditNoteDueAt?: Date;
  refunds?: RefundAttempt[];
  createdAt: Date;
  updatedAt: Date;
}

const purchaseSchema = new Schema<Purchase>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    amount: { type: Number, required: true },
    currency: { type: String, required: true },
    price: new Schema<PriceBreakdown>(
      { listMinor: Number, courseDiscountMinor: Number, couponDiscountMinor: Number, totalMinor: Number },
      { _id: false },
    ),
    status: { type: String, enum: purchaseStates, required: true },
    failedBecause: String,
    terms: new Schema<PurchaseTerms>(
      { courseTitle: String, coursePrice: Number, discount: Number, accessDays: { type: Number, default: null } },
      { _id: false },
    ),
    buyer: new Schema({ name: String, email: String }, { _id: false }),
    seller: new Schema({ name: String, address: String, taxId: String }, { _id: false }),
    tax: new Schema({ name: String, percent: Number }, { _id: false }),
    coupon: new Schema<PurchaseCoupon>(
      { couponId: Schema.Types.ObjectId, code: String, kind: String, value: Number },
      { _id: false },
    ),
    couponUse: String,
    slot: String,
    providerOrderId: String,
    providerPaymentId: String,
    formerPaymentIds: { type: [String], default: undefined },
    isErased: Boolean,
    completedAt: { type: Date, default: null },
    refundedAt: { type: Date, default: null },
    refundedMinor: { type: Number, default: 0 },
    reviewReason: { type: String, default: null },
    reviews: {
      type: [
        new Schema<ReviewFlag>(
          {
            reason: String,
            subject: String,
            eventKey: { type: String, default: null },
            at: Date,
            state: String,
            note: { type: String, default: null },
            by: { type: String, default: null },
            settledAt: { type: Date, default: null },
          },
          { _id: false },
        ),
      ],
      default: undefined,
    },
    orderLock: new Schema({ holder: String, until: Date }, { _id: false }),
    nextCheckAt: Date,
    checks: { type: Number, default: 0 },
    checkFailures: Number,
    orphanCheckAt: Date,
    orphanCheckFailures: Number,
    signatureOnly: Boolean,
    invoiceNumber: String,
    creditNoteNumber: String,
    voidedInvoices: { type: [String], default: undefined },
    invoiceDueAt: Date,
    creditNoteDueAt: Date,
    refunds: {
      type: [
        new Schema<RefundAttempt>(
          {
            reference: String,
            paymentId: String,
            amountMinor: { type: Number, default: null },
            state: String,
            reason: String,
            requestedBy: String,
            requestedAt: Date,
            refundId: { type: String, default: null },
          },
          { _id: false },
        ),
      ],
      default: undefined,
    },
  },
  { timestamps: true, versionKey: false, writeConcern: { w: "majority" } },
);
purchaseSchema.index({ slot: 1 }, { unique: true, sparse: true });
purchaseSchema.index({ providerOrderId: 1 }, { unique: true, sparse: true });
purchaseSchema.index({ providerPaymentId: 1 }, { unique: true, sparse: true }); // one payment pays for one purchase
purchaseSchema.index({ userId: 1, courseId: 1, status: 1 }); // is there a completed purchase of this pair
purchaseSchema.index({ courseId: 1, status: 1, userId: 1, createdAt: 1 }); // when an educator's students bought
purchaseSchema.index({ userId: 1, createdAt: -1, _id: -1 }); // a learner's own, newest first
purchaseSchema.index({ "coupon.couponId": 1, status: 1 }, { sparse: true }); // a recount
purchaseSchema.index({ couponUse: 1 }, { sparse: true }); // how often a learner uses a coupon
purchaseSchema.index({ nextCheckAt: 1 }, { sparse: true }); // the reconciler
purchaseSchema.index({ orphanCheckAt: 1 }, { sparse: true }); // the reconciler's look for second orders
purchaseSchema.index({ invoiceDueAt: 1 }, { sparse: true }); // the job that numbers invoices
purchaseSchema.index({ creditNoteDueAt: 1 }, { sparse: true }); // the job that numbers credit notes
purchaseSchema.index({ createdAt: -1, _id: -1 }); // an administrator's list, newest first
purchaseSchema.index({ status: 1, createdAt: -1, _id: -1 }); // an administrator's list of one state
purchaseSchema.index({ courseId: 1, createdAt: -1, _id: -1 }); // the list of a key with `courseIds`

export const purchaseCollection = defineCollection<Purchase>({
  schema: purchaseSchema,
  holds: "one attempt to buy a course and its state; never deleted",
  kept: "for good, as the law of accounting asks; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "purchases",
    row: z.object({
      _id: id,
      courseId: id,
      amount: z.number(),
      currency: z.string(),
      status: z.string(),
      providerOrderId: optional.text,
      providerPaymentId: optional.text,
      completedAt: optional.time,
      refundedAt: optional.time,
      terms: z
        .object({
          courseTitle: optional.text,
          coursePrice: optional.number,
          discount: optional.number,
          accessDays: optional.accessDays,
        })
        .optional(),
      buyer: z.object({ name: optional.text, email: optional.text }).optional(),
      coupon: z.object({ code: z.string(), kind: z.string(), value: z.number() }).optional(),
      invoiceNumber: optional.text,
      creditNoteNumber: optional.text,
      refundedMinor: optional.number.meta({ description: "in the smallest unit of the currency" }),
      ...rowTimes,
    }),
    erasure: "ownStep",
  },
});

/** `slot` of an unfinished purchase, and of a free one. */
export const unfinishedSlot = (userId: string, courseId: Types.ObjectId | string): string =>
  `unfinished:${courseId}:${userId}`;
export const freeSlot = (userId: string, courseId: Types.ObjectId | string): string => `free:${courseId}:${userId}`;
/** `couponUse` of a purchase that holds a redemption. */
export const couponUseOf = (userId: string, code: string): string => `${code}:${userId}`;
