import { randomUUID } from "node:crypto";
import { ApiError } from "../../../lib/errors.js";
import { type Purchase, unpaidStates } from "../../../models/payments/purchase.js";
import { findPurchase } from "../../../models/payments/purchase-queries.js";
import { ProviderFault } from "../../../providers/razorpay.js";
import type { ProviderPayment } from "../../../providers/razorpay-replies.js";
import { closed, flagged, isInTime, isLive, isUnfinished, withoutCapture } from "../facts.js";
import { findOrders, lockOrder, recordOrder, unlockOrder } from "../place-order.js";
import { mayHaveSecondOrder } from "../position.js";
import { outcomeOf, recordProof } from "../record-proof.js";
import { placeRefund, RefundRefused } from "../refunds/place-refund.js";
import { recordRefundsOf } from "../refunds/record-refund.js";
import { saleTransaction } from "../sale-transaction.js";
import { type ProviderDeps, settlePayment, settlePurchase } from "../settle-purchase.js";
import { nextCheck } from "./check-schedule.js";

/** The result of asking the provider about one purchase. */
export type Reconciled = "completed" | "refunded" | "needs review" | "failed" | "order found" | "unchanged" | "busy";

/**
 * Brings one purchase in line with the provider, and schedules its next check, after an error with a growing back-off.
 * @throws ProviderFault when the provider did not answer.
 */
export async function reconcilePurchase(deps: ProviderDeps, purchase: Purchase): Promise<Reconciled> {
  try {
    const result = await ask(deps, purchase);
    await scheduleNext(deps, purchase, 0);
    return result;
  } catch (error) {
    // An order that the provider no longer knows does not delay the end of the purchase. A provider that does not answer
    // does not delay the release of a failed purchase's coupon. An error here is left to the next check.
    const isRefused = error instanceof ProviderFault && error.refused;
    if (isRefused || purchase.status === "failed") await expire(deps, purchase).catch(() => undefined);
    await scheduleNext(deps, purchase, (purchase.checkFailures ?? 0) + 1);
    throw error;
  }
}

/**
 * Asks what the provider knows of a purchase that we do not. Its answers are facts as events report them: captures, a missing
 * capture and refunds.
 */
async function ask(deps: ProviderDeps, purchase: Purchase): Promise<Reconciled> {
  const { _id, status: was, refunds = [] } = purchase;
  const known = purchase.providerOrderId ? purchase : await findLostOrder(deps, purchase);
  if (known === "busy") return "busy";
  const { providerOrderId: orderId, signatureOnly } = known;
  const isUnpaid = unpaidStates.includes(was);
  let result: Reconciled | undefined;
  if (orderId && (isUnpaid || signatureOnly)) result = await askForPayments(deps, known, orderId);
  const isUncaptured = signatureOnly && result === "needs review";
  if (refunds.some(isLive) || (!isUnpaid && !isUncaptured)) await askForRefunds(deps, known);
  if (isUnpaid && isSold(result)) return result;
  if (mayHaveOtherOrder(known)) {
    const other = await askForOtherOrders(deps, known);
    if (isUnpaid && isSold(other)) return other;
    result ??= other;
  }
  const now = await findPurchase(deps.db, { _id });
  if (!isUnpaid && now?.status !== was && (now?.status === "refunded" || now?.status === "failed")) return now.status;
  if (now && (await expire(deps, now))) return "failed";
  // A watched purchase may have been flagged long ago.
  const isNews = isUnpaid || signatureOnly || now?.reviewReason !== purchase.reviewReason;
  if (result === "needs review" && isNews) return result;
  return known === purchase || !orderId ? "unchanged" : "order found";
}

/** Looks up the order of a purchase by its receipt. @returns the purchase, with its order when there is one. */
async function findLostOrder(deps: ProviderDeps, purchase: Purchase): Promise<Purchase | "busy"> {
  const { db } = deps;
  const { _id, status } = purchase;
  if (!unpaidStates.includes(status)) return purchase;
  const holder = randomUUID();
  if (status === "created" && !(await lockOrder(db, purchase, holder))) return "busy";
  const [order] = await findOrders(deps.payments, purchase).finally(() => unlockOrder(db, purchase, holder));
  if (!order) return purchase;
  await recordOrder(deps, purchase, order);
  return (await findPurchase(db, { _id })) ?? purchase;
}

/**
 * Records the captured payments of the order, and that the signed payment is missing among them. A payment may have been
 * captured and refunded without any event, so its refunds are read too.
 * @returns what became of the signed payment, or of the first one; undefined without any.
 */
