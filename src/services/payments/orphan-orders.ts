import type { Db } from "../../db/db.js";
import type { Purchase } from "../../models/purchase.js";
import type { Payments, ProviderOrder } from "../../providers/razorpay.js";
import { captureFound } from "./apply-payment-event.js";
import { completePurchase, type Fulfillment } from "./fulfill-purchase.js";
import { type Ledger, processPaymentEvent, storePaymentEvent } from "./payment-events.js";
import { ordersOf } from "./place-order.js";

/*
 * An order can come into being at the provider after both our deadline and our look by its receipt: the next attempt
 * then makes a second one. A learner who pays either of them has paid for the purchase; who pays both has paid once too
 * often.
 */

type Desk = Ledger & { readonly payments: Payments };

/** For how long a stray order is asked about, and the first pause. */
const watchedMs = 3 * 24 * 60 * 60_000;
const firstPauseMs = 5 * 60_000;

/**
 * Looks for payments on orders of a purchase other than the one it knows, and completes it by the first, flags the
 * others.
 * @returns what the last of them came to; undefined when there is none.
 */
export async function checkStrayOrders(desk: Desk, purchase: Purchase): Promise<Fulfillment | undefined> {
  let last: Fulfillment | undefined;
  for (const order of await ordersOf(desk, purchase)) {
    if (order.id !== purchase.providerOrderId) last = (await checkStray(desk, purchase, order)) ?? last;
  }
  return last;
}

async function checkStray(desk: Desk, { _id }: Purchase, order: ProviderOrder): Promise<Fulfillment | undefined> {
  let last: Fulfillment | undefined;
  for (const payment of await desk.payments.paymentsOfOrder(order.id)) {
    if (!payment.captured) continue;
    const capture = { purchaseId: String(_id), paymentId: payment.id, amount: payment.amountMinor };
    // The order is ours by its receipt: it is not compared with the one that we know.
    last = await completePurchase(desk.db, { ...capture, currency: payment.currency });
    if (last.kind === "review") await writeDown(desk, capture, order.id);
    else await unflag(desk.db, _id, payment.id);
  }
  return last;
}

/** Money that completed nothing is a row of the ledger, unless its webhook is one already. */
async function writeDown(
  desk: Desk,
  { purchaseId, paymentId, amount }: { purchaseId: string; paymentId: string; amount: number },
  orderId: string,
): Promise<void> {
  const told = { paymentId, event: { $in: ["payment.captured", captureFound] } };
  if (await desk.db.PaymentEvent.exists(told)) return;
  const entity = { id: paymentId, order_id: orderId, amount, notes: { purchaseId } };
  const body = Buffer.from(JSON.stringify({ event: captureFound, payload: { payment: { entity } } }));
  await processPaymentEvent(desk, await storePaymentEvent(desk, body, null));
}

/** What was flagged for want of knowing the order is settled. */
async function unflag(db: Db, purchaseId: Purchase["_id"], paymentId: string): Promise<void> {
  const reviewReason = "order_mismatch";
  await db.PaymentEvent.updateMany(
    { paymentId, state: "review", reviewReason },
    { $set: { state: "processed", outcome: "completed", reviewReason: null } },
  );
  await db.Purchase.updateOne({ _id: purchaseId, reviewReason }, { $set: { reviewReason: null } });
}

/**
 * Asks about purchases that may have two orders, whatever became of them.
 * @returns how many had a payment on a stray one.
 */
export async function watchStrayOrders(
  desk: Desk,
  { all, signal, limit }: { all: boolean; signal?: AbortSignal | undefined; limit: number },
): Promise<number> {
  const due = { strayCheckAt: all ? { $gt: new Date(0) } : { $lte: new Date() } };
  const purchases = await desk.db.Purchase.find(due)
    .sort({ strayCheckAt: 1 })
    .limit(all ? 0 : limit)
    .lean<Purchase[]>();
  let found = 0;
  for (const purchase of purchases) {
    if (signal?.aborted) break;
    if (await checkStrayOrders(desk, purchase)) found += 1;
    await scheduleNext(desk.db, purchase);
  }
  return found;
}

/** Pauses grow with the purchase's age. */
async function scheduleNext(db: Db, { _id, createdAt }: Purchase): Promise<void> {
  const age = Date.now() - createdAt.getTime();
  const next = new Date(Date.now() + Math.max(firstPauseMs, age / 2));
  const update = age > watchedMs ? { $unset: { strayCheckAt: 1 } } : { $set: { strayCheckAt: next } };
  await db.Purchase.updateOne({ _id }, update, { timestamps: false });
}
