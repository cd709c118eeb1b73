import type { ClientSession } from "mongoose";
import type { Db } from "../../../db/db.js";
import type { Purchase, PurchaseState } from "../../../models/payments/purchase.js";
import { setCheckDue } from "../../../models/payments/purchase-queries.js";
import { statesAllowing } from "../purchase-states.js";

/**
 * Has the reconciler ask the provider about an unpaid purchase, unless another state is named, in its next run.
 * @returns whether there is one.
 */
export function askSoon(
  db: Db,
  session: ClientSession,
  which: Pick<Purchase, "_id"> | { providerOrderId: string },
  state?: PurchaseState,
): Promise<boolean> {
  const status = state ? { $in: [state] } : statesAllowing("complete").status;
  return setCheckDue(db, { ...which, status }, session);
}
