import { createBrand } from "@lyceum/certificate-pdf/brand";
import type { Response } from "express";
import { z } from "zod";
import type { Deps } from "../../deps.js";
import { listReply } from "../../http/list-reply.js";
import { newestFirstPage, nextCursor } from "../../http/pages.js";
import { type AlreadySent, alreadySent, type PathParams, type RouteGroup, route } from "../../http/route.js";
import { id, timestamp } from "../../lib/fields.js";
import { invoiceKinds } from "../../models/payments/invoice.js";
import { purchaseStates } from "../../models/payments/purchase.js";
import type { KeyUse } from "../../models/users/api-key.js";
import type { Viewer } from "../../models/users/user.js";
import { findInvoice, InvoiceNotFound } from "../../services/invoices/find-invoice.js";
import { orderHistory } from "../../services/payments/order-history.js";

const OrderView = z
  .object({
    _id: id,
    courseId: id.nullable().meta({ description: "null: a path was bought" }),
    pathId: id.nullable(),
    courseTitle: z.string().meta({ description: "of the course or path, as it was when the purchase was opened" }),
    courseThumbnail: z.string().meta({ description: "of a path: that of its first course" }),
    amount: z.number().meta({ description: "major unit of `currency`" }),
    currency: z.string().meta({ description: "ISO 4217" }),
    status: z.enum(purchaseStates),
    couponCode: z.string().nullable(),
    refundedAmount: z.number().meta({ description: "major unit" }),
    createdAt: timestamp,
    completedAt: timestamp.nullable(),
    refundedAt: timestamp.nullable(),
    invoiceNumber: z.string().nullable().meta({ description: "null until it is assigned, soon after completion" }),
    creditNoteNumber: z.string().nullable().meta({ description: "of the newest refund" }),
  })
  .meta({ id: "Order" });

const OrdersReply = listReply("purchases", OrderView, nextCursor);

const InvoiceQuery = z.object({
  document: z.enum(invoiceKinds).default("invoice"),
  number: z.string().max(64).optional().meta({ description: "number of an earlier credit note; absent: the newest" }),
});

const description =
  "A PDF. `document=credit-note` gives the newest credit note. Each refund has a credit note with its own number.";

interface InvoiceRequest {
  readonly params: PathParams<"/:id">;
  readonly query: z.output<typeof InvoiceQuery>;
  readonly viewer: Viewer;
  readonly res: Response;
  readonly signal: AbortSignal;
}

/** What a learner has bought, and the invoices. */
export function ordersGroups({ db, config, renderInTurn }: Deps): RouteGroup[] {
  /** @param of whose purchase it must be, or the API key that must see it. */
  async function sendInvoice(
    request: InvoiceRequest,
    of: { userId?: string; key?: KeyUse | undefined },
  ): Promise<AlreadySent> {
    const { params, query, viewer, res, signal } = request;
    const { document: kind, number } = query;
    const deps = { db, settings: config.invoices, signal };
    const invoice = await findInvoice(deps, { purchaseId: params.id, kind, number, ...of });
    const { renderInvoice } = await import("../../services/invoices/render-invoice.js");
    const pdf = await renderInTurn(viewer.id, () => renderInvoice(invoice, createBrand(config.platform)), signal);
    res.set({
      "Content-Type": "application/pdf",
      "Content-Disposition": `inline; filename="${invoice.number}.pdf"`,
      "Cache-Control": "private, no-store",
    });
    res.send(pdf);
    return alreadySent;
  }

  return [
    {
      name: "orders",
      base: "/api/user",
      routes: [
        route("get", "/purchases", {
          operationId: "listOrders",
          summary: "The caller's purchases in every state, newest first",
          access: "user",
          query: z.object(newestFirstPage),
          reply: OrdersReply.schema,
          handle: (request) => OrdersReply.answer(request, orderHistory(db, request.viewer.id)),
        }),
        route("get", "/purchases/:id/invoice", {
          operationId: "getInvoice",
          summary: "The invoice of one of the caller's purchases",
          description,
          access: "user",
          query: InvoiceQuery,
          file: "application/pdf",
          errors: [InvoiceNotFound],
          handle: (request) => sendInvoice(request, { userId: request.viewer.id }),
        }),
      ],
    },
    {
      name: "orders",
      base: "/api/admin",
      routes: [
        route("get", "/purchases/:id/invoice", {
          operationId: "getAdminInvoice",
          summary: "The invoice of any purchase",
          description,
          access: "admin",
          scope: "purchases:read",
          query: InvoiceQuery,
          file: "application/pdf",
          errors: [InvoiceNotFound],
          handle: (request) => sendInvoice(request, { key: request.viewer.key }),
        }),
      ],
    },
  ];
}
