import type { Deps } from "../../../deps.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { RefundRefused } from "../../../services/payments/refunds/place-refund.js";
import { PurchaseNotFound, PurchaseNotRefundable } from "../../../services/payments/refunds/request-refund.js";
import { NothingToReview, PaymentEventNotFound } from "../../../services/payments/settle-review.js";
import { paymentsController } from "./payments.controller.js";
import {
  EventParams,
  EventReply,
  EventReviewBody,
  EventsQuery,
  EventsReply,
  PurchaseParams,
  PurchaseReviewBody,
  PurchaseReviewReply,
  RefundBody,
  RefundReply,
} from "./payments.schemas.js";

/** The operator's view of money: refunds, payment events, and what needs review. */
export function paymentsGroup(deps: Deps): RouteGroup {
  const payments = paymentsController(deps);
  return {
    name: "payments",
    base: "/api/admin",
    access: "admin",
    limit: "admin",
    routes: [
      route({
        method: "post",
        path: "/purchases/:id/refund",
        summary: "Pay a payment of a purchase back",
        description:
          "Asks the provider for what is left of a payment. The purchase becomes `refunded`, and access ends, when the " +
          "provider says that the payment that completed it is paid back. Repeating the request moves no more money; " +
          "after a refusal or a failed refund it is a new one.",
        access: "admin",
        operation: "refund",
        params: PurchaseParams,
        body: RefundBody,
        reply: RefundReply,
        errors: [PurchaseNotFound, PurchaseNotRefundable, RefundRefused],
        handle: payments.refund,
      }),
      route({
        method: "post",
        path: "/purchases/:id/review",
        summary: "Settle a reason for which a purchase is flagged",
        description: "Other reasons stay open; the newest of them is shown as `reviewReason`.",
        access: "admin",
        operation: "review",
        params: PurchaseParams,
        body: PurchaseReviewBody,
        reply: PurchaseReviewReply,
        errors: [PurchaseNotFound, NothingToReview],
        handle: payments.reviewPurchase,
      }),
      route({
        method: "get",
        path: "/payment-events",
        summary: "The payment events",
        description: "Newest first, a page at a time.",
        access: "admin",
        query: EventsQuery,
        reply: EventsReply,
        errors: [],
        handle: payments.events,
      }),
      route({
        method: "post",
        path: "/payment-events/:id/replay",
        summary: "Run a stored payment event once more",
        description: "The same effect as a redelivery: harmless to repeat.",
        access: "admin",
        operation: "replay",
        params: EventParams,
        reply: EventReply,
        errors: [PaymentEventNotFound],
        handle: payments.replay,
      }),
      route({
        method: "post",
        path: "/payment-events/:id/review",
        summary: "Settle a payment event that needs review",
        access: "admin",
        operation: "review",
        params: EventParams,
        body: EventReviewBody,
        reply: EventReply,
        errors: [PaymentEventNotFound, NothingToReview],
        handle: payments.reviewEvent,
      }),
    ],
  };
}
