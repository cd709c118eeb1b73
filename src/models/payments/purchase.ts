import type { Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";
import type { KeyUse } from "../users/api-key.js";
import { couponKinds } from "./coupon.js";

export const purchaseStates = ["created", "pending", "completed", "failed", "refunded"] as const;
export type PurchaseState = (typeof purchaseStates)[number];

/** States that wait for money. At most one purchase of a learner and course is in one of them. */
export const unfinishedStates: PurchaseState[] = ["created", "pending"];

/** States that a payment can complete. */
export const unpaidStates: PurchaseState[] = [...unfinishedStates, "failed"];

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
 * `not_captured`: the checkout's signature completed it, and its payment was not captured within a day, or did not fit.
 * `erased`: the learner's data were erased.
 */
export type FailureCause = (typeof failureCauses)[number];
const failureCauses = ["learner", "review", "price", "payment", "expired", "not_captured", "erased"] as const;

/** A reason to look at a purchase. A reason and a subject occur once in a purchase, however often they are reported. */
export type ReviewFlag = z.input<typeof reviewFlagRow>;
const reviewFlagRow = z.object({
  reason: z.enum(reviewReasons),
  /** The provider's id of the payment, the refund, or the dispute with its phase. */
  subject: z.string(),
  /** `eventKey` of the payment event that raised the flag; null when an answer of the provider did. */
  eventKey: z.string().nullable(),
  at: timestamp,
  state: z.enum(["open", "settled"]),
  /** Of the operator who settled the flag; null when a later event did. */
  note: z.string().nullable(),
  by: z.string().nullable(),
  settledAt: timestamp.nullable(),
});

/** An administrator's attempt to pay a payment back. It is never deleted. */
export type RefundAttempt = z.input<typeof refundAttemptRow>;
const refundAttemptRow = z.object({
  /** Our id of the attempt: idempotency key and receipt of the refund at the provider. */
  reference: z.string(),
  paymentId: z.string(),
  /** Minor units that were left to pay back. Null until the provider was asked what is left. */
  amountMinor: z.number().nullable(),
  /**
   * `requested`: the answer is not known. `placed`: the provider accepted it. `paid`: processed. `failed`: it could not be
   * paid. `unneeded`: nothing was left to pay back.
   */
  state: z.enum(["requested", "placed", "paid", "refused", "failed", "unneeded"]),
  reason: z.string(),
  requestedBy: z.string(),
  requestedAt: timestamp,
  /** The provider's refund id, once it has accepted. */
  refundId: z.string().nullable(),
});

/** The terms on which a purchase was opened. Later changes of the course, or of the path, do not change them. */
const purchaseTermsRow = z.object({
  /** Title of the course, or of the path. */
  courseTitle: z.string(),
  /** Major unit, before the course's discount. */
  coursePrice: z.number(),
  /** Percent. */
  discount: z.number(),
  /** Days of access after completion; null: for good. */
  accessDays: z.number().nullable().meta({ description: "null: for good" }),
  /** Of a path: its courses in order, and whether they open one after another. */
  courses: z.array(z.object({ courseId: objectIdField, accessDays: z.number().nullable() })).exactOptional(),
  inOrder: z.boolean().exactOptional(),
});

/** How the amount of a purchase came about, in minor units: list − course discount − coupon discount = total. */
export type PriceBreakdown = z.input<typeof priceBreakdownRow>;
const priceBreakdownRow = z.object({
  listMinor: z.number(),
  courseDiscountMinor: z.number(),
  couponDiscountMinor: z.number(),
  totalMinor: z.number(),
});

/** The coupon that a purchase was opened with, as it was then. */
const purchaseCouponRow = z.object({
  couponId: objectIdField,
  code: z.string(),
  kind: z.enum(couponKinds),
  value: z.number(),
});

/** One attempt of a learner to get a course. It is never deleted. services/payments/position.ts decides its state. */
export type Purchase = z.input<typeof purchaseRow>;
const purchaseRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  /** Null in the purchase of a path. */
  courseId: objectIdField.nullable(),
  /** The path that was bought instead of a course. */
  pathId: objectIdField.exactOptional(),
  /** Major unit of `currency`, with its decimals at most: exact in minor units after rounding. */
  amount: z.number(),
  /** ISO 4217. */
  currency: z.string(),
  /** The breakdown of `amount` when the purchase was opened. The invoice shows it. */
  price: priceBreakdownRow,
  status: z.enum(purchaseStates),
  /** Whether the buyer teaches what was bought, and may have tried its quizzes before. */
  isOwn: z.boolean().exactOptional(),
  /** Set while the purchase is `failed`. */
  failedBecause: z.enum(failureCauses).exactOptional(),
  terms: purchaseTermsRow,
  /** The learner's profile, kept up to date until the purchase completes. */
  buyer: z.object({ name: z.string(), email: z.string() }).exactOptional(),
  /** Seller and tax of the configuration when a payment completed the purchase. */
  seller: z.object({ name: z.string(), address: z.string(), taxId: z.string() }).exactOptional(),
  tax: z.object({ name: z.string(), percent: z.number() }).nullable().exactOptional(),
  coupon: purchaseCouponRow.exactOptional(),
  /** Set while the purchase holds a redemption of its coupon: reserved until it completes, redeemed from then on. */
  couponUse: z.string().exactOptional(),
  /** A unique key that only one purchase holds at a time: the learner's unfinished purchase of the course. */
  slot: z.string().exactOptional(),
  providerOrderId: z.string().exactOptional(),
  providerPaymentId: z.string().exactOptional(),
  /** Payments that completed the purchase before the present one, or before all were paid back. */
  formerPaymentIds: z.array(z.string()).exactOptional(),
  /** Whether the learner had opened another purchase of the course before, and both hold money. */
  isSecondSale: z.boolean().exactOptional(),
  /** Whether the learner's data were erased. Then no further payment completes the purchase. */
  isErased: z.boolean().exactOptional(),
  completedAt: timestamp.nullable(),
  refundedAt: timestamp.nullable(),
  refundedMinor: withDefault(z.number(), 0),
  /** Minor units of the price that were paid back: what the credit notes of its newest invoice are about together. */
  creditedMinor: z.number().exactOptional(),
  /** The reason of the newest open flag in `reviews`. Lists show it and queries filter by it. */
  reviewReason: z.enum(reviewReasons).nullable(),
  reviews: z.array(reviewFlagRow).exactOptional(),
  /** The caller who is opening the order, and until when no other caller may. */
  orderLock: z.object({ holder: z.string(), until: timestamp }).exactOptional(),
  /** When the provider is asked about this purchase; absent when nothing is left to ask. */
  nextCheckAt: timestamp.exactOptional(),
  checks: withDefault(z.number(), 0),
  /** How often in a row asking the provider failed. */
  checkFailures: z.number().exactOptional(),
  /** When a second attempt to make its order began, so that the provider may have two. */
  secondAttemptAt: timestamp.exactOptional(),
  /** The checkout's signature completed it and no capture is known. The provider is asked for up to a day. */
  signatureOnly: z.boolean().exactOptional(),
  /** Numbers of the invoice and of the newest credit note, once they are given. */
  invoiceNumber: z.string().exactOptional(),
  creditNoteNumber: z.string().exactOptional(),
  /** Numbers of invoices whose payment was never captured. A credit note takes each back. */
  voidedInvoices: z.array(z.string()).exactOptional(),
  /** Since when an invoice, or a credit note, waits for its number; absent when none does. */
  invoiceDueAt: timestamp.exactOptional(),
  creditNoteDueAt: timestamp.exactOptional(),
  refunds: z.array(refundAttemptRow).exactOptional(),
  ...rowTimes,
});

