import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { FailureCause, Purchase } from "../../models/payments/purchase.js";
import type { User } from "../../models/users/user.js";
import { releaseCoupon } from "../coupons/coupon-use.js";
import { endPurchase } from "../enrollments/enrollment.js";
import { recordEvents } from "../events/record-event.js";
import { stateAfter, statesAllowing } from "./purchase-states.js";
import { recordSale } from "./sale-transaction.js";

/** When the provider is asked once more whether a failed purchase was paid after all. */
const checkFailedAfterMs = 5 * 60_000;

type Failing = Pick<Purchase, "_id" | "coupon">;

/**
 * Moves an unfinished purchase to `failed`, so that the learner can open another purchase. Completed and refunded
 * purchases stay. A capture may still come, so the provider is asked later on.
 *
 * The coupon is released, unless the learner chose to go on without it: the order of the purchase can still be paid, so
 * the redemption stays reserved until the order is a day old.
 * @returns whether this call moved it.
 */
export async function failPurchase(
  db: Db,
  session: ClientSession,
  purchase: Failing,
  because: FailureCause,
): Promise<boolean> {
  const { modifiedCount } = await db.Purchase.updateOne(
    { _id: purchase._id, ...statesAllowing("fail") },
    {
      $set: { ...stateAfter("fail"), failedBecause: because },
      // An earlier check stays.
      $min: { nextCheckAt: new Date(Date.now() + checkFailedAfterMs) },
      $unset: { slot: 1, orderLock: 1 },
    },
    { session },
  );
  if (modifiedCount > 0 && because !== "learner") await releaseCoupon(db, session, purchase, "reserved");
  return modifiedCount > 0;
}

/** Releases the coupon that a failed purchase still holds. */
export async function releaseFailed(db: Db, session: ClientSession, { _id }: Failing): Promise<void> {
  const failed = await db.Purchase.findOne({ _id, ...stateAfter("fail") })
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
  const unpaid = await db.Purchase.find({ ...own, ...statesAllowing("complete") })
    .session(session)
    .lean<Purchase[]>();
  for (const purchase of unpaid) {
    await failPurchase(db, session, purchase, "erased");
    await releaseFailed(db, session, purchase);
  }
  await db.Purchase.updateMany(own, { $set: { isErased: true } }, { session });
}

/**
 * Takes back what the checkout's signature completed, because its payment was not captured or does not fit the purchase.
 * The purchase fails, the access ends and the sale is taken out. A numbered invoice gets a credit note.
 */
export async function undoCompletion(db: Db, session: ClientSession, purchase: Purchase): Promise<void> {
  const { _id, invoiceNumber, isErased } = purchase;
  const failed = { ...stateAfter("undo"), failedBecause: "not_captured", completedAt: null } as const;
  await db.Purchase.updateOne(
    { _id, ...statesAllowing("undo") },
    {
      $set: { ...failed, nextCheckAt: new Date(), ...(invoiceNumber && { creditNoteDueAt: new Date() }) },
      ...(invoiceNumber && { $addToSet: { voidedInvoices: invoiceNumber } }),
      // No invoice is left that must name the erased buyer.
      $unset: {
        signatureOnly: 1,
        providerPaymentId: 1,
        invoiceDueAt: 1,
        ...(isErased && !invoiceNumber && { buyer: 1 }),
      },
    },
    { session },
  );
  await releaseCoupon(db, session, purchase, "redeemed");
  const { ended, facts } = await endPurchase(db, session, purchase, "revoked");
  await recordEvents(db, session, facts);
  await recordSale(db, session, purchase, { sales: -1, students: ended ? -1 : 0 });
}

type Profile = Pick<User, "name" | "email">;

export const isSameBuyer = (a: Profile, b: Profile): boolean => a.name === b.name && a.email === b.email;

/** Copies a changed profile to the learner's unpaid purchases, so that an invoice names the buyer of that day. */
export async function renameBuyer(db: Db, session: ClientSession, userId: string, buyer: Profile): Promise<void> {
  const { name, email } = buyer;
  const unpaid = { userId, ...statesAllowing("complete"), buyer: { $exists: true } };
  await db.Purchase.updateMany(unpaid, { $set: { buyer: { name, email } } }, { session, timestamps: false });
}
