import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { InvoiceNotFound } from "../../services/invoices/find-invoice.js";
import { ordersController } from "./orders.controller.js";
import { InvoiceQuery, OrdersQuery, OrdersReply, PdfReply, PurchaseParams } from "./orders.schemas.js";

const pdf = "A PDF. With `document=credit-note` what was paid back; each refund has a credit note with its own number.";

/** What a learner has bought, and the invoices. */
export function ordersGroups(deps: Deps): RouteGroup[] {
  const orders = ordersController(deps);
  return [
    {
      name: "orders",
      base: "/api/user",
      access: "user",
      routes: [
        route({
          method: "get",
          path: "/purchases",
          summary: "The caller's purchases in every state, newest first",
          access: "user",
          query: OrdersQuery,
          reply: OrdersReply,
          errors: [],
          handle: orders.list,
        }),
        route({
          method: "get",
          path: "/purchases/:id/invoice",
          summary: "The invoice of a purchase of one's own",
          description: pdf,
          access: "user",
          params: PurchaseParams,
          query: InvoiceQuery,
          reply: PdfReply,
          alsoProduces: ["application/pdf"],
          errors: [InvoiceNotFound],
          handle: orders.invoice,
        }),
      ],
    },
    {
      name: "orders",
      base: "/api/admin",
      access: "admin",
      limit: "admin",
      routes: [
        route({
          method: "get",
          path: "/purchases/:id/invoice",
          summary: "The invoice of any purchase",
          description: pdf,
          access: "admin",
          params: PurchaseParams,
          query: InvoiceQuery,
          reply: PdfReply,
          alsoProduces: ["application/pdf"],
          errors: [InvoiceNotFound],
          handle: orders.anyInvoice,
        }),
      ],
    },
  ];
}
