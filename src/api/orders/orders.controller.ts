import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { Overloaded, retryAfterSeconds } from "../../http/limits/overload.js";
import { replyWithList } from "../../http/reply-with-list.js";
import { type AlreadySent, alreadySent, type RouteRequest } from "../../http/route.js";
import { brandOf } from "../../services/certificates/brand.js";
import { findInvoice } from "../../services/invoices/find-invoice.js";
import { createInvoiceDocuments } from "../../services/invoices/invoice-documents.js";
import { renderInvoice } from "../../services/invoices/render-invoice.js";
import { orderHistory } from "../../services/payments/order-history.js";
import { type InvoiceQuery, type OrdersQuery, OrdersReply, type PurchaseParams } from "./orders.schemas.js";

type InvoiceRequest = Pick<
  RouteRequest<z.output<typeof PurchaseParams>, z.output<typeof InvoiceQuery>, undefined, "user">,
  "params" | "query" | "res" | "signal"
>;

export function ordersController({ db, config }: Deps) {
  const documents = createInvoiceDocuments((invoice) => renderInvoice(invoice, brandOf(config.platform)));

  const send = async ({ params, query, res, signal }: InvoiceRequest, userId?: string): Promise<AlreadySent> => {
    const { document: kind, number } = query;
    const wanted = { purchaseId: params.id, kind, number, ...(userId === undefined ? {} : { userId }) };
    const waiting = { db, settings: config.invoices, signal };
    const invoice = await findInvoice(waiting, wanted);
    const pdf = await documents.pdfOf(invoice);
    if (!pdf) {
      res.setHeader("Retry-After", retryAfterSeconds);
      throw Overloaded();
    }
    res.set({
      "Content-Type": "application/pdf",
      "Content-Disposition": `inline; filename="${invoice.number}.pdf"`,
      "Cache-Control": "private, no-store",
    });
    res.send(pdf);
    return alreadySent;
  };

  return {
    list: (request: RouteRequest<undefined, z.output<typeof OrdersQuery>, undefined, "user">) =>
      replyWithList(request, {
        ...{ reply: OrdersReply, field: "purchases" },
        list: orderHistory(db, request.viewer.id),
        wrap: (purchases, { nextCursor = null }) => ({ purchases, nextCursor }),
      }),

    invoice: (
      request: RouteRequest<z.output<typeof PurchaseParams>, z.output<typeof InvoiceQuery>, undefined, "user">,
    ) => send(request, request.viewer.id),

    anyInvoice: (
      request: RouteRequest<z.output<typeof PurchaseParams>, z.output<typeof InvoiceQuery>, undefined, "admin">,
    ) => send(request),
  };
}
