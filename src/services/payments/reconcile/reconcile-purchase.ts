import { randomUUID } from "node:crypto";
import type { Db } from "../../../db/db.js";
import { ApiError } from "../../../lib/errors.js";
import { settleEvents } from "../../../models/payments/payment-event.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import { ProviderFault } from "../../../providers/razorpay.js";
import type { ProviderOrder } from "../../../providers/razorpay-replies.js";
import { applyFoundCapture, isCaptureStored, type ProviderDeps } from "../events/payment-events.js";
import { completeByCapture, type Fulfillment } from "../fulfill-purchase.js";
import { findOrders, lockOrder, recordOrder, unlockOrder } from "../place-order.js";
import { canMove, statesAllowing } from "../purchase-states.js";
import { placeRefund, RefundRefused, recordRefunds } from "../refunds/place-refund.js";
import { isLive } from "../refunds/refund-attempts.js";
import { findOtherPayment, takeOver } from "../refunds/refund-purchase.js";
import { flagPurchase, settleFlags } from "../review-flags.js";
import { failPurchase, releaseFailed, undoCompletion } from "../unpaid-purchases.js";
import { isInTime } from "../withhold-payment.js";
import { nextCheck, nextOrphanCheck } from "./check-schedule.js";

/** The result of asking the provider about one purchase. */
export type Reconciled = "completed" | "refunded" | "needs review" | "failed" | "order found" | "unchanged" | "busy";

/**
 * Brings one purchase in line with the provider.
 *
 *   1. Without an order: the order is looked up by receipt.
 *   2. Unpaid: a captured payment of its order, or of an orphan order, completes it; otherwise it expires after a day.
 *   3. Completed by a signature alone: without a capture the purchase is flagged, and after a day it fails.
 *   4. With a refund under way: the refund is placed again, and the provider's refunds are applied.
 *   5. The next check is scheduled, after an error with a growing back-off.
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

async function ask(deps: ProviderDeps, purchase: Purchase): Promise<Reconciled> {
  if (purchase.status === "completed" || purchase.status === "refunded") return checkPaid(deps, purchase);
  const result = purchase.providerOrderId
    ? await checkPayments(deps, purchase, purchase.providerOrderId)
    : await findLostOrder(deps, purchase);
  // A payment that completed nothing may have to be paid back as well.
  if (purchase.refunds?.some(isLive)) await finishRefunds(deps, purchase);
  return result;
}

/** Step 1. */
async function findLostOrder(deps: ProviderDeps, purchase: Purchase): Promise<Reconciled> {
  const { db } = deps;
  const holder = randomUUID();
  if (canMove("placeOrder", purchase.status) && !(await lockOrder(db, purchase, holder))) return "busy";
  const [order] = await findOrders(deps.payments, purchase).finally(() => unlockOrder(db, purchase, holder));
  if (!order) return expire(deps, purchase);
  await recordOrder(db, purchase, order);
  const known = await db.Purchase.findById(purchase._id).lean<Purchase>();
  if (!known?.providerOrderId) return "unchanged";
  const result = await checkPayments(deps, known, known.providerOrderId);
  return result === "unchanged" ? "order found" : result;
}

/** Step 2. */
async function checkPayments(deps: ProviderDeps, purchase: Purchase, orderId: string): Promise<Reconciled> {
  const captured = (await deps.payments.paymentsOfOrder(orderId)).filter((payment) => payment.captured);
  let result: Reconciled | undefined;
  for (const payment of captured) {
    const completion = await completeByCapture(deps, purchase, payment, payment.orderId ?? orderId);
    result ??= completion.kind === "review" ? "needs review" : completion.kind;
    // The payment may have been captured and refunded without any event, so its refunds are read too.
    if (completion.kind !== "refunded") await recordRefunds(deps, payment.id);
  }
  if (result === "completed" || result === "refunded") return result;
  const orphan = mayHaveOrphan(purchase) ? await checkOrphanOrders(deps, purchase) : undefined;
  if (orphan && orphan.kind !== "review") return orphan.kind;
  if (orphan) result ??= "needs review";
  const expired = await expire(deps, purchase);
  return expired === "failed" ? expired : (result ?? expired);
}

/** Whether the purchase may have an order that it does not know, from a second attempt or as a payment named it. */
const mayHaveOrphan = ({ orphanCheckAt, reviewReason }: Purchase): boolean =>
  orphanCheckAt !== undefined || reviewReason !== null;

/** Fails an unfinished purchase that is a day old, and releases the coupon of a failed purchase. */
async function expire({ db }: ProviderDeps, purchase: Purchase): Promise<Reconciled> {
  if (isInTime(purchase, new Date())) return "unchanged";
  if (canMove("fail", purchase.status)) {
    const failed = await db.transaction((session) => failPurchase(db, session, purchase, "expired"));
    return failed ? "failed" : "unchanged";
  }
  if (purchase.couponUse !== undefined) await db.transaction((session) => releaseFailed(db, session, purchase));
  return "unchanged";
}

/** Steps 3 and 4. */
async function checkPaid(deps: ProviderDeps, purchase: Purchase): Promise<Reconciled> {
  const checked = purchase.signatureOnly ? await checkCapture(deps, purchase) : "captured";
  if (checked === "failed") return "failed";
  if (checked === "captured" || purchase.refunds?.some(isLive)) await finishRefunds(deps, purchase);
  if (checked === "needs review") return checked;
  const now = await deps.db.Purchase.findById(purchase._id, { status: 1 }).lean();
  return now?.status === "refunded" && purchase.status !== "refunded" ? "refunded" : "unchanged";
}

