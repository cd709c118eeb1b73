import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Purchase } from "../../models/payments/purchase.js";
import { releaseCoupon } from "../coupons/coupon-use.js";
import { endPurchase } from "../enrollments/enrollment.js";
import { mayMove, movedTo } from "./purchase-states.js";
import { recordSale } from "./record-sale.js";

/**
 * Takes back what the checkout's signature completed, because its payment was not captured or is another one than the
 * purchase asks for: the purchase fails, the access ends and the sale is taken out. An invoice that has its number gets a
 * credit note.
 */
export async function undoCompletion(db: Db, session: ClientSession, purchase: Purchase): Promise<void> {
  const { _id, invoiceNumber, isErased } = purchase;
  // Nothing is left that has to name the buyer.
  const buyer = isErased && !invoiceNumber ? { buyer: 1 as const } : {};
  const failed = { ...movedTo("undo"), failedBecause: "not_captured", completedAt: null } as const;
  await db.Purchase.updateOne(
    { _id, ...mayMove("undo") },
    {
      $set: { ...failed, nextCheckAt: new Date(), ...(invoiceNumber ? { creditNoteDueAt: new Date() } : {}) },
      ...(invoiceNumber ? { $addToSet: { voidedInvoices: invoiceNumber } } : {}),
      $unset: { signatureOnly: 1, providerPaymentId: 1, invoiceDueAt: 1, ...buyer },
    },
    { session },
  );
  await releaseCoupon(db, session, purchase, "redeemed");
  const ended = await endPurchase(db, session, purchase);
  await recordSale(db, session, purchase, { sales: -1, students: ended ? -1 : 0 });
}
