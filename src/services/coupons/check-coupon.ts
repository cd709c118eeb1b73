import type { Db } from "../../db/db.js";
import { findApplicableCoupon } from "../../models/payments/coupon.js";
import { couponUseOf, type Purchase, unfinishedSlot } from "../../models/payments/purchase.js";
import { payableMinor, toMajor } from "../payments/price.js";
import { findOffer } from "../payments/purchase-offer.js";
import { normalCode } from "./coupon-code.js";
import { priceWithCoupon } from "./coupon-price.js";
import { CouponNotValid } from "./failures.js";

/**
 * What a learner would pay for a course with a coupon. The same two queries run whether or not it applies. A coupon that
 * the learner's unfinished purchase of the course has reserved applies. A redemption that a former purchase of the course
 * still holds does not count against the limits, because a new purchase of the course takes it over.
 * @returns amounts in the major unit. @throws CourseNotFound, CouponNotValid.
 */
export async function checkCoupon(
  { db, currency }: { db: Db; currency: string },
  userId: string,
  { courseId, code: given }: { courseId: string; code: string },
): Promise<{ amount: number; discountAmount: number; currency: string }> {
  const course = await findOffer(db, courseId, userId);
  const code = normalCode(given);
  const uses = await db.Purchase.find(
    { couponUse: couponUseOf(userId, code) },
    { slot: 1, coupon: 1, courseId: 1, status: 1 },
  ).lean<Pick<Purchase, "slot" | "coupon" | "courseId" | "status">[]>();
  const held = uses.filter(({ status, courseId: id }) => status === "failed" && id.equals(course._id)).length;
  const found = await findApplicableCoupon(db, code, course._id, { held });
  const reserved = uses.find(({ slot }) => slot === unfinishedSlot(userId, course._id))?.coupon;
  const coupon = reserved ?? (found && uses.length - held < found.maxPerUser ? found : undefined);
  if (!coupon) throw CouponNotValid();
  const price = priceWithCoupon(coupon, payableMinor(course.coursePrice, course.discount, currency), currency);
  return {
    amount: toMajor(price.amountMinor, currency),
    discountAmount: toMajor(price.discountMinor, currency),
    currency,
  };
}
