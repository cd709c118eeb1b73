import type { ClientSession } from "mongoose";
import type { Db } from "../../../db/db.js";
import { BrokenRule, failure } from "../../../lib/errors.js";
import { findPayment } from "../../../models/payments/payment.js";
import type { Purchase, RefundAttempt } from "../../../models/payments/purchase.js";
import { type Actor, audited } from "../../audit/record-audit.js";
import { isLive, isPaid } from "../facts.js";
import { hasOpenChargeback, isPaidBack } from "../position.js";
import { type ProviderDeps, settle } from "../settle-purchase.js";
import { type PlacedRefund, placeRefund } from "./place-refund.js";

export const PurchaseNotFound = failure("purchase_not_found", 404, "Purchase not found");
export const PurchaseNotRefundable = failure(
  "purchase_not_refundable",
  409,
  "Only a completed, paid purchase can be refunded",
);

/** The money would leave twice. */
export const PaymentDisputed = failure("payment_disputed", 409, "Payment is disputed");

/** When the provider is asked for the result of a refund that no event has reported. */
const firstCheckAfterMs = 60_000;

interface RefundOrder {
  /** One of the purchase's payments; when absent, the payment that completed it. */
  readonly paymentId?: string | undefined;
  readonly reason: string;
  readonly by: Actor;
}

/**
 * Asks the provider to pay a payment of a purchase back.
 *
 *   1. The attempt is stored with a new reference. A live attempt is used instead, so that money moves once.
 *   2. The attempt is placed at the provider (placeRefund). The reconciler repeats a failed call under the same reference.
 *   3. The purchase becomes `refunded` when the provider says that the refund of its completing payment is processed.
 * @throws PurchaseNotFound, PurchaseNotRefundable, InvalidRequest (not a payment of this purchase), PaymentDisputed,
 *   RefundRefused, ProviderFault.
 */
export async function requestRefund(deps: ProviderDeps, purchaseId: string, order: RefundOrder): Promise<PlacedRefund> {
  const { db } = deps;
  const found = await db.Purchase.findById(purchaseId).lean<Purchase>();
  if (!found) throw PurchaseNotFound();
  const paymentId = await paymentOf(db, found, order.paymentId);
  const stored = await db.transaction((session) => storeAttempt(deps, session, found, paymentId, order));
  if (stored.attempt.state !== "requested") return { purchase: stored.purchase, refundId: stored.attempt.refundId };
  return placeRefund(deps, stored.purchase, stored.attempt);
}

/** Returns the payment to pay back. */
async function paymentOf(db: Db, purchase: Purchase, named: string | undefined): Promise<string> {
  const { _id, providerPaymentId, refunds = [], formerPaymentIds = [] } = purchase;
  if (named === undefined || named === providerPaymentId) {
    if (!isPaid(purchase) || !providerPaymentId) throw PurchaseNotRefundable();
    // After a refund, another payment may have taken over. A repeated request must not pay that payment back as well.
    const last = refunds.at(-1)?.paymentId;
    return named === undefined && last !== undefined && formerPaymentIds.includes(last) ? last : providerPaymentId;
  }
  const payment = await findPayment(db, named);
  const isItsOwn = payment?.purchaseId?.equals(_id) && (payment.captured || payment.signed);
  if (!isItsOwn) throw BrokenRule("body.paymentId: not a payment of the purchase");
  return named;
}

/**
 * Returns the live attempt of the payment, or stores a new attempt. A payment that was paid back needs no attempt. An attempt
 * that paid a part back does not prevent another attempt for the rest.
 */
async function storeAttempt(
  deps: ProviderDeps,
  session: ClientSession,
  { _id: purchaseId, status, refundedMinor }: Purchase,
  paymentId: string,
  { reason, by }: RefundOrder,
): Promise<{ purchase: Purchase; attempt: RefundAttempt }> {
  const { db } = deps;
  let attempt: RefundAttempt | undefined;
  let isNew = false;
  const add: Parameters<typeof settle>[3] = ({ purchase, payments }) => {
    const { refunds: attempts = [] } = purchase;
    const last = attempts.findLast((one) => one.paymentId === paymentId);
    const fresh: RefundAttempt = {
      // Never used before, and at most 40 characters.
      reference: `refund-${purchaseId}-${attempts.length + 1}`,
      paymentId,
      amountMinor: null,
      state: "requested",
      reason,
      requestedBy: by.userId,
      requestedAt: new Date(),
      refundId: null,
    };
    const payment = payments.find(({ _id }) => _id === paymentId);
    const isDone = payment !== undefined && isPaidBack(purchase, payment);
    isNew = !isDone && !(last && isLive(last));
    const wouldPay = isNew || (!isDone && last?.state === "requested");
    if (wouldPay && payment && hasOpenChargeback(payment)) throw PaymentDisputed();
    attempt = isDone ? { ...(last ?? fresh), state: "placed" } : isNew ? fresh : last;
    if (!isNew) return { purchase, payments };
    const nextCheckAt = new Date(Date.now() + firstCheckAfterMs);
    return { purchase: { ...purchase, refunds: [...attempts, fresh], nextCheckAt, checks: 0 }, payments };
  };
  const settled = await settle(deps, session, purchaseId, add, { paymentId });
  if (!settled || !attempt) throw PurchaseNotFound();
  if (!isNew) return { purchase: settled.purchase, attempt };
  await audited(db, session, by, "purchase.refund", ["purchase", purchaseId], {
    before: { status, refundedMinor },
    after: { reason, paymentId },
  });
  return { purchase: settled.purchase, attempt };
}
