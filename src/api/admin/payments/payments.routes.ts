import type { Deps } from "../../../deps.js";
import { type RouteGroup, route } from "../../../http/route.js";
import { PaymentEventNotFound } from "../../../services/payments/replay-payment-event.js";
import { PurchaseNotFound, PurchaseNotRefundable, RefundRefused } from "../../../services/payments/request-refund.js";
import { paymentsController } from "./payments.controller.js";
import {
  EventParams,
  EventsQuery,
  EventsReply,
  PurchaseParams,
  RefundBody,
  RefundReply,
  ReplayReply,
} from "./payments.schemas.js";

/** The operator's view of money: refunds and the ledger of payment events. */
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
        summary: "Pay a purchase back",
        description:
          "Asks the provider for a full refund. The purchase becomes `refunded`, and access ends, when the provider " +
          "says that it is processed. Repeating the request moves no more money.",
        access: "admin",
        operation: "refund",
        params: PurchaseParams,
        body: RefundBody,
        reply: RefundReply,
        errors: [PurchaseNotFound, PurchaseNotRefundable, RefundRefused],
        handle: payments.refund,
      }),
      route({
        method: "get",
        path: "/payment-events",
        summary: "The ledger of payment events",
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
        reply: ReplayReply,
        errors: [PaymentEventNotFound],
        handle: payments.replay,
      }),
    ],
  };
}
