import { z } from "zod";
import { id } from "../../lib/fields.js";

/** Any string but a blank one; compared as it is. */
const filled = z.string().refine((value) => value.trim() !== "");
const name = z.string().trim().min(1);

export const PurchaseBody = z.object({
  courseId: name,
  coupon: z.string().optional().meta({ description: "code; case and spaces around it do not count" }),
});

export const PurchaseReply = z.object({
  purchaseId: id,
  orderId: z.string().nullable().meta({ description: "the provider's order for the checkout; null when free" }),
  keyId: z.string().nullable().meta({ description: "public key for the checkout; null when free" }),
  enrolled: z
    .boolean()
    .meta({ description: "true when there was nothing to pay and the course is the caller's already" }),
  amount: z.number().optional().meta({ description: "major unit of `currency`; absent when free" }),
  currency: z.string().optional().meta({ description: "ISO 4217; absent when free" }),
  couponCode: z.string().optional().meta({ description: "only with a coupon" }),
  discountAmount: z.number().optional().meta({ description: "major unit; what the coupon takes off" }),
});

export const VerifyBody = z.object({
  razorpay_order_id: filled,
  razorpay_payment_id: filled,
  razorpay_signature: filled.meta({
    description: "lowercase hex HMAC-SHA256 of `<order id>|<payment id>` with the key secret",
  }),
  purchaseId: name,
});
