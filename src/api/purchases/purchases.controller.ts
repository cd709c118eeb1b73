import type { z } from "zod";
import { idempotentReply } from "../../db/idempotent-reply.js";
import type { Deps } from "../../deps.js";
import { nameOutcome } from "../../http/outcomes.js";
import type { RouteRequest } from "../../http/route.js";
import { InvalidRequest } from "../../lib/errors.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { openPurchase } from "../../services/payments/open-purchase.js";
import { toMajor } from "../../services/payments/price.js";
import { verifyCheckout } from "../../services/payments/verify-checkout.js";
import type { PurchaseBody, PurchaseReply, VerifyBody } from "./purchases.schemas.js";

type Opened = z.input<typeof PurchaseReply>;

const maxKeyLength = 255;

export function purchaseController(deps: Deps) {
  const { db, payments, config } = deps;

  const reply = (purchase: Purchase): Opened => {
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
    async open({ body, viewer, req, res }: RouteRequest<undefined, undefined, z.output<typeof PurchaseBody>, "user">) {
      const work = async () => {
        const opened = reply(await openPurchase({ db, payments, currency: config.currency }, viewer.id, body));
        nameOutcome(res, opened.enrolled ? "enrolled" : "opened");
        return opened;
      };
      const key = req.get("idempotency-key")?.trim();
      if (!key) return work();
      if (key.length > maxKeyLength) throw InvalidRequest();
      return idempotentReply(db, { scope: `purchase:${viewer.id}`, key, body }, work);
    },

    async verify({ body, viewer, res }: RouteRequest<undefined, undefined, z.output<typeof VerifyBody>, "user">) {
      await verifyCheckout(deps, viewer.id, {
        purchaseId: body.purchaseId,
        orderId: body.razorpay_order_id,
        paymentId: body.razorpay_payment_id,
        signature: body.razorpay_signature,
      });
      nameOutcome(res, "completed");
      return {};
    },
  };
}
