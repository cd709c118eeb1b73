import type { Deps } from "../../../deps.js";
import { nameOutcome } from "../../../http/outcomes.js";
import { cutPage } from "../../../http/pages.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { isObjectId } from "../../../lib/fields.js";
import { type PaymentEvent, paymentEventStates } from "../../../models/payments/payment-event.js";
import { RefundRefused } from "../../../services/payments/refunds/place-refund.js";
import {
  PurchaseNotFound,
  PurchaseNotRefundable,
  requestRefund,
} from "../../../services/payments/refunds/request-refund.js";
import {
  NothingToReview,
  PaymentEventNotFound,
  replayPaymentEvent,
  settleEventReview,
  settlePurchaseReview,
} from "../../../services/payments/settle-review.js";
import { findTitles } from "../overview/lists.js";
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
  const { db } = deps;
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
        async handle({ params, body, viewer, req, res }) {
          const order = { ...body, actorId: viewer.id, requestId: req.id };
          const { purchase, refundId } = await requestRefund(deps, params.id, order);
          const { _id, status } = purchase;
          nameOutcome(res, status === "refunded" ? "refunded" : "requested");
          return { purchaseId: _id, status, refundId };
        },
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
        async handle({ params, body, viewer, req }) {
          const by = { ...body, actorId: viewer.id, requestId: req.id };
          const purchase = await settlePurchaseReview(db, params.id, by);
          const course = await findTitles(db, [purchase]);
          return { purchase: { ...purchase, courseId: course(purchase) } };
        },
      }),
      route({
        method: "get",
        path: "/payment-events",
        summary: "The payment events",
        description: "Newest first, a page at a time.",
        access: "admin",
        query: EventsQuery,
        reply: EventsReply,
        async handle({ query }) {
          const { state = "all", before, limit } = query;
          const known = paymentEventStates.find((one) => one === state);
          if ((state !== "all" && !known) || (before !== undefined && !isObjectId(before))) {
            return { events: [], hasMore: false };
          }
          const filter = { ...(known ? { state: known } : {}), ...(before ? { _id: { $lt: before } } : {}) };
          const found = await db.PaymentEvent.find(filter, { body: 0 })
            .sort({ _id: -1 })
            .limit(limit + 1)
            .lean<PaymentEvent[]>();
          const { rows: events, hasMore } = cutPage(found, limit);
          return { events, hasMore };
        },
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
        async handle({ params, viewer, req }) {
          return {
            event: await replayPaymentEvent(deps, params.id, { actorId: viewer.id, requestId: req.id }),
          };
        },
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
        async handle({ params, body, viewer, req }) {
          const by = { ...body, actorId: viewer.id, requestId: req.id };
          return { event: await settleEventReview(db, params.id, by) };
        },
      }),
    ],
  };
}
