import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Purchase } from "../../models/purchase.js";
import { mayMove, movedTo } from "./purchase-states.js";

/** When the provider is asked once more whether money came after all. */
const askAgainMs = 5 * 60_000;

/**
 * Moves an unfinished purchase to `failed`, which frees the learner for another. Completed and refunded ones stay. A
 * capture may still come, so the provider is asked later on.
 * @returns whether it was moved by this call.
 */
export async function failPurchase(db: Db, purchaseId: Purchase["_id"], session?: ClientSession): Promise<boolean> {
  const result = await db.Purchase.updateOne(
    { _id: purchaseId, ...mayMove("fail") },
    {
      $set: { ...movedTo("fail"), nextCheckAt: new Date(Date.now() + askAgainMs) },
      $unset: { slot: 1, orderLock: 1 },
    },
    session ? { session } : {},
  );
  return result.modifiedCount > 0;
}
