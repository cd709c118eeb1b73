import type { Db } from "../../../db/db.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import { mayMove } from "../purchase-states.js";
import { findOtherPayment, takeOver } from "../refunds/refund-purchase.js";
import { flagPurchase } from "../review-flags.js";
import { undoCompletion } from "../undo-completion.js";

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
      const purchase = await db.Purchase.findOne({ _id, ...mayMove("undo"), signatureOnly: true })
        .session(session)
        .lean<Purchase>();
      const isOver = Date.now() - (purchase?.completedAt?.getTime() ?? Date.now()) > uncapturedLifeMs;
      if (!purchase || !isOver) return false;
      const other = await findOtherPayment(db, session, purchase);
      if (other) {
        await takeOver(db, session, purchase, other);
        return false;
      }
      await undoCompletion(db, session, purchase);
      return true;
    },
    { mutex: `course:${courseId}` },
  );
}
