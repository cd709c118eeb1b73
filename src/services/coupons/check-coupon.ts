import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../lib/fields.js";
import { findApplicableCoupon } from "../../models/payments/coupon.js";
import { couponUseOf, type Purchase, unfinishedSlot } from "../../models/payments/purchase.js";
import { findBuyerAndCourse } from "../../models/payments/purchase-queries.js";
import { priceBreakdown, toMajor } from "../payments/price.js";
import { requireOnSale } from "../payments/start-purchase.js";
import { CouponNotValid } from "./coupon-use.js";

/**
 * Returns what a learner would pay for a course with a coupon, in the major unit. A coupon that the learner's unfinished
 * purchase of the course has reserved applies. A redemption that a failed purchase of the course still holds does not count
 * against the limits, because a new purchase of the course takes it over.
 *
 * A coupon that does not apply costs the same queries as one that does, so that response times do not reveal codes.
 * @throws CourseNotFound, CouponNotValid.
 */
export async function checkCoupon(
  { db, currency }: { db: Db; currency: string },
  userId: string,
  { courseId, code }: { courseId: string; code: string },
): Promise<{ amount: number; discountAmount: number; currency: string }> {
  const id = isObjectId(courseId) ? new Types.ObjectId(courseId) : null;
  const { buyer, course: found } = await findBuyerAndCourse(db, userId, id);
  const course = requireOnSale(found, userId);
  const uses = await db.Purchase.find(
    { couponUse: couponUseOf(userId, code) },
    { slot: 1, coupon: 1, courseId: 1, status: 1 },
  ).lean<Pick<Purchase, "slot" | "coupon" | "courseId" | "status">[]>();
  const held = uses.filter(({ status, courseId: id }) => status === "failed" && id.equals(course._id)).length;
  const applicable = await findApplicableCoupon(db, code, { courseId: course._id }, { held });
  const reserved = uses.find(({ slot }) => slot === unfinishedSlot(userId, course._id))?.coupon;
  const coupon = reserved ?? (applicable && uses.length - held < applicable.maxPerUser ? applicable : undefined);
  if (!coupon) throw CouponNotValid();
  const { totalMinor, couponDiscountMinor } = priceBreakdown({ course, buyer, currency, coupon });
  return { amount: toMajor(totalMinor, currency), discountAmount: toMajor(couponDiscountMinor, currency), currency };
}
