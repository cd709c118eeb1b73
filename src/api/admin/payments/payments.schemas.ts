import { z } from "zod";
import { nextBefore, olderPage } from "../../../http/pages.js";
import { id, text, timestamp } from "../../../lib/fields.js";
import { reviewReasons } from "../../../models/payments/purchase.js";
import { AdminPurchase } from "../overview/overview.schemas.js";

export const RefundBody = z.object({
  reason: text(1, 500),
  paymentId: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: "a payment of the purchase; absent: the payment that completed it" }),
});

const note = text(1, 500);
export const PurchaseReviewBody = z.object({ reason: z.enum(reviewReasons), note });
export const PurchaseReviewReply = z.object({ purchase: AdminPurchase });
export const EventReviewBody = z.object({ note });

export const RefundReply = z.object({
  purchaseId: id,
  status: z.string().meta({ description: "`refunded` once the provider has processed the refund" }),
  refundId: z.string().nullable().meta({ description: "the provider's id of the refund" }),
});

export const PaymentEventsQuery = z.object({
  state: z.string().optional().meta({ description: "`pending`, `processed`, `review`; absent or `all`: every event" }),
  ...olderPage(100),
});

export const EventView = z
  .object({
    _id: id,
    event: z.string().meta({ description: "the provider's name; empty when the body could not be read" }),
    state: z.string(),
    outcome: z.string(),
    reviewReason: z.string().nullable(),
    paymentId: z.string().nullable(),
    orderId: z.string().nullable(),
    purchaseId: z.string().nullable(),
    refundId: z.string().nullable(),
    amountMinor: z.number().nullable().meta({ description: "minor units of the payment or refund" }),
    attempts: z.number().meta({ description: "number of failed attempts" }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "PaymentEvent" });

export const PaymentEventsReply = z.object({
  events: z.array(EventView),
  hasMore: z.boolean(),
  nextBefore,
});
export const EventReply = z.object({ event: EventView });
