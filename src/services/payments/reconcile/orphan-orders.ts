import type { Db } from "../../../db/db.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import type { Payments } from "../../../providers/razorpay.js";
import type { ProviderOrder } from "../../../providers/razorpay-replies.js";
import { applyFoundCapture, isCaptureStored, type PaymentEventDeps } from "../events/payment-events.js";
import { completePurchase, type Fulfillment } from "../fulfill-purchase.js";
import { ordersOf } from "../place-order.js";
import { settleFlags } from "../review-flags.js";

/*
 * An order can come into being at the provider after both our deadline and our look by its receipt: the next attempt
 * then makes a second one. A learner who pays either of them has paid for the purchase; one who pays both has paid once
 * too often.
 */

type OrphanDeps = PaymentEventDeps & { readonly payments: Payments };

/**
 * Looks for payments on orders of a purchase other than the one it knows, and completes it by the first, flags the
 * others.
 * @returns the result of the last of them; undefined when there is none.
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

/** What was flagged because the order was not known needs no review any more. */
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