/** Filter of the purchases with an open flag. */
export const flaggedPurchases = { reviewReason: { $gt: "" as string as ReviewReason } } as const;

/** Filter of the purchases of paths. */
export const ofPath = { pathId: { $exists: true } } as const;

/** Filter of the purchases that give one of these courses: of the course, or of a path that holds it. */
export const givingCourses = (courseIds: readonly Types.ObjectId[]) => ({
  $or: [{ courseId: { $in: [...courseIds] } }, { ...ofPath, "terms.courses.courseId": { $in: [...courseIds] } }],
});

/** Filter of the purchases that a caller may see: of a course, or of a path all of whose courses the caller sees. */
export function salesInReach(key: KeyUse | undefined) {
  if (!key?.courseIds) return {};
  const among = [...key.courseIds];
  const outside = { $elemMatch: { courseId: { $nin: among } } };
  const path = { ...ofPath, "terms.courses.courseId": { $in: among }, "terms.courses": { $not: outside } };
  return { $or: [{ courseId: { $in: among } }, path] };
}

/** What a purchase is about. */
export type Sold = Pick<Purchase, "courseId" | "pathId">;

/** Filter of the purchases of the same course, or of the same path. */
export const ofSame = ({ courseId, pathId }: Sold): { courseId: Types.ObjectId } | { pathId: Types.ObjectId } =>
  pathId ? { pathId } : { courseId: courseId as Types.ObjectId };

