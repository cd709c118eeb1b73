import type { Db } from "../../db/db.js";
import { findApplicableCoupon } from "../../models/payments/coupon.js";
import { couponUseOf, ofSame, type Purchase, soldId, unfinishedSlot } from "../../models/payments/purchase.js";
import { findForSale, requireOnSale, soldOf, type WantedItem } from "../payments/for-sale.js";
import { priceBreakdown, toMajor } from "../payments/price.js";
import { CouponNotValid } from "./coupon-use.js";

/**
 * Returns what a learner would pay for a course or a path with a coupon, in the major unit. A coupon that the learner's unfinished
 * purchase of it has reserved applies. A redemption that a failed purchase of it still holds does not count
 * against the limits, because a new one takes it over.
 *
 * A coupon that does not apply costs the same queries as one that does, so that response times do not reveal codes.
 * @throws CourseNotFound, PathNotFound, PathNotForSale, CouponNotValid.
 */
export async function checkCoupon(
  { db, currency }: { db: Db; currency: string },
  userId: string,
  { code, ...wanted }: WantedItem & { code: string },
): Promise<{ amount: number; discountAmount: number; currency: string }> {
  const sold = soldOf(wanted);
  const { buyer, item: found } = await findForSale(db, userId, sold);
  const item = requireOnSale(found, sold, userId);
  const id = soldId(sold);
  const uses = await db.Purchase.find(
    { couponUse: couponUseOf(userId, code) },
    { slot: 1, coupon: 1, courseId: 1, pathId: 1, status: 1 },
  ).lean<Pick<Purchase, "slot" | "coupon" | "courseId" | "pathId" | "status">[]>();
  const held = uses.filter((use) => use.status === "failed" && soldId(use).equals(id)).length;
  const applicable = await findApplicableCoupon(db, code, ofSame(sold), { held });
  const reserved = uses.find(({ slot }) => slot === unfinishedSlot(userId, id))?.coupon;
  const coupon = reserved ?? (applicable && uses.length - held < applicable.maxPerUser ? applicable : undefined);
  if (!coupon) throw CouponNotValid();
  const offer = { course: item.terms, buyer, currency, coupon };
  const { totalMinor, couponDiscountMinor } = priceBreakdown(offer);
  return { amount: toMajor(totalMinor, currency), discountAmount: toMajor(couponDiscountMinor, currency), currency };
}
