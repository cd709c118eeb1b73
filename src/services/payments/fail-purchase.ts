import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { addRedemptions } from "../../models/payments/coupon.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { mayMove, movedTo } from "./purchase-states.js";

/** When the provider is asked once more whether money came after all. */
const askAgainMs = 5 * 60_000;

/**
 * Moves an unfinished purchase to `failed`, which frees the learner for another and releases its coupon. Completed and
 * refunded ones stay. A capture may still come, so the provider is asked later on.
 * @returns whether it was moved by this call.
 */
export async function failPurchase(
  db: Db,
  { _id, coupon }: Pick<Purchase, "_id" | "coupon">,
  session?: ClientSession,
): Promise<boolean> {
  if (coupon && !session) return db.transaction((own) => failPurchase(db, { _id, coupon }, own));
  const result = await db.Purchase.updateOne(
    { _id, ...mayMove("fail") },
    {
      $set: { ...movedTo("fail"), nextCheckAt: new Date(Date.now() + askAgainMs) },
      $unset: { slot: 1, orderLock: 1, couponUse: 1 },
    },
    session ? { session } : {},
  );
  const failed = result.modifiedCount > 0;
  if (failed && coupon && session) await addRedemptions(db, coupon.couponId, { reserved: -1 }, session);
  return failed;
}
