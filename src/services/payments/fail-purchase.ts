import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { FailureCause, Purchase } from "../../models/payments/purchase.js";
import { releaseCoupon } from "../coupons/redeem-coupon.js";
import { mayMove, movedTo } from "./purchase-states.js";

/** When the provider is asked once more whether money came after all. */
const askAgainMs = 5 * 60_000;

type Failing = Pick<Purchase, "_id" | "coupon" | "couponUse">;

/**
 * Moves an unfinished purchase to `failed`, which frees the learner for another one. Completed and refunded purchases
 * stay. A capture may still come, so the provider is asked later on.
 *
 * The coupon is released, unless the learner chose to go on without it: the order of the purchase can still be paid, so
 * the redemption stays reserved until the order is a day old (`expirePurchase`).
 * @returns whether it was moved by this call.
 */
export async function failPurchase(
  db: Db,
  purchase: Failing,
  because: FailureCause,
  session?: ClientSession,
): Promise<boolean> {
  if (purchase.coupon && !session) return db.transaction((own) => failPurchase(db, purchase, because, own));
  const result = await db.Purchase.updateOne(
    { _id: purchase._id, ...mayMove("fail") },
    {
      $set: { ...movedTo("fail"), failedBecause: because, nextCheckAt: new Date(Date.now() + askAgainMs) },
      $unset: { slot: 1, orderLock: 1 },
    },
    session ? { session } : {},
  );
  const failed = result.modifiedCount > 0;
  if (failed && because !== "learner" && session) await releaseCoupon(db, session, purchase, "reserved");
  return failed;
}

/** Fails an unfinished purchase that is a day old. Of a failed one it releases the coupon. @returns whether it failed now. */
export async function expirePurchase(db: Db, purchase: Failing & Pick<Purchase, "status">): Promise<boolean> {
  if (purchase.status !== "failed") return failPurchase(db, purchase, "expired");
  if (purchase.couponUse === undefined) return false;
  await db.transaction(async (session) => {
    const held = await db.Purchase.findOne({ _id: purchase._id, ...movedTo("fail") })
      .session(session)
      .lean<Purchase>();
    if (held) await releaseCoupon(db, session, held, "reserved");
  });
  return false;
}

/**
 * Fails the unpaid purchases of a learner whose data are erased, and releases their coupons. A payment that comes all the
 * same completes nothing and is flagged for review, because nobody would get the course.
 */
export async function failErasedPurchases(
  db: Db,
  session: ClientSession,
  own: Pick<Purchase, "userId" | "courseId">,
): Promise<void> {
  const unpaid = await db.Purchase.find({ ...own, ...mayMove("complete") })
    .session(session)
    .lean<Purchase[]>();
  for (const purchase of unpaid) {
    if (purchase.status !== "failed") await failPurchase(db, purchase, "erased", session);
    else await releaseCoupon(db, session, purchase, "reserved");
  }
  await db.Purchase.updateMany({ ...own, ...movedTo("fail") }, { $set: { failedBecause: "erased" } }, { session });
}
