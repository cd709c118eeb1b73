import { z } from "zod";
import { id } from "../../lib/fields.js";

/** Any text that is not blank. It is compared without trimming. */
const filled = z.string().refine((value) => value.trim() !== "");
const name = z.string().trim().min(1);

export const PurchaseBody = z.object({
  courseId: name,
  coupon: z.string().optional().meta({ description: "coupon code; case, spaces and invisible characters are ignored" }),
});

export const PurchaseReply = z.object({
  purchaseId: id,
  orderId: z.string().nullable().meta({ description: "the provider's order for the checkout; null when free" }),
  keyId: z.string().nullable().meta({ description: "public key for the checkout; null when free" }),
  enrolled: z.boolean().meta({ description: "true when the course was free and the caller is enrolled" }),
  amount: z.number().optional().meta({ description: "major unit of `currency`; absent when free" }),
  currency: z.string().optional().meta({ description: "ISO 4217; absent when free" }),
  couponCode: z.string().optional().meta({ description: "only with a coupon" }),
  discountAmount: z.number().optional().meta({ description: "major unit; discount of the coupon" }),
});

export const VerifyBody = z.object({
  razorpay_order_id: filled,
  razorpay_payment_id: filled,
  razorpay_signature: filled.meta({
    description: "lowercase hex HMAC-SHA256 of `<order id>|<payment id>` with the key secret",
  }),
  purchaseId: name,
});
