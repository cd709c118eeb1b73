import type { Db } from "../../db/db.js";
import { failure } from "../../http/errors.js";
import type { Purchase, RefundRequest } from "../../models/purchase.js";
import { type Payments, ProviderFault } from "../../providers/razorpay.js";
import { recordAudit } from "../audit/record-audit.js";
import { toMinor } from "./price.js";

export const PurchaseNotFound = failure("purchase_not_found", 404, "Purchase not found");
export const PurchaseNotRefundable = failure(
  "purchase_not_refundable",
  409,
  "Only a completed, paid purchase can be refunded",
);
export const RefundRefused = failure("refund_refused", 409, "The payment provider refused the refund");

/** When the provider is asked what became of a refund that nobody reported on. */
const firstLookMs = 60_000;

interface Desk {
  readonly db: Db;
  readonly payments: Payments;
}

/**
 * Asks the provider to pay a purchase back. The request is kept, so a call that failed is repeated by the reconciler
 * under the same idempotency key; the purchase becomes `refunded` when the provider says that the refund is processed.
 * Repeating the request moves no more money.
 * @throws PurchaseNotFound, PurchaseNotRefundable, RefundRefused, ProviderFault.
 */
export async function requestRefund(
  desk: Desk,
  purchaseId: string,
  by: { reason: string; actorId: string; requestId?: string | undefined },
): Promise<Purchase> {
  const { db } = desk;
  const found = await db.Purchase.findById(purchaseId).lean<Purchase>();
  if (!found) throw PurchaseNotFound();
  const repeated = found.status === "refunded" || found.refund?.refundId;
  if (found.refund && repeated) return found;
  if (found.status !== "completed" || !found.providerPaymentId) throw PurchaseNotRefundable();
  const refund: RefundRequest = {
    amountMinor: toMinor(found.amount) - found.refundedMinor,
    reason: by.reason,
    requestedBy: by.actorId,
    requestedAt: new Date(),
    refundId: null,
  };
  const asked = await db.transaction(async (session) => {
    const requested = await db.Purchase.findOneAndUpdate(
      { _id: found._id, status: "completed", refund: null },
      { $set: { refund, nextCheckAt: new Date(Date.now() + firstLookMs), checks: 0 } },
      { session, returnDocument: "after" },
    ).lean<Purchase>();
    if (!requested) return db.Purchase.findById(found._id).session(session).lean<Purchase>();
    await recordAudit(db, session, {
      actorId: by.actorId,
      action: "purchase.refund",
      targetKind: "purchase",
      targetId: purchaseId,
      before: { status: found.status, refundedMinor: found.refundedMinor },
      after: { reason: by.reason },
      requestId: by.requestId,
    });
    return requested;
  });
  if (!asked?.refund) throw PurchaseNotRefundable();
  if (asked.status !== "completed") return asked;
  return placeRefund(desk, asked);
}

/**
 * Places (or repeats) the refund that a purchase asks for at the provider.
 * @throws RefundRefused, and the request is withdrawn; ProviderFault, and the request stays.
 */
export async function placeRefund({ db, payments }: Desk, purchase: Purchase): Promise<Purchase> {
  const { _id, providerPaymentId: paymentId, refund } = purchase;
  if (!paymentId || !refund || refund.refundId) return purchase;
  try {
    const refundId = await payments.refund({
      paymentId,
      amountMinor: refund.amountMinor,
      idempotencyKey: `refund-${_id}`,
    });
    await db.Purchase.updateOne({ _id, refund: { $ne: null } }, { $set: { "refund.refundId": refundId } });
    return { ...purchase, refund: { ...refund, refundId } };
  } catch (error) {
    if (!(error instanceof ProviderFault) || !error.refused) throw error;
    // It also refuses what is paid back already, perhaps by an attempt whose answer was lost.
    const paidBack = await payments.refundsOfPayment(paymentId);
    const known = paidBack.find(({ amountMinor }) => amountMinor === refund.amountMinor);
    if (known) {
      await db.Purchase.updateOne({ _id, refund: { $ne: null } }, { $set: { "refund.refundId": known.id } });
      return { ...purchase, refund: { ...refund, refundId: known.id } };
    }
    await db.Purchase.updateOne(
      { _id, status: "completed", "refund.refundId": null },
      { $unset: { refund: 1, nextCheckAt: 1 } },
    );
    throw RefundRefused(error);
  }
}
