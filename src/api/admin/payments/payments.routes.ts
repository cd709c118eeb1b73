import type { Deps } from "../../../deps.js";
import { nameOutcome } from "../../../http/outcomes.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { RefundRefused } from "../../../services/payments/refunds/place-refund.js";
import {
  PaymentDisputed,
  PurchaseNotFound,
  PurchaseNotRefundable,
  requestRefund,
} from "../../../services/payments/refunds/request-refund.js";
import {
  NothingToReview,
  PaymentEventNotFound,
  replayPaymentEvent,
  resolveEventReview,
  resolvePurchaseReview,
} from "../../../services/payments/resolve-review.js";
import { findPaymentEvents, findTitles } from "../../../services/platform/platform-lists.js";
import {
  EventReply,
  EventReviewBody,
  PaymentEventsQuery,
  PaymentEventsReply,
  PurchaseReviewBody,
  PurchaseReviewReply,
  RefundBody,
  RefundReply,
} from "./payments.schemas.js";

/** Refunds, payment events and reviews, for administrators. */
export function paymentsGroup(deps: Deps): RouteGroup {
  const { db } = deps;
  return {
    name: "payments",
    base: "/api/admin",
    routes: [
      route("post", "/purchases/:id/refund", {
        operationId: "refundPurchase",
        stability: "beta",
        summary: "Refund a payment of a purchase",
        description:
          "Asks the provider to refund the rest of a payment. The purchase becomes `refunded`, and access ends, when the " +
          "provider reports that the payment that completed the purchase is refunded. Repeating the request moves no " +
          "more money. After a refusal or a failed refund it starts a new refund.",
        access: "admin",
        operation: "refund",
        body: RefundBody,
        reply: RefundReply,
        errors: [PurchaseNotFound, PurchaseNotRefundable, PaymentDisputed, RefundRefused],
        async handle({ params, body, viewer, req, res }) {
          const order = { ...body, by: { userId: viewer.id, requestId: req.id } };
          const { purchase, refundId } = await requestRefund(deps, params.id, order);
          const { _id, status } = purchase;
          nameOutcome(res, status === "refunded" ? "refunded" : "requested");
          return { purchaseId: _id, status, refundId };
        },
      }),
      route("post", "/purchases/:id/review", {
        operationId: "settlePurchaseReview",
        stability: "beta",
        summary: "Settle a reason for the review of a purchase",
        description: "Other reasons stay open. `reviewReason` shows the newest open reason.",
        access: "admin",
        operation: "review",
        body: PurchaseReviewBody,
        reply: PurchaseReviewReply,
        errors: [PurchaseNotFound, NothingToReview],
        async handle({ params, body, viewer, req }) {
          const by = { ...body, by: { userId: viewer.id, requestId: req.id } };
          const purchase = await resolvePurchaseReview(deps, params.id, by);
          const course = await findTitles(db, [purchase]);
          return { purchase: { ...purchase, courseId: course(purchase), pathId: purchase.pathId ?? null } };
        },
      }),
      route("get", "/payment-events", {
        operationId: "listPaymentEvents",
        stability: "beta",
        summary: "Payment events",
        description: "Newest first, a page at a time.",
        access: "admin",
        query: PaymentEventsQuery,
        reply: PaymentEventsReply,
        handle: ({ query }) => findPaymentEvents(db, query),
      }),
      route("post", "/payment-events/:id/replay", {
        operationId: "replayPaymentEvent",
        stability: "beta",
        summary: "Process a stored payment event again",
        description: "Has the effect of a redelivery by the provider. It may be repeated.",
        access: "admin",
        operation: "replay",
        reply: EventReply,
        errors: [PaymentEventNotFound],
        handle: async ({ params, viewer, req }) => ({
          event: await replayPaymentEvent(deps, params.id, { userId: viewer.id, requestId: req.id }),
        }),
      }),
      route("post", "/payment-events/:id/review", {
        operationId: "settlePaymentEventReview",
        stability: "beta",
        summary: "Settle a payment event that needs review",
        access: "admin",
        operation: "review",
        body: EventReviewBody,
        reply: EventReply,
        errors: [PaymentEventNotFound, NothingToReview],
        async handle({ params, body, viewer, req }) {
          const by = { ...body, by: { userId: viewer.id, requestId: req.id } };
          return { event: await resolveEventReview(db, params.id, by) };
        },
      }),
    ],
  };
}
