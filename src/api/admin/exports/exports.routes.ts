import { z } from "zod";
import type { Db } from "../../../db/db.js";
import type { Deps } from "../../../deps.js";
import { sendCsv } from "../../../http/csv.js";
import { type Route, route } from "../../../http/route.js";
import type { Purchase } from "../../../models/purchase.js";
import { currencyDecimals } from "../../../services/payments/price.js";
import { findTitles } from "../overview/overview.controller.js";
import { PurchasesQuery } from "../overview/overview.schemas.js";
import { purchaseFilter } from "../overview/purchase-filter.js";

/** Tables for bookkeeping. */
export function exportRoutes({ db }: Deps): Route[] {
  return [
    route({
      method: "get",
      path: "/purchases.csv",
      summary: "Purchases as a table, newest first",
      description:
        "Streamed. UTF-8 with a byte order mark; cells that a spreadsheet would take for a formula start with `'`.",
      access: "admin",
      query: PurchasesQuery,
      reply: z.object({}),
      alsoProduces: ["text/csv"],
      errors: [],
      handle: ({ query, res, signal }) =>
        sendCsv(res, signal, {
          name: "purchases",
          columns: [
            "Purchase ID",
            "User ID",
            "Course ID",
            "Course",
            "Amount",
            "Currency",
            "Status",
            "Review reason",
            "Created",
            "Completed",
          ],
          batches: purchaseRows(db, purchaseFilter(query.status)),
        }),
    }),
  ];
}

const batchSize = 500;

/** Each batch is a query of its own that continues by id, so no cursor has to outlive a slow reader. */
async function* purchaseRows(db: Db, filter: ReturnType<typeof purchaseFilter>) {
  let last: Purchase | undefined;
  do {
    if (!filter) return;
    const found: Purchase[] = await db.Purchase.find({ ...filter, ...(last ? { _id: { $lt: last._id } } : {}) })
      .sort({ _id: -1 })
      .limit(batchSize)
      .lean<Purchase[]>();
    const course = await findTitles(db, found);
    yield found.map((purchase) => [
      String(purchase._id),
      purchase.userId,
      String(purchase.courseId),
      course(purchase)?.courseTitle ?? null,
      purchase.amount.toFixed(currencyDecimals(purchase.currency)),
      purchase.currency,
      purchase.status,
      purchase.reviewReason,
      purchase.createdAt,
      purchase.completedAt,
    ]);
    last = found.length === batchSize ? found.at(-1) : undefined;
  } while (last);
}
