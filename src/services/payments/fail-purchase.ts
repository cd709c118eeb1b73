import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { FailureCause, Purchase } from "../../models/payments/purchase.js";
import { releaseCoupon } from "../coupons/coupon-use.js";
import { mayMove, movedTo } from "./purchase-states.js";

/** When the provider is asked once more whether money came after all. */
const askAgainMs = 5 * 60_000;

type Failing = Pick<Purchase, "_id" | "coupon">;

/**
 * Moves an unfinished purchase to `failed`, which frees the learner for another one. Completed and refunded purchases
 * stay. A capture may still come, so the provider is asked later on.
 *
 * The coupon is released, unless the learner chose to go on without it: the order of the purchase can still be paid, so
 * the redemption stays reserved until the order is a day old (`releaseExpired`).
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
      $set: { ...movedTo("fail"), failedBecause: because },
      // A look that was asked for earlier stays.
      $min: { nextCheckAt: new Date(Date.now() + askAgainMs) },
      $unset: { slot: 1, orderLock: 1 },
    },
    session ? { session } : {},
  );
  const failed = result.modifiedCount > 0;
  if (failed && because !== "learner" && session) await releaseCoupon(db, session, purchase, "reserved");
  return failed;
}

/** Releases the coupon that a failed purchase still holds. */
export async function releaseFailed(db: Db, purchase: Failing, session?: ClientSession): Promise<void> {
  if (!session) return db.transaction((own) => releaseFailed(db, purchase, own));
  const failed = await db.Purchase.findOne({ _id: purchase._id, ...movedTo("fail") })
    .session(session)
    .lean<Purchase>();
  if (failed) await releaseCoupon(db, session, failed, "reserved");
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
    await failPurchase(db, purchase, "erased", session);
    await releaseFailed(db, purchase, session);
  }
  await db.Purchase.updateMany(own, { $set: { isErased: true } }, { session });
}
