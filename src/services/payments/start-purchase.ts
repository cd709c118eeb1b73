import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { addRedemptions, reserveCoupon } from "../../models/payments/coupon.js";
import {
  couponUseOf,
  freeSlot,
  type Purchase,
  type PurchaseCoupon,
  unfinishedSlot,
} from "../../models/payments/purchase.js";
import { findPurchaseInSlot, insertPurchase } from "../../models/payments/purchase-queries.js";
import { priceWithCoupon } from "../coupons/coupon-price.js";
import { CouponNotValid } from "../coupons/failures.js";
import { accessUntil, enroll } from "../enrollments/enrollment.js";
import { failPurchase, releaseFailed } from "./fail-purchase.js";
import { CourseAlreadyPurchased } from "./failures.js";
import { lockMs } from "./place-order.js";
import { toMajor } from "./price.js";
import { causeToClose, priceOf, termsOf, type WantedPurchase } from "./purchase-offer.js";
import { movedTo } from "./purchase-states.js";
import { firstCheckMs } from "./reconcile/check-schedule.js";
import { recordSale } from "./record-sale.js";

/** A free course is the learner's at once: one purchase, however often it is asked for, until its access ends. */
export function startFree(db: Db, wanted: WantedPurchase): Promise<Purchase> {
  const { buyer, course } = wanted;
  return db.transaction(
    async (session) => {
      const known = await findPurchaseInSlot(db, freeSlot(buyer._id, course._id), session);
      if (known && !(await endedAndReleased(db, session, known))) return known;
      return insertFree(db, session, wanted);
    },
    { mutex: `course:${course._id}` },
  );
}

/** A purchase at the course's price, without a coupon. It holds the lock of its order. */
export const startPaid = (db: Db, wanted: WantedPurchase): Promise<Purchase> =>
  insertPurchase(db, unpaid(wanted, priceOf(wanted)));

/**
 * A purchase with a coupon: what there is of it already, or a new one. All of it, or nothing:
 *
 *   1. A completed purchase of the course whose access has not ended is refused.
 *   2. An unfinished purchase of the course that matches the request is returned.
 *   3. Another one fails. What failed purchases of the course still hold of this coupon is released for the new one.
 *   4. A redemption is reserved. Every reservation writes the coupon, so two of one learner see one another.
 *   5. The purchase is stored; one that costs nothing is completed, and the learner is enrolled.
 * @throws CourseAlreadyPurchased, CouponNotValid; then nothing has changed.
 */
export function startWithCoupon(db: Db, wanted: WantedPurchase, code: string): Promise<Purchase> {
  const { buyer, course, currency } = wanted;
  const couponUse = couponUseOf(buyer._id, code);
  const slots = { unfinished: unfinishedSlot(buyer._id, course._id), free: freeSlot(buyer._id, course._id) };
  return db.transaction(
    async (session) => {
      const completed = { userId: buyer._id, courseId: course._id, status: "completed" as const };
      const known = await db.Purchase.find({
        $or: [{ slot: { $in: Object.values(slots) } }, { couponUse }, completed],
      })
        .session(session)
        .lean<Purchase[]>();
      // 1.
      const ofCourse = known.filter(({ courseId }) => courseId.equals(course._id));
      if (ofCourse.some((purchase) => purchase.status === "completed" && !hasEnded(purchase)))
        throw CourseAlreadyPurchased();
      const free = known.find(({ slot }) => slot === slots.free);
      if (free && !(await endedAndReleased(db, session, free))) return free;
      // 2.
      const open = known.find(({ slot }) => slot === slots.unfinished);
      const cause = open && causeToClose(open, wanted);
      if (open && !cause) return open;
      // 3.
      if (open && cause) await failPurchase(db, open, cause, session);
      const replaced = ofCourse.filter((purchase) => purchase === open || purchase.status === "failed");
      for (const purchase of replaced) {
        if (purchase.couponUse === couponUse) await releaseFailed(db, purchase, session);
      }
      // 4.
      const coupon = await reserveCoupon(db, code, course._id, session);
      const uses = known.filter((each) => !replaced.includes(each) && each.couponUse === couponUse).length;
      if (!coupon || uses >= coupon.maxPerUser) throw CouponNotValid();
      const { amountMinor, discountMinor } = priceWithCoupon(coupon, priceOf(wanted), currency);
      const { _id: couponId, kind, value } = coupon;
      const applied = { coupon: { couponId, code, kind, value, discountMinor }, couponUse };
      // 5.
      if (amountMinor > 0) return insertPurchase(db, { ...unpaid(wanted, amountMinor), ...applied }, session);
      await addRedemptions(db, couponId, { reserved: -1, redeemed: 1 }, session);
      return insertFree(db, session, wanted, applied);
    },
    { mutex: `coupon:${code}` },
  );
}

/** Whether the access of a completed purchase is over. */
function hasEnded(purchase: Purchase): boolean {
  const until = accessUntil(purchase);
  return until !== null && until.getTime() <= Date.now();
}

/** Releases the slot of a free purchase whose access has ended, so that another one can be made. @returns whether it did. */
async function endedAndReleased(db: Db, session: ClientSession, free: Purchase): Promise<boolean> {
  if (!hasEnded(free)) return false;
  await db.Purchase.updateOne({ _id: free._id }, { $unset: { slot: 1 } }, { session });
  return true;
}

async function insertFree(
  db: Db,
  session: ClientSession,
  wanted: WantedPurchase,
  applied: { coupon?: PurchaseCoupon; couponUse?: string } = {},
): Promise<Purchase> {
  const slot = freeSlot(wanted.buyer._id, wanted.course._id);
  const completed = { ...movedTo("openFree"), completedAt: new Date() };
  const purchase = await insertPurchase(db, { ...common(wanted), ...applied, amount: 0, slot, ...completed }, session);
  const { counted } = await enroll(db, session, purchase);
  await recordSale(db, session, purchase, { sales: 1, students: counted ? 0 : 1 });
  return purchase;
}

const common = ({ buyer, course, currency }: WantedPurchase) => ({
  ...{ userId: buyer._id, courseId: course._id, currency },
  terms: termsOf(course),
});

function unpaid(wanted: WantedPurchase, amountMinor: number) {
  const { buyer, course, currency, holder } = wanted;
  const now = Date.now();
  return {
    ...common(wanted),
    ...movedTo("open"),
    amount: toMajor(amountMinor, currency),
    buyer: { name: buyer.name, email: buyer.email },
    slot: unfinishedSlot(buyer._id, course._id),
    orderLock: { holder, until: new Date(now + lockMs) },
    nextCheckAt: new Date(now + firstCheckMs),
  };
}
