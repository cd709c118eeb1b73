import type { ClientSession } from "mongoose";
import type { Db } from "../../../db/db.js";
import { BrokenRule, failure } from "../../../lib/errors.js";
import { findPayment, isPaymentOf } from "../../../models/payments/payment.js";
import type { Purchase, RefundAttempt } from "../../../models/payments/purchase.js";
import { findPurchase } from "../../../models/payments/purchase-queries.js";
import { recordAudit } from "../../audit/record-audit.js";
import type { ProviderDeps } from "../events/payment-events.js";
import { toMinor } from "../price.js";
import { type PlacedRefund, placeRefund } from "./place-refund.js";
import { isLive } from "./refund-attempts.js";

export const PurchaseNotFound = failure("purchase_not_found", 404, "Purchase not found");
export const PurchaseNotRefundable = failure(
  "purchase_not_refundable",
  409,
  "Only a completed, paid purchase can be refunded",
);

/** When the provider is asked for the result of a refund that no event has reported. */
const firstCheckAfterMs = 60_000;

interface RefundOrder {
  /** One of the purchase's payments; when absent, the payment that completed it. */
  readonly paymentId?: string | undefined;
  readonly reason: string;
  readonly actorId: string;
  readonly requestId?: string | undefined;
}

/**
 * Asks the provider to pay a payment of a purchase back.
 *
 *   1. The attempt is stored with a new reference. A live attempt is used instead, so that money moves once.
 *   2. The attempt is placed at the provider (placeRefund). The reconciler repeats a failed call under the same reference.
 *   3. The purchase becomes `refunded` when the provider says that the refund of its completing payment is processed.
 * @throws PurchaseNotFound, PurchaseNotRefundable, InvalidRequest (not a payment of this purchase), RefundRefused,
 *   ProviderFault.
 */
export async function requestRefund(deps: ProviderDeps, purchaseId: string, order: RefundOrder): Promise<PlacedRefund> {
  const { db } = deps;
  const found = await db.Purchase.findById(purchaseId).lean<Purchase>();
  if (!found) throw PurchaseNotFound();
  const paymentId = await paymentOf(db, found, order.paymentId);
  const stored = await db.transaction((session) => storeAttempt(db, session, found._id, paymentId, order));
  if (stored.attempt.state !== "requested") return { purchase: stored.purchase, refundId: stored.attempt.refundId };
  return placeRefund(deps, stored.purchase, stored.attempt);
}

/** Returns the payment to pay back. */
async function paymentOf(db: Db, purchase: Purchase, named: string | undefined): Promise<string> {
  const { _id, providerPaymentId, status, refunds = [], formerPaymentIds = [] } = purchase;
  if (named === undefined || named === providerPaymentId) {
    const paid = status === "completed" || status === "refunded";
    if (!paid || !providerPaymentId) throw PurchaseNotRefundable();
    // After a refund, another payment may have taken over. A repeated request must not pay that payment back as well.
    const last = refunds.at(-1)?.paymentId;
    return named === undefined && last !== undefined && formerPaymentIds.includes(last) ? last : providerPaymentId;
  }
  if (!(await isPaymentOf(db, named, _id))) throw BrokenRule("body.paymentId: not a payment of the purchase");
  return named;
}

/**
 * Returns the live attempt of the payment, or stores a new attempt. A payment that was paid back needs no attempt. An attempt
 * that paid a part back does not prevent another attempt for the rest.
 */
async function storeAttempt(
  db: Db,
  session: ClientSession,
  purchaseId: Purchase["_id"],
  paymentId: string,
  { reason, actorId, requestId }: RefundOrder,
): Promise<{ purchase: Purchase; attempt: RefundAttempt }> {
  const purchase = await findPurchase(db, { _id: purchaseId }, session);
  if (!purchase) throw PurchaseNotFound();
  const { refunds: attempts = [] } = purchase;
  const last = attempts.findLast((one) => one.paymentId === paymentId);
  const attempt: RefundAttempt = {
    // Never used before, and at most 40 characters.
    reference: `refund-${purchaseId}-${attempts.length + 1}`,
    paymentId,
    amountMinor: null,
    state: "requested",
    reason,
    requestedBy: actorId,
    requestedAt: new Date(),
    refundId: null,
  };
  const payment = await findPayment(db, paymentId, session);
  const whole = payment?.amountMinor ?? toMinor(purchase.amount, purchase.currency);
  const refunded = purchase.status === "refunded" && purchase.providerPaymentId === paymentId;
  if (refunded || (payment && payment.refundedMinor >= whole)) {
    return { purchase, attempt: { ...(last ?? attempt), state: "placed" } };
  }
  if (last && isLive(last)) return { purchase, attempt: last };
  const updated = { refunds: [...attempts, attempt], nextCheckAt: new Date(Date.now() + firstCheckAfterMs), checks: 0 };
  await db.Purchase.updateOne({ _id: purchaseId }, { $set: updated }, { session });
  await recordAudit(db, session, {
    actorId,
    action: "purchase.refund",
    targetKind: "purchase",
    targetId: String(purchaseId),
    requestId,
    before: { status: purchase.status, refundedMinor: purchase.refundedMinor },
    after: { reason, paymentId },
  });
  return { purchase: { ...purchase, ...updated }, attempt };
}
