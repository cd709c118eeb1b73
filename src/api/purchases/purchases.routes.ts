import { z } from "zod";
import { idempotentReply, KeyUsedOtherwise } from "../../db/idempotent-reply.js";
import type { Deps } from "../../deps.js";
import { nameOutcome } from "../../http/outcomes.js";
import { type RouteGroup, route } from "../../http/route.js";
import { BrokenRule } from "../../lib/errors.js";
import { id } from "../../lib/fields.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { CouponNotValid, couponCode } from "../../services/coupons/coupon-use.js";
import { CourseNotFound, PathNotFound, UserNotFound } from "../../services/failures.js";
import { PathNotForSale } from "../../services/payments/for-sale.js";
import { openPurchase } from "../../services/payments/open-purchase.js";
import { toMajor } from "../../services/payments/price.js";
import { CourseAlreadyPurchased, PathAlreadyPurchased } from "../../services/payments/start-purchase.js";
import {
  InvalidPaymentSignature,
  PurchaseAlreadyCompleted,
  VerificationFailed,
  verifyCheckout,
} from "../../services/payments/verify-checkout.js";
import { courseOrPath } from "../course-or-path.js";

/** Any text that is not blank. It is compared without trimming. */
const filled = z.string().refine((value) => value.trim() !== "");
const name = z.string().trim().min(1);

const PurchaseBody = courseOrPath({
  coupon: couponCode.optional().meta({ description: "coupon code; case, spaces and invisible characters are ignored" }),
});

const PurchaseReply = z.object({
  purchaseId: id,
  orderId: z.string().nullable().meta({ description: "the provider's order for the checkout; null when free" }),
  keyId: z.string().nullable().meta({ description: "public key for the checkout; null when free" }),
  enrolled: z.boolean().meta({ description: "true when nothing was to be paid and the caller is enrolled" }),
  amount: z.number().optional().meta({ description: "major unit of `currency`; absent when free" }),
  currency: z.string().optional().meta({ description: "ISO 4217; absent when free" }),
  couponCode: z.string().optional().meta({ description: "only with a coupon" }),
  discountAmount: z.number().optional().meta({ description: "major unit; discount of the coupon" }),
});

const VerifyBody = z.object({
  razorpay_order_id: filled,
  razorpay_payment_id: filled,
  razorpay_signature: filled.meta({
    description: "lowercase hex HMAC-SHA256 of `<order id>|<payment id>` with the key secret",
  }),
  purchaseId: name,
});

type PurchaseView = z.input<typeof PurchaseReply>;
const maxKeyLength = 255;

/** Buying a course or a path. */
export function purchaseGroup(deps: Deps): RouteGroup {
  const { db, payments, config } = deps;
  const reply = (purchase: Purchase): PurchaseView => {
    const purchaseId = String(purchase._id);
    const { amount, currency, price, coupon, providerOrderId: orderId = null } = purchase;
    const withCoupon = coupon && {
      couponCode: coupon.code,
      discountAmount: toMajor(price.couponDiscountMinor, currency),
    };
    if (purchase.status === "completed")
      return { purchaseId, orderId: null, keyId: null, enrolled: true, ...withCoupon };
    return { purchaseId, orderId, keyId: payments.keyId, enrolled: false, amount, currency, ...withCoupon };
  };
  return {
    name: "purchase",
    base: "/api/user",
    routes: [
      route("post", "/purchase", {
        operationId: "createPurchase",
        summary: "Open the purchase of a course or a path",
        description:
          "Returns the data for the provider's checkout. What is free is enrolled at once. Repeating the request returns " +
          "the unfinished purchase. With an `Idempotency-Key` header, the same request gets the saved reply for a day.",
        access: "user",
        operation: "purchase",
        limit: "payments",
        body: PurchaseBody,
        reply: PurchaseReply,
        errors: [
          UserNotFound,
          CourseNotFound,
          PathNotFound,
          PathNotForSale,
          CourseAlreadyPurchased,
          PathAlreadyPurchased,
          CouponNotValid,
          KeyUsedOtherwise,
        ],
        async handle({ body, viewer, req, res }) {
          const work = async () => {
            const opened = reply(
              await openPurchase({ db, payments, config, currency: config.currency }, viewer.id, body),
            );
            nameOutcome(res, opened.enrolled ? "enrolled" : "opened");
            return opened;
          };
          const key = req.get("idempotency-key")?.trim();
          if (!key) return work();
          if (key.length > maxKeyLength) throw BrokenRule("Idempotency-Key: too long");
          return idempotentReply(db, { scope: `purchase:${viewer.id}`, key, body }, work);
        },
      }),
      route("post", "/verify-razorpay", {
        operationId: "verifyPayment",
        summary: "Verify a payment by the checkout's signature",
        description: "Completes the purchase. The caller is enrolled when the reply arrives.",
        access: "user",
        operation: "verify",
        limit: "payments",
        body: VerifyBody,
        errors: [InvalidPaymentSignature, VerificationFailed, PurchaseAlreadyCompleted],
        async handle({ body, viewer, res }) {
          await verifyCheckout(deps, viewer.id, {
            purchaseId: body.purchaseId,
            orderId: body.razorpay_order_id,
            paymentId: body.razorpay_payment_id,
            signature: body.razorpay_signature,
          });
          nameOutcome(res, "completed");
          return {};
        },
      }),
    ],
  };
}
