import type { Db } from "../../../db/db.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import type { Payments } from "../../../providers/razorpay.js";
import type { ProviderOrder } from "../../../providers/razorpay-replies.js";
import { applyFoundCapture, isCaptureStored, type PaymentEventDeps } from "../events/payment-events.js";
import { completePurchase, type Fulfillment } from "../fulfill-purchase.js";
import { ordersOf } from "../place-order.js";
import { settleFlags } from "../review-flags.js";

/*
 * The provider may create an order after our deadline and after our look-up by its receipt. The next attempt then creates a
 * second order. A learner who pays either order has paid for the purchase; a learner who pays both has paid twice.
 */

type OrphanDeps = PaymentEventDeps & { readonly payments: Payments };

/**
 * Looks for payments of orders that the purchase does not know. The first payment completes the purchase, further payments
 * are flagged.
 * @returns the result of the last payment; undefined when there is none.
 */
export async function checkOrphanOrders(deps: OrphanDeps, purchase: Purchase): Promise<Fulfillment | undefined> {
  let last: Fulfillment | undefined;
  for (const order of await ordersOf(deps, purchase)) {
    if (order.id !== purchase.providerOrderId) last = (await checkOrder(deps, purchase, order)) ?? last;
  }
  return last;
}

async function checkOrder(deps: OrphanDeps, { _id }: Purchase, order: ProviderOrder): Promise<Fulfillment | undefined> {
  let last: Fulfillment | undefined;
  for (const payment of await deps.payments.paymentsOfOrder(order.id)) {
    if (!payment.captured) continue;
    const { currency, paidAt } = payment;
    const reported = { purchaseId: String(_id), paymentId: payment.id, amount: payment.amountMinor, currency, paidAt };
    // The order is ours by its receipt, so it is not compared with the order that the purchase knows.
    last = await completePurchase(deps, { ...reported, proof: "capture", eventKey: null });
    if (last.kind !== "review") await settleMismatch(deps.db, _id, payment.id);
    // Money that completed nothing becomes an event in review, unless an event of its capture is stored already.
    else if (!(await isCaptureStored(deps.db, payment.id))) {
      await applyFoundCapture(deps, { ...reported, orderId: order.id });
    }
  }
  return last;
}

/** Settles the flag and the events about an order that was not known. */
async function settleMismatch(db: Db, purchaseId: Purchase["_id"], paymentId: string): Promise<void> {
  const reviewReason = "order_mismatch";
  await db.transaction(async (session) => {
    await db.PaymentEvent.updateMany(
      { paymentId, state: "review", reviewReason },
      { $set: { state: "processed", outcome: "completed", reviewReason: null } },
      { session },
    );
    await settleFlags(db, session, purchaseId, { reasons: [reviewReason] }, null);
  });
}
