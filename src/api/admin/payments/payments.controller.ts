import type { z } from "zod";
import type { Deps } from "../../../deps.js";
import { nameOutcome } from "../../../http/outcomes.js";
import { cutPage } from "../../../http/pages.js";
import type { RouteRequest } from "../../../http/route.js";
import { isObjectId } from "../../../lib/fields.js";
import { type PaymentEvent, paymentEventStates } from "../../../models/payments/payment-event.js";
import { requestRefund } from "../../../services/payments/refunds/request-refund.js";
import {
  replayPaymentEvent,
  settleEventReview,
  settlePurchaseReview,
} from "../../../services/payments/settle-review.js";
import { findTitles } from "../overview/lists.js";
import type {
  EventParams,
  EventReviewBody,
  EventsQuery,
  PurchaseParams,
  PurchaseReviewBody,
  RefundBody,
} from "./payments.schemas.js";

export function paymentsController(deps: Deps) {
  const { db } = deps;
  return {
    async refund({
      params,
      body,
      viewer,
      req,
      res,
    }: RouteRequest<z.output<typeof PurchaseParams>, undefined, z.output<typeof RefundBody>, "admin">) {
      const order = { ...body, actorId: viewer.id, requestId: String(req.id) };
      const { purchase, refundId } = await requestRefund(deps, params.id, order);
      const { _id, status } = purchase;
      nameOutcome(res, status === "refunded" ? "refunded" : "requested");
      return { purchaseId: _id, status, refundId };
    },

    async reviewPurchase({
      params,
      body,
      viewer,
      req,
    }: RouteRequest<z.output<typeof PurchaseParams>, undefined, z.output<typeof PurchaseReviewBody>, "admin">) {
      const by = { ...body, actorId: viewer.id, requestId: String(req.id) };
      const purchase = await settlePurchaseReview(db, params.id, by);
      const course = await findTitles(db, [purchase]);
      return { purchase: { ...purchase, courseId: course(purchase) } };
    },

    async reviewEvent({
      params,
      body,
      viewer,
      req,
    }: RouteRequest<z.output<typeof EventParams>, undefined, z.output<typeof EventReviewBody>, "admin">) {
      const by = { ...body, actorId: viewer.id, requestId: String(req.id) };
      return { event: await settleEventReview(db, params.id, by) };
    },

    async events({ query }: RouteRequest<undefined, z.output<typeof EventsQuery>, undefined, "admin">) {
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

    async replay({ params, viewer, req }: RouteRequest<z.output<typeof EventParams>, undefined, undefined, "admin">) {
      return {
        event: await replayPaymentEvent(deps, params.id, { actorId: viewer.id, requestId: String(req.id) }),
      };
    },
  };
}
