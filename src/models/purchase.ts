import { Schema, type Types } from "mongoose";

export const purchaseStates = ["created", "pending", "completed", "failed", "refunded"] as const;
export type PurchaseState = (typeof purchaseStates)[number];

/** States that wait for money. At most one purchase of a learner and course is in one of them. */
export const unfinishedStates: PurchaseState[] = ["created", "pending"];

/** Why an operator should look: a flag, not a state. */
export type ReviewReason =
  | "amount_mismatch"
  | "currency_mismatch"
  | "order_mismatch"
  | "duplicate_charge"
  | "unknown_purchase"
  | "partial_refund";

/** What an administrator asked the provider to pay back. Kept until the provider says that it did. */
export interface RefundRequest {
  /** Minor units: what was left to pay back. */
  amountMinor: number;
  reason: string;
  /** User id. */
  requestedBy: string;
  requestedAt: Date;
  /** The provider's refund id, once it has accepted. */
  refundId: string | null;
}

/** One attempt of one learner to get one course. Never deleted; moves between states as commands/ name them. */
export interface Purchase {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  /** Major unit of `currency`, at most two decimals: exact in minor units after rounding. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  status: PurchaseState;
  /** What only one purchase may hold at a time: the learner's unfinished, or free, purchase of the course. */
  slot?: string;
  providerOrderId?: string;
  providerPaymentId?: string;
  completedAt: Date | null;
  refundedAt: Date | null;
  /** Minor units. */
  refundedMinor: number;
  reviewReason: ReviewReason | null;
  /** Who is opening the order, and until when nobody else may. */
  orderClaim?: { holder: string; until: Date };
  /** When the provider is asked about this purchase; absent when there is nothing to ask. */
  nextCheckAt?: Date;
  checks: number;
  /** When the provider is asked whether a second order was paid; set before a second order is made. */
  strayCheckAt?: Date;
  refund?: RefundRequest;
  createdAt: Date;
  updatedAt: Date;
}

export const purchaseSchema = new Schema<Purchase>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    amount: { type: Number, required: true },
    currency: { type: String, required: true },
    status: { type: String, enum: purchaseStates, required: true },
    slot: String,
    providerOrderId: String,
    providerPaymentId: String,
    completedAt: { type: Date, default: null },
    refundedAt: { type: Date, default: null },
    refundedMinor: { type: Number, default: 0 },
    reviewReason: { type: String, default: null },
    orderClaim: new Schema({ holder: String, until: Date }, { _id: false }),
    nextCheckAt: Date,
    checks: { type: Number, default: 0 },
    strayCheckAt: Date,
    refund: new Schema(
      {
        amountMinor: Number,
        reason: String,
        requestedBy: String,
        requestedAt: Date,
        refundId: { type: String, default: null },
      },
      { _id: false },
    ),
  },
  { timestamps: true, versionKey: false, writeConcern: { w: "majority" } },
);
purchaseSchema.index({ slot: 1 }, { unique: true, sparse: true });
purchaseSchema.index({ providerOrderId: 1 }, { unique: true, sparse: true });
purchaseSchema.index({ providerPaymentId: 1 }, { unique: true, sparse: true }); // one payment pays for one purchase
purchaseSchema.index({ userId: 1, courseId: 1, status: 1 }); // is there a completed purchase of this pair
purchaseSchema.index({ courseId: 1, status: 1, userId: 1, createdAt: 1 }); // when an educator's students bought
purchaseSchema.index({ nextCheckAt: 1 }, { sparse: true }); // the reconciler
purchaseSchema.index({ strayCheckAt: 1 }, { sparse: true }); // the reconciler's look for second orders
purchaseSchema.index({ createdAt: -1, _id: -1 }); // an administrator's list, newest first
purchaseSchema.index({ status: 1, createdAt: -1, _id: -1 }); // the same with a filter

/** What an unfinished purchase, and a free one, hold as `slot`. */
export const unfinishedSlot = (userId: string, courseId: Types.ObjectId | string): string =>
  `unfinished:${courseId}:${userId}`;
export const freeSlot = (userId: string, courseId: Types.ObjectId | string): string => `free:${courseId}:${userId}`;
