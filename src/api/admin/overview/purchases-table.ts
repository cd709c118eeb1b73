import type { Db } from "../../../db/db.js";
import { rowsAtATime } from "../../../http/pages.js";
import { currencyDecimals } from "../../../services/payments/price.js";
import { purchasesNewestFirst } from "./lists.js";
import type { purchaseFilter } from "./purchase-filter.js";

export const purchaseColumns = [
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
];

/** Purchases that fit a filter, newest first, in batches of rows under `purchaseColumns`. */
export async function* purchaseRows(db: Db, filter: ReturnType<typeof purchaseFilter>) {
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