async function askForPayments(
  deps: ProviderDeps,
  purchase: Purchase,
  orderId: string,
): Promise<Reconciled | undefined> {
  const { _id, signatureOnly, providerPaymentId: paymentId } = purchase;
  const captured = (await deps.payments.paymentsOfOrder(orderId)).filter((payment) => payment.captured);
  let result: Reconciled | undefined;
  for (const payment of captured) {
    const outcome = await recordAnswer(deps, purchase, payment, payment.orderId ?? orderId);
    if (!signatureOnly || payment.id === paymentId) result ??= outcome;
    if (!signatureOnly) await recordRefundsOf(deps, purchase, payment.id);
  }
  if (!signatureOnly || !paymentId || captured.some(({ id }) => id === paymentId)) return result;
  await saleTransaction(deps.db, purchase, (session) =>
    settlePayment(deps, session, { paymentId, eventKey: null }, ({ payment, purchase: signed }) => ({
      payment: signed ? withoutCapture(payment, signed) : payment,
      purchase: signed,
    })),
  );
  return "needs review";
}

/** Records a capture that the provider named. @param orderId undefined: its order is ours, and is not compared. */
async function recordAnswer(
  deps: ProviderDeps,
  purchase: Purchase,
  { id: paymentId, amountMinor: amount, currency, paidAt }: ProviderPayment,
  orderId?: string,
): Promise<Reconciled> {
  const report = { paymentId, orderId, amount, currency, paidAt, proof: "capture", eventKey: null } as const;
  const settled = await saleTransaction(deps.db, purchase, (session) =>
    recordProof(deps, session, purchase._id, report),
  );
  const outcome = outcomeOf(settled);
  return outcome === "completed" || outcome === "refunded" ? outcome : "needs review";
}

const isSold = (result: Reconciled | undefined) => result === "completed" || result === "refunded";

/** Whether the purchase may have an order that it does not know, from a second attempt or as a payment named it. */
const mayHaveOtherOrder = (purchase: Purchase): boolean =>
  mayHaveSecondOrder(purchase, Date.now()) ||
  (purchase.reviews ?? []).some(({ reason, state }) => reason === "order_mismatch" && state === "open");

/**
 * Fails an unfinished purchase that is a day old. A failed one gives up the coupon that it still holds.
 * @returns whether it failed now.
 */
async function expire(deps: ProviderDeps, purchase: Purchase): Promise<boolean> {
  const isHeld = isUnfinished(purchase) || purchase.couponUse !== undefined;
  if (!isHeld || isInTime(purchase, new Date())) return false;
  const settled = await settlePurchase(deps, purchase, (known) => closed(known, "expired"));
  return settled?.purchase.status === "failed" && settled.was !== "failed";
}

/** Places refunds whose answer was lost, and applies the provider's refunds of each payment. */
async function askForRefunds(deps: ProviderDeps, purchase: Purchase): Promise<void> {
  const { _id, status, refunds = [], providerPaymentId } = purchase;
  const live = refunds.filter(isLive);
  for (const attempt of live.filter(({ state }) => state === "requested")) {
    await placeRefund(deps, purchase, attempt).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.id !== RefundRefused.id) throw error;
      const flag = { reason: "refund_failed", subject: attempt.reference, eventKey: null } as const;
      await settlePurchase(deps, purchase, (known) => flagged(known, flag));
    });
  }
  const paid = status === "completed" && providerPaymentId ? [providerPaymentId] : [];
  for (const paymentId of new Set([...paid, ...live.map((attempt) => attempt.paymentId)])) {
    await recordRefundsOf(deps, purchase, paymentId);
  }
}

/** A check that was scheduled while this check ran stays. */
async function scheduleNext({ db }: ProviderDeps, begun: Purchase, failures: number): Promise<void> {
  const { _id } = begun;
  const purchase = await db.Purchase.findById(_id).lean<Purchase>();
  if (!purchase) return;
  const { status, nextCheckAt = null } = purchase;
  if (status === begun.status && nextCheckAt && begun.nextCheckAt && nextCheckAt > begun.nextCheckAt) return;
  const next = nextCheck(purchase, Date.now(), failures);
  await db.Purchase.updateOne(
    { _id, status, nextCheckAt },
    next === undefined
      ? { $unset: { nextCheckAt: 1, checkFailures: 1 } }
      : { $set: { nextCheckAt: new Date(next), checkFailures: failures }, $inc: { checks: 1 } },
    { timestamps: false },
  );
}

/*
 * The provider may create an order after our deadline and after our look-up by its receipt. The next attempt then creates a
 * second order. A learner who pays either order has paid for the purchase; a learner who pays both has paid twice.
 */

/**
 * Looks for payments of orders that the purchase does not know. They are ours by their receipt.
 * @returns what became of the last payment; undefined without any.
 */
async function askForOtherOrders(deps: ProviderDeps, purchase: Purchase): Promise<Reconciled | undefined> {
  const { providerOrderId } = purchase;
  let last: Reconciled | undefined;
  for (const order of await findOrders(deps.payments, purchase)) {
    if (order.id === providerOrderId) continue;
    for (const payment of await deps.payments.paymentsOfOrder(order.id)) {
      if (payment.captured) last = await recordAnswer(deps, purchase, payment);
    }
  }
  return last;
}
