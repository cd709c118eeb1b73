import { z } from "zod";
import type { Db } from "../../../db/db.js";
import type { Deps } from "../../../deps.js";
import { sendCsv } from "../../../http/replies/csv.js";
import { type Route, route } from "../../../http/route.js";
import { currencyDecimals } from "../../../services/payments/price.js";
import { purchasesNewestFirst, rowsAtATime } from "../overview/lists.js";
import { PurchasesFilter } from "../overview/overview.schemas.js";
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
      query: PurchasesFilter,
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

async function* purchaseRows(db: Db, filter: ReturnType<typeof purchaseFilter>) {
  const list = purchasesNewestFirst(db, filter);
  for await (const found of list.read(undefined, rowsAtATime)) {
    const purchases = await list.describe(found);
    yield purchases.map((purchase) => [
      String(purchase._id),
      purchase.userId,
      String(purchase.boughtCourseId),
      purchase.courseId?.courseTitle ?? null,
      purchase.amount.toFixed(currencyDecimals(purchase.currency)),
      purchase.currency,
      purchase.status,
      purchase.reviewReason,
      purchase.createdAt,
      purchase.completedAt,
    ]);
  }
}
