import { randomUUID } from "node:crypto";
import { type Purchase, unfinishedStates } from "../../models/purchase.js";
import type { Payments } from "../../providers/razorpay.js";
import { failPurchase } from "./fail-purchase.js";
import { completePurchase } from "./fulfill-purchase.js";
import { purchaseLifeMs } from "./open-purchase.js";
import { checkStrayOrders } from "./orphan-orders.js";
import { type Ledger, processPaymentEvent, storePaymentEvent } from "./payment-events.js";
import { claimOrder, findOrder, freeOrder, recordOrder } from "./place-order.js";
import { placeRefund } from "./request-refund.js";

export type Desk = Ledger & { readonly payments: Payments };

/** What asking the provider about one purchase came to. */
export type Reconciled = "completed" | "refunded" | "needs review" | "failed" | "order found" | "unchanged" | "busy";

/** For how long a capture may still turn up after a purchase was given up. */
const lateCaptureMs = 3 * 24 * 60 * 60_000;
const pauses = { firstMs: 2 * 60_000, longestMs: 60 * 60_000 };

/**
 * Asks the provider what became of one purchase and acts on the answer: finds a lost order, completes a captured
 * payment whose webhook never came, gives up an expired purchase, repeats and settles a refund. Then sets the next time
 * to ask.
 * @throws ProviderFault when the provider did not answer; the next time is set all the same.
 */
export async function reconcilePurchase(desk: Desk, purchase: Purchase): Promise<Reconciled> {
  try {
    return await ask(desk, purchase);
  } finally {
    await scheduleNext(desk, purchase._id);
  }
}

async function ask(desk: Desk, purchase: Purchase): Promise<Reconciled> {
  if (purchase.status === "completed") return settleRefund(desk, purchase);
  if (purchase.status === "refunded") return "unchanged";
  if (!purchase.providerOrderId) return findLostOrder(desk, purchase);
  return checkPayments(desk, purchase, purchase.providerOrderId);
}

async function findLostOrder(desk: Desk, purchase: Purchase): Promise<Reconciled> {
  const { db } = desk;
  const holder = randomUUID();
  const open = purchase.status === "created";
  if (open && !(await claimOrder(db, purchase, holder))) return "busy";
  const order = await findOrder(desk, purchase).finally(() => freeOrder(db, purchase, holder));
  if (!order) return expire(desk, purchase);
  await recordOrder(db, purchase, order);
  const known = await db.Purchase.findById(purchase._id).lean<Purchase>();
  if (!known?.providerOrderId) return "unchanged";
  const result = await checkPayments(desk, known, known.providerOrderId);
  return result === "unchanged" ? "order found" : result;
}

async function checkPayments(desk: Desk, purchase: Purchase, orderId: string): Promise<Reconciled> {
  const captured = (await desk.payments.paymentsOfOrder(orderId)).filter((payment) => payment.captured);
  let result: Reconciled | undefined;
  for (const payment of captured) {
    const completion = await completePurchase(desk.db, {
      purchaseId: String(purchase._id),
      paymentId: payment.id,
      orderId: payment.orderId ?? orderId,
      amount: payment.amountMinor,
      currency: payment.currency,
    });
    result ??= completion.kind === "review" ? "needs review" : completion.kind;
    // Captured and refunded without a message to us: the refunds have to be known too.
    if (completion.kind === "completed") await recordRefunds(desk, payment.id);
  }
  if (result === "completed" || result === "refunded") return result;
  const stray = await checkStrayOrders(desk, purchase);
  if (stray && stray.kind !== "review") return stray.kind;
  if (stray) result ??= "needs review";
  const given = await expire(desk, purchase);
  return given === "failed" ? given : (result ?? given);
}

async function expire({ db }: Desk, { _id, status, createdAt }: Purchase): Promise<Reconciled> {
  const expired = Date.now() - createdAt.getTime() > purchaseLifeMs;
  if (!expired || !unfinishedStates.includes(status)) return "unchanged";
  return (await failPurchase(db, _id)) ? "failed" : "unchanged";
}

async function settleRefund(desk: Desk, purchase: Purchase): Promise<Reconciled> {
  if (!purchase.providerPaymentId) return "unchanged";
  if (purchase.refund) await placeRefund(desk, purchase);
  await recordRefunds(desk, purchase.providerPaymentId);
  const now = await desk.db.Purchase.findById(purchase._id, { status: 1 }).lean();
  return now?.status === "refunded" ? "refunded" : "unchanged";
}

/** Writes refunds that the provider names into the ledger and applies them, as their webhook would have been. */
async function recordRefunds(desk: Desk, paymentId: string): Promise<void> {
  for (const { id, amountMinor } of await desk.payments.refundsOfPayment(paymentId)) {
    const known = { paymentId, event: "refund.processed", refundId: id, amountMinor };
    if (await desk.db.PaymentEvent.exists(known)) continue;
    const refund = { entity: { id, amount: amountMinor, payment_id: paymentId } };
    const body = Buffer.from(JSON.stringify({ event: "refund.processed", payload: { refund } }));
    await processPaymentEvent(desk, await storePaymentEvent(desk, body, null));
  }
}

/**
 * With growing pauses; an unfinished purchase is asked about once more when it expires, a failed one for three days.
 */
async function scheduleNext({ db }: Desk, purchaseId: Purchase["_id"]): Promise<void> {
  const purchase = await db.Purchase.findById(purchaseId).lean<Purchase>();
  if (!purchase) return;
  const { _id, status, createdAt, checks } = purchase;
  const now = Date.now();
  const usual = now + Math.min(pauses.firstMs * 2 ** Math.min(checks, 10), pauses.longestMs);
  const expiry = createdAt.getTime() + purchaseLifeMs + 1_000;
  const unfinished = unfinishedStates.includes(status);
  const next = unfinished && now < expiry ? Math.min(usual, expiry) : usual;
  const done =
    status === "refunded" ||
    (status === "completed" && !purchase.refund) ||
    (status === "failed" && now > createdAt.getTime() + lateCaptureMs);
  await db.Purchase.updateOne(
    { _id, status },
    done ? { $unset: { nextCheckAt: 1 } } : { $set: { nextCheckAt: new Date(next) }, $inc: { checks: 1 } },
    { timestamps: false },
  );
}