/** Id of the course, or of the path. */
export const soldId = ({ courseId, pathId }: Sold): Types.ObjectId => (pathId ?? courseId) as Types.ObjectId;

/** The courses that a purchase gives. */
export const coursesOf = ({ courseId, terms }: Pick<Purchase, "courseId" | "terms">): Types.ObjectId[] =>
  courseId ? [courseId] : (terms.courses ?? []).map((course) => course.courseId);

export const purchaseCollection = defineCollection({
  row: purchaseRow,
  options: { writeConcern: { w: "majority" } },
  indexes: [
    [{ slot: 1 }, { unique: true, sparse: true }],
    [{ providerOrderId: 1 }, { unique: true, sparse: true }],
    [{ providerPaymentId: 1 }, { unique: true, sparse: true }], // one payment pays for one purchase
    [{ userId: 1, courseId: 1, status: 1 }], // is there a completed purchase of this pair
    [{ pathId: 1, userId: 1, status: 1 }], // the same of a path; whether a path was bought
    [{ courseId: 1, status: 1, userId: 1, createdAt: 1 }], // when an educator's students bought
    [{ "terms.courses.courseId": 1 }, { sparse: true }], // the paths that gave a course, for keys of some courses
    [{ userId: 1, createdAt: -1, _id: -1 }], // a learner's own, newest first
    [{ "coupon.couponId": 1, status: 1 }, { sparse: true }], // a recount
    [{ couponUse: 1 }, { sparse: true }], // how often a learner uses a coupon
    [{ nextCheckAt: 1 }, { sparse: true }], // the reconciler
    [{ invoiceDueAt: 1 }, { sparse: true }], // the job that numbers invoices
    [{ creditNoteDueAt: 1 }, { sparse: true }], // the job that numbers credit notes
    [{ createdAt: -1, _id: -1 }], // an administrator's list, newest first
    [{ reviewReason: 1, createdAt: -1, _id: -1 }, { partialFilterExpression: flaggedPurchases }], // the list of flagged purchases
    [{ status: 1, createdAt: -1, _id: -1 }], // an administrator's list of one state
    [{ courseId: 1, createdAt: -1, _id: -1 }], // the list of a key with `courseIds`
  ],
  holds: "one attempt to buy a course and its state; never deleted",
  kept: "for good, as the law of accounting asks; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "purchases",
    exported: [
      "_id",
      "courseId",
      "pathId",
      "amount",
      "currency",
      "status",
      "providerOrderId",
      "providerPaymentId",
      "completedAt",
      "refundedAt",
      "terms",
      "buyer",
      "coupon",
      "invoiceNumber",
      "creditNoteNumber",
      "refundedMinor",
      "createdAt",
      "updatedAt",
    ],
    exportedAs: {
      refundedMinor: z.number().optional().meta({ description: "in the smallest unit of the currency" }),
      terms: purchaseTermsRow.partial().optional(),
      buyer: purchaseRow.shape.buyer.unwrap().partial().optional(),
      coupon: purchaseCouponRow.omit({ couponId: true }).extend({ kind: z.string() }).optional(),
    },
    erasure: "ownStep",
  },
});

/** `slot` of an unfinished purchase. @param id of the course, or of the path. */
export const unfinishedSlot = (userId: string, id: Types.ObjectId | string): string => `unfinished:${id}:${userId}`;
/** `slot` that version 1.0 gave a free purchase. */
export const freeSlot = (userId: string, courseId: Types.ObjectId | string): string => `free:${courseId}:${userId}`;
/** `couponUse` of a purchase that holds a redemption. */
export const couponUseOf = (userId: string, code: string): string => `${code}:${userId}`;
