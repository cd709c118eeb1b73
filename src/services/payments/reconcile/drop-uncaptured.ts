import type { Db } from "../../../db/db.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import { releaseCoupon } from "../../coupons/redeem-coupon.js";
import { endPurchase } from "../../enrollments/enrollment.js";
import { mayMove, movedTo } from "../purchase-states.js";
import { recordSale } from "../record-sale.js";
import { findOtherPayment, takeOver } from "../refunds/refund-purchase.js";
import { flagPurchase } from "../review-flags.js";

/** How long a purchase that a signature completed stays completed without a capture. */
const uncapturedLifeMs = 24 * 60 * 60_000;

/**
 * Flags a purchase that a signature completed and whose payment the provider has not captured. After a day the purchase
 * fails, unless another payment of it was captured: the access ends and the sale is taken out. A capture that comes after
 * all completes it again.
 * @returns whether it failed.
 */
export function dropUncaptured(db: Db, { _id, courseId, providerPaymentId = "" }: Purchase): Promise<boolean> {
  return db.transaction(
    async (session) => {
      const flag = { reason: "not_captured", subject: providerPaymentId, eventKey: null } as const;
      await flagPurchase(db, session, _id, flag);
      const purchase = await db.Purchase.findOne({ _id, ...mayMove("dropUncaptured"), signatureOnly: true })
        .session(session)
        .lean<Purchase>();
      const isOver = Date.now() - (purchase?.completedAt?.getTime() ?? Date.now()) > uncapturedLifeMs;
      if (!purchase || !isOver) return false;
      const other = await findOtherPayment(db, session, purchase);
      if (other) {
        await takeOver(db, session, purchase, other);
        return false;
      }
      const failed = { ...movedTo("dropUncaptured"), failedBecause: "not_captured", completedAt: null } as const;
      // An invoice that has its number already is taken back by a credit note.
      const creditNote = purchase.invoiceNumber ? { creditNoteDueAt: new Date() } : {};
      await db.Purchase.updateOne(
        { _id },
        { $set: { ...failed, ...creditNote }, $unset: { signatureOnly: 1, providerPaymentId: 1, invoiceDueAt: 1 } },
        { session },
      );
      await releaseCoupon(db, session, purchase, "redeemed");
      const ended = await endPurchase(db, session, purchase);
      await recordSale(db, session, purchase, { sales: -1, students: ended ? -1 : 0 });
      return true;
    },
    { mutex: `course:${courseId}` },
  );
}
