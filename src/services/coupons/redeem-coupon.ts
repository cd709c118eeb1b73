import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { addRedemptions, findApplicableCoupon } from "../../models/payments/coupon.js";
import { couponUseOf, type Purchase } from "../../models/payments/purchase.js";

type WithCoupon = Pick<Purchase, "_id" | "userId" | "courseId" | "coupon" | "couponUse">;

/**
 * Whether a purchase can redeem its coupon: it still holds a redemption, or could reserve one if it were opened now. A
 * purchase without a coupon can.
 */
export async function canRedeem(
  db: Db,
  session: ClientSession,
  { userId, courseId, coupon, couponUse }: WithCoupon,
): Promise<boolean> {
  if (!coupon || couponUse !== undefined) return true;
  const found = await findApplicableCoupon(db, coupon.code, courseId, { session });
  if (!found) return false;
  const uses = await db.Purchase.countDocuments({ couponUse: couponUseOf(userId, coupon.code) }).session(session);
  return uses < found.maxPerUser;
}

/**
 * Counts the coupon of a purchase that has just completed as redeemed. A purchase that lost its reservation and cannot get
 * another one completes without a redemption, so that the limits of the coupon hold.
 */
export async function redeemCoupon(db: Db, session: ClientSession, purchase: WithCoupon): Promise<void> {
  const { _id, userId, coupon, couponUse } = purchase;
  if (!coupon || !(await canRedeem(db, session, purchase))) return;
  await addRedemptions(db, coupon.couponId, { redeemed: 1, reserved: couponUse === undefined ? 0 : -1 }, session);
  if (couponUse !== undefined) return;
  await db.Purchase.updateOne({ _id }, { $set: { couponUse: couponUseOf(userId, coupon.code) } }, { session });
}

/** Gives a redemption back that a purchase holds. @param counted where the coupon counts it. */
export async function releaseCoupon(
  db: Db,
  session: ClientSession,
  { _id, coupon, couponUse }: Pick<WithCoupon, "_id" | "coupon" | "couponUse">,
  counted: "reserved" | "redeemed",
): Promise<void> {
  if (!coupon || couponUse === undefined) return;
  await db.Purchase.updateOne({ _id }, { $unset: { couponUse: 1 } }, { session });
  await addRedemptions(db, coupon.couponId, { [counted]: -1 }, session);
}
