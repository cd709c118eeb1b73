import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { addRedemptions } from "../../models/payments/coupon.js";
import { couponUseOf } from "../../models/payments/purchase.js";
import { canRedeem, findSiblingUse, releaseCoupon, type WithCoupon } from "../coupons/coupon-use.js";
import { failPurchase } from "./fail-purchase.js";

/**
 * Counts the coupon of a purchase that has just completed as redeemed. A purchase that lost its reservation takes over the
 * one of the learner's other purchase of the course, which then fails. Where no redemption is left, the purchase completes
 * without one, so that the limits of the coupon hold.
 */
export async function redeemCoupon(db: Db, session: ClientSession, purchase: WithCoupon): Promise<void> {
  const { _id, userId, coupon, couponUse } = purchase;
  if (!coupon) return;
  if (couponUse !== undefined) return addRedemptions(db, coupon.couponId, { reserved: -1, redeemed: 1 }, session);
  const sibling = await findSiblingUse(db, session, purchase);
  if (sibling) {
    await failPurchase(db, sibling, "learner", session);
    await releaseCoupon(db, session, sibling, "reserved");
  } else if (!(await canRedeem(db, session, purchase))) {
    return;
  }
  await addRedemptions(db, coupon.couponId, { redeemed: 1 }, session);
  await db.Purchase.updateOne({ _id }, { $set: { couponUse: couponUseOf(userId, coupon.code) } }, { session });
}
