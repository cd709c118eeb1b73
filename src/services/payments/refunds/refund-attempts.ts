import type { ClientSession } from "mongoose";
import type { Db } from "../../../db/db.js";
import type { Purchase, RefundAttempt } from "../../../models/payments/purchase.js";
import { findPurchase } from "../../../models/payments/purchase-queries.js";

/** Whether the provider has not finished an attempt. */
export const isLive = ({ state }: RefundAttempt): boolean => state === "requested" || state === "placed";

/**
 * Changes one attempt of a purchase, in the caller's transaction.
 * @param which by our reference, or by the provider's refund id. @returns the changed purchase; null when there is no such
 *   attempt.
 */
export async function changeAttempt(
  db: Db,
  session: ClientSession,
  purchaseId: Purchase["_id"],
  which: { reference?: string | undefined; refundId?: string | undefined },
  change: Partial<RefundAttempt>,
  from: readonly RefundAttempt["state"][] = ["requested"],
): Promise<Purchase | null> {
  const purchase = await findPurchase(db, { _id: purchaseId }, session);
  const refunds = purchase?.refunds ?? [];
  const index = refunds.findIndex(
    ({ reference, refundId }) =>
      (which.reference !== undefined && reference === which.reference) ||
      (which.refundId !== undefined && refundId === which.refundId),
  );
  const attempt = refunds[index];
  if (!purchase || !attempt) return null;
  if (!from.includes(attempt.state)) return purchase;
  const changed = refunds.with(index, { ...attempt, ...change });
  await db.Purchase.updateOne({ _id: purchaseId }, { $set: { refunds: changed } }, { session });
  return { ...purchase, refunds: changed };
}
