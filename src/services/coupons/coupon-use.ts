import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { boundedString } from "../../lib/fields.js";
import { normalForm } from "../../lib/normal-form.js";
import { findApplicableCoupon } from "../../models/payments/coupon.js";
import { couponUseOf, ofSame, type Purchase, unpaidStates } from "../../models/payments/purchase.js";
import { isInTime } from "../payments/facts.js";

/** Does not say why: unknown, inactive, expired, used up and not for this course read the same. */
export const CouponNotValid = failure("coupon_not_valid", 404, "Coupon not valid");

/** A code as it is stored and compared: in capital letters, full-width forms as ASCII, no spaces or invisible characters. */
const normalCode = (code: string): string =>
  normalForm(code, "NFKC")
    .replace(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+/gu, "")
    .toUpperCase();

const maxCodeLength = 32;

/** A code as it is typed, read as it is stored. */
export const couponCode = boundedString(maxCodeLength).overwrite(normalCode);

type WithCoupon = Pick<Purchase, "_id" | "userId" | "courseId" | "pathId" | "coupon" | "couponUse" | "createdAt">;

/** Finds an unpaid purchase of the same learner, and course or path, that holds a redemption of the same coupon. */
export function findSiblingUse(
  db: Db,
  session: ClientSession,
  { _id, userId, coupon, ...sold }: WithCoupon,
): Promise<Purchase | null> {
  const couponUse = couponUseOf(userId, coupon?.code ?? "");
  const others = { _id: { $ne: _id }, userId, ...ofSame(sold), status: { $in: unpaidStates } };
  return db.Purchase.findOne({ ...others, couponUse })
    .session(session)
    .lean<Purchase>();
}

/**
 * Whether a purchase can redeem its coupon: it could reserve a redemption if it were opened now, or a redemption is kept for
 * it, or for another purchase of the same that it can take it from. True for a purchase without a coupon.
 * @param paidAt when it was paid. A redemption is kept for a day from the opening of its purchase.
 */
export async function canRedeem(
  db: Db,
  session: ClientSession,
  purchase: WithCoupon,
  paidAt = new Date(),
): Promise<boolean> {
  const { userId, coupon, couponUse } = purchase;
  if (!coupon) return true;
  if (!(await db.Coupon.exists({ _id: coupon.couponId, active: true }).session(session))) return false;
  const isOwn = couponUse !== undefined;
  const holder = isOwn ? purchase : await findSiblingUse(db, session, purchase);
  if (holder && isInTime(holder, isOwn ? paidAt : new Date())) return true;
  const held = holder ? 1 : 0;
  const found = await findApplicableCoupon(db, coupon.code, ofSame(purchase), { held, session });
  if (!found) return false;
  const uses = await db.Purchase.countDocuments({ couponUse: couponUseOf(userId, coupon.code) }).session(session);
  return uses - held < found.maxPerUser;
}
