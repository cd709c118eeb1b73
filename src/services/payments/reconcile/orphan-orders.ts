import { settleEvents } from "../../../models/payments/payment-event.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import type { ProviderOrder } from "../../../providers/razorpay-replies.js";
import { applyFoundCapture, isCaptureStored, type ProviderDeps } from "../events/payment-events.js";
import { completePurchase, type Fulfillment } from "../fulfill-purchase.js";
import { findOrders } from "../place-order.js";
import { settleFlags } from "../review-flags.js";
import { nextOrphanCheck } from "./check-schedule.js";

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
export async function checkOrphanOrders(deps: ProviderDeps, purchase: Purchase): Promise<Fulfillment | undefined> {
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
  const purchaseId = String(_id);
  let last: Fulfillment | undefined;
  for (const payment of await deps.payments.paymentsOfOrder(order.id)) {
    if (!payment.captured) continue;
    const { id: paymentId, amountMinor: amount, currency, paidAt } = payment;
    // The order is ours by its receipt, so it is not compared with the order that the purchase knows.
    const capture = { purchaseId, paymentId, amount, currency, paidAt, proof: "capture", eventKey: null } as const;
    last = await completePurchase(deps, capture);
    if (last.kind !== "review") {
      await db.transaction(async (session) => {
        await settleEvents(db, { paymentId, reviewReason: "order_mismatch" }, "completed", session);
        await settleFlags(db, session, _id, { reasons: ["order_mismatch"] });
      });
    } else if (!(await isCaptureStored(db, paymentId))) {
      // Money that completed nothing becomes an event in review, unless an event of its capture is stored already.
      await applyFoundCapture(deps, { ...payment, orderId: order.id }, purchaseId);
    }
  }
  return last;
}
