import type { z } from "zod";
import type { Deps } from "../../../deps.js";
import { isObjectId } from "../../../http/fields.js";
import { nameOutcome } from "../../../http/outcomes.js";
import type { RouteRequest } from "../../../http/route.js";
import { type PaymentEvent, paymentEventStates } from "../../../models/payment-event.js";
import { replayPaymentEvent } from "../../../services/payments/replay-payment-event.js";
import { requestRefund } from "../../../services/payments/request-refund.js";
import type { EventParams, EventsQuery, PurchaseParams, RefundBody } from "./payments.schemas.js";

export function paymentsController(deps: Deps) {
  const { db, payments } = deps;
  return {
    async refund({
      params,
      body,
      viewer,
      req,
      res,
    }: RouteRequest<z.output<typeof PurchaseParams>, undefined, z.output<typeof RefundBody>, "admin">) {
      const by = { reason: body.reason, actorId: viewer.id, requestId: String(req.id) };
      const { _id, status, refund } = await requestRefund({ db, payments }, params.id, by);
      nameOutcome(res, status === "refunded" ? "refunded" : "requested");
      return { purchaseId: _id, status, refundId: refund?.refundId ?? null };
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
      return { events: found.slice(0, limit), hasMore: found.length > limit };
    },

    async replay({ params, viewer, req }: RouteRequest<z.output<typeof EventParams>, undefined, undefined, "admin">) {
      return {
        event: await replayPaymentEvent(deps, params.id, { actorId: viewer.id, requestId: String(req.id) }),
      };
    },
  };
}
