import { KeyUsedOtherwise } from "../../db/idempotent-reply.js";
import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { CouponNotValid } from "../../services/coupons/coupon-use.js";
import { CourseNotFound, UserNotFound } from "../../services/failures.js";
import { CourseAlreadyPurchased } from "../../services/payments/start-purchase.js";
import {
  InvalidPaymentSignature,
  PurchaseAlreadyCompleted,
  VerificationFailed,
} from "../../services/payments/verify-checkout.js";
import { purchaseController } from "./purchases.controller.js";
import { PurchaseBody, PurchaseReply, VerifyBody, VerifyReply } from "./purchases.schemas.js";

/** Buying a course. */
export function purchaseGroup(deps: Deps): RouteGroup {
  const purchase = purchaseController(deps);
  return {
    name: "purchase",
    base: "/api/user",
    access: "user",
    routes: [
      route({
        method: "post",
        path: "/purchase",
        summary: "Open the purchase of a course",
        description:
          "Answers what the provider's checkout needs; what costs nothing is the caller's at once. Repeats return the " +
          "unfinished purchase. With an `Idempotency-Key` header the same request gets the saved reply for a day.",
        access: "user",
        operation: "purchase",
        limit: "payments",
        body: PurchaseBody,
        reply: PurchaseReply,
        errors: [UserNotFound, CourseNotFound, CourseAlreadyPurchased, CouponNotValid, KeyUsedOtherwise],
        handle: purchase.open,
      }),
      route({
        method: "post",
        path: "/verify-razorpay",
        summary: "Prove a payment by the checkout's signature",
        description: "Completes the purchase; the course is the caller's when this answers.",
        access: "user",
        operation: "verify",
        limit: "payments",
        body: VerifyBody,
        reply: VerifyReply,
        errors: [InvalidPaymentSignature, VerificationFailed, PurchaseAlreadyCompleted],
        handle: purchase.verify,
      }),
    ],
  };
}
