import { createBrand } from "@lyceum/certificate-pdf";
import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { readPage } from "../../http/reply-with-list.js";
import { type AlreadySent, alreadySent, type RouteRequest } from "../../http/route.js";
import { findInvoice } from "../../services/invoices/find-invoice.js";
import { renderInvoice } from "../../services/invoices/render-invoice.js";
import { orderHistory } from "../../services/payments/order-history.js";
import type { InvoiceQuery, OrdersQuery, PurchaseParams } from "./orders.schemas.js";

type InvoiceRequest = Pick<
  RouteRequest<z.output<typeof PurchaseParams>, z.output<typeof InvoiceQuery>, undefined, "user">,
  "params" | "query" | "res" | "signal"
>;

export function ordersController({ db, config }: Deps) {
  const send = async ({ params, query, res, signal }: InvoiceRequest, userId?: string): Promise<AlreadySent> => {
    const { document: kind, number } = query;
    const deps = { db, settings: config.invoices, signal };
    const invoice = await findInvoice(deps, { purchaseId: params.id, kind, number, userId });
    const pdf = await renderInvoice(invoice, createBrand(config.platform));
    res.set({
      "Content-Type": "application/pdf",
      "Content-Disposition": `inline; filename="${invoice.number}.pdf"`,
      "Cache-Control": "private, no-store",
    });
    res.send(pdf);
    return alreadySent;
  };

  return {
    async list({ viewer, query }: RouteRequest<undefined, z.output<typeof OrdersQuery>, undefined, "user">) {
      const { items: purchases, nextCursor } = await readPage(orderHistory(db, viewer.id), query);
      return { purchases, nextCursor };
    },

    invoice: (
      request: RouteRequest<z.output<typeof PurchaseParams>, z.output<typeof InvoiceQuery>, undefined, "user">,
    ) => send(request, request.viewer.id),

    anyInvoice: (
      request: RouteRequest<z.output<typeof PurchaseParams>, z.output<typeof InvoiceQuery>, undefined, "admin">,
    ) => send(request),
  };
}