/**
 * Asks whether the payment of a purchase that a signature completed was captured. Until then the purchase is flagged, and
 * checked again for a day.
 * @returns `needs review` when the payment is not captured or does not fit; then the purchase is flagged.
 */
async function checkCapture(deps: ProviderDeps, purchase: Purchase): Promise<"captured" | "needs review" | "failed"> {
  const { _id, providerPaymentId: paymentId = "", providerOrderId = "" } = purchase;
  const { db, payments } = deps;
  const payment = (await payments.paymentsOfOrder(providerOrderId)).find(({ id }) => id === paymentId);
  if (!payment?.captured) return (await dropUncaptured(db, purchase)) ? "failed" : "needs review";
  const { kind } = await completeByCapture(deps, purchase, payment);
  await db.Purchase.updateOne({ _id }, { $unset: { signatureOnly: 1 } });
  return kind === "review" ? "needs review" : "captured";
}

/** How long a purchase that only a signature completed stays completed without a capture. */
const uncapturedLifeMs = 24 * 60 * 60_000;

/**
 * Flags a purchase that a signature completed and whose payment the provider has not captured. After a day the purchase
 * fails, unless another payment of it was captured. Then the access ends and the sale is taken out. A later capture
 * completes the purchase again.
 * @returns whether it failed.
 */
function dropUncaptured(db: Db, { _id, courseId, providerPaymentId = "" }: Purchase): Promise<boolean> {
  return db.transaction(
    async (session) => {
      await flagPurchase(db, session, _id, { reason: "not_captured", subject: providerPaymentId });
      const purchase = await db.Purchase.findOne({ _id, ...statesAllowing("undo"), signatureOnly: true })
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

/** Places refunds whose answer was lost, and applies the provider's refunds of each payment. */
async function finishRefunds(deps: ProviderDeps, purchase: Purchase): Promise<void> {
  const { _id, refunds = [], providerPaymentId } = purchase;
  const live = refunds.filter(isLive);
  for (const attempt of live.filter(({ state }) => state === "requested")) {
    await placeRefund(deps, purchase, attempt).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.id !== RefundRefused.id) throw error;
      const flag = { reason: "refund_failed", subject: attempt.reference } as const;
      await deps.db.transaction((session) => flagPurchase(deps.db, session, _id, flag));
    });
  }
  const paid = purchase.status === "completed" && providerPaymentId ? [providerPaymentId] : [];
  for (const paymentId of new Set([...paid, ...live.map((attempt) => attempt.paymentId)])) {
    await recordRefunds(deps, paymentId);
  }
}

/** Step 5. A check that was scheduled while this check ran stays. */
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

/** Checks the orphan orders of a purchase, and schedules the next check. @returns whether one was paid. */
export async function watchOrphanOrders(deps: ProviderDeps, purchase: Purchase): Promise<boolean> {
  const { _id, orphanCheckFailures = 0 } = purchase;
  let failures = orphanCheckFailures + 1;
  try {
    const result = await checkOrphanOrders(deps, purchase);
    failures = 0;
    return result !== undefined;
  } finally {
    const next = nextOrphanCheck(purchase, Date.now(), failures);
    const update =
      next === undefined
        ? { $unset: { orphanCheckAt: 1, orphanCheckFailures: 1 } }
        : { $set: { orphanCheckAt: new Date(next), orphanCheckFailures: failures } };
    await deps.db.Purchase.updateOne({ _id }, update, { timestamps: false });
  }
}

/**
 * Looks for payments of orders that the purchase does not know. The first payment completes the purchase, further payments
 * are flagged.
 * @returns the result of the last payment; undefined when there is none.
 */
async function checkOrphanOrders(deps: ProviderDeps, purchase: Purchase): Promise<Fulfillment | undefined> {
  let last: Fulfillment | undefined;
  for (const order of await findOrders(deps.payments, purchase)) {
    if (order.id !== purchase.providerOrderId) last = (await checkOrder(deps, purchase, order)) ?? last;
  }
  return last;
}

async function checkOrder(
  deps: ProviderDeps,
  { _id }: Purchase,
  order: ProviderOrder,
): Promise<Fulfillment | undefined> {
  const { db } = deps;
  let last: Fulfillment | undefined;
  for (const payment of await deps.payments.paymentsOfOrder(order.id)) {
    if (!payment.captured) continue;
    const paymentId = payment.id;
    // The order is ours by its receipt, so it is not compared with the order that the purchase knows.
    last = await completeByCapture(deps, { _id }, payment);
    if (last.kind !== "review") {
      await db.transaction(async (session) => {
        await settleEvents(db, { paymentId, reviewReason: "order_mismatch" }, "completed", session);
        await settleFlags(db, session, _id, { reasons: ["order_mismatch"] });
      });
    } else if (!(await isCaptureStored(db, paymentId))) {
      // Money that completed nothing becomes an event in review, unless an event of its capture is stored already.
      await applyFoundCapture(deps, { ...payment, orderId: order.id }, String(_id));
    }
  }
  return last;
}
