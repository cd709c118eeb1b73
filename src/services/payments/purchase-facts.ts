import type { Purchase } from "../../models/payments/purchase.js";
import type { NewEvent } from "../events/record-event.js";
import { toMajor } from "./price.js";

type Sold = Pick<Purchase, "_id" | "userId" | "courseId" | "amount" | "currency" | "coupon">;

export const completedFact = ({ _id, userId, courseId, amount, currency, coupon }: Sold): NewEvent => ({
  type: "purchase.completed",
  data: { purchaseId: _id, userId, courseId, amount, currency, couponCode: coupon?.code ?? null },
});

/** @param paidBack in minor units. */
export const refundedFact = ({ _id, userId, courseId, currency }: Sold, paidBack: number): NewEvent => ({
  type: "purchase.refunded",
  data: { purchaseId: _id, userId, courseId, refundedAmount: toMajor(paidBack, currency), currency },
});
