import type { Models } from "../models/index.js";
import type { PaymentEvent } from "../models/payment-event.js";
import type { Purchase } from "../models/purchase.js";
import { toMinor } from "./price.js";

/**
 * Looks up what the ledger holds of refunds of the purchase's payment. Adding up to the full amount they move it from
 * completed to refunded; less than that is flagged. Effects on enrollment and totals are left to `applyPurchase`.
 * @returns the purchase when it is refunded now, else null.
 */
export async function refundIfPaidBack(models: Models, purchase: Purchase): Promise<Purchase | null> {
  const { _id, providerPaymentId, status } = purchase;
  if (status !== "completed" || !providerPaymentId) return null;
  const refundedMinor = await paidBackMinor(models, providerPaymentId);
  if (refundedMinor === 0) return null;
  const now = new Date();
  if (refundedMinor < toMinor(purchase.amount)) {
    await models.Purchase.updateOne(
      { _id, status: "completed", refundedMinor: { $lt: refundedMinor } },
      { $set: { refundedMinor, reviewReason: "partial_refund" } },
    );
    return null;
  }
  const reviewReason = purchase.reviewReason === "partial_refund" ? null : purchase.reviewReason;
  const moved = await models.Purchase.findOneAndUpdate(
    { _id, status: "completed" },
    {
      $set: { status: "refunded", refundedAt: now, refundedMinor, reviewReason, applied: false, movedAt: now },
      $unset: { nextCheckAt: 1 },
    },
    { returnDocument: "after" },
  ).lean<Purchase>();
  return moved ?? models.Purchase.findById(_id).lean<Purchase>();
}

/** Minor units over the distinct refunds of a payment in the ledger. */
export async function paidBackMinor(models: Models, paymentId: string): Promise<number> {
  const fields = { refundId: 1, amountMinor: 1, eventKey: 1 };
  const events = await models.PaymentEvent.find({ paymentId, event: "refund.processed" }, fields).lean<
    Pick<PaymentEvent, "refundId" | "amountMinor" | "eventKey">[]
  >();
  const refunds = new Map(events.map((event) => [event.refundId ?? event.eventKey, event.amountMinor ?? 0]));
  return [...refunds.values()].reduce((sum, amount) => sum + amount, 0);
}
