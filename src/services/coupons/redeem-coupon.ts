import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { addRedemptions } from "../../models/payments/coupon.js";
import { couponUseOf, type Purchase } from "../../models/payments/purchase.js";

/**
 * Counts the coupon of a purchase that has just completed as redeemed. One that was released before, because the purchase
 * had failed, counts as well, whatever its limits say by then.
 */
export async function redeemCoupon(
  db: Db,
  session: ClientSession,
  { _id, userId, coupon, couponUse }: Purchase,
): Promise<void> {
  if (!coupon) return;
  const released = couponUse === undefined;
  await addRedemptions(db, coupon.couponId, released ? { redeemed: 1 } : { reserved: -1, redeemed: 1 }, session);
  if (!released) return;
  await db.Purchase.updateOne({ _id }, { $set: { couponUse: couponUseOf(userId, coupon.code) } }, { session });
}
