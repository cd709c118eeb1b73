import type { QueryFilter } from "mongoose";
import type { Db } from "../db/db.js";
import { isObjectId } from "../http/fields.js";
import type { PaymentEvent } from "../models/payment-event.js";
import { type Purchase, unfinishedStates } from "../models/purchase.js";
import { atTheDesk } from "./apply-desk.js";
import { applyPurchase } from "./apply-purchase.js";
import { completePurchase } from "./complete-purchase.js";
import { failPurchase } from "./fail-purchase.js";
import { type ReadEvent, readPaymentEvent } from "./read-payment-event.js";
import { paidBackMinor, refundIfPaidBack } from "./refund-purchase.js";

/** What an event came to. `pending`: it waits for another event. */
export type EventEffect = Pick<PaymentEvent, "state" | "outcome" | "reviewReason">;

/**
 * A checkout that the browser proved by its signature and that completed nothing: written into the ledger by ourselves.
 */
export const checkoutVerified = "lyceum.checkout_verified";
/** A capture that the provider named when it was asked, and that completed nothing: written by ourselves as well. */
export const captureFound = "lyceum.capture_found";

const processed = (outcome: string): EventEffect => ({ state: "processed", outcome, reviewReason: null });
const review = (reviewReason: NonNullable<PaymentEvent["reviewReason"]>): EventEffect => ({
  state: "review",
  outcome: "needs review",
  reviewReason,
});

/**
 * Runs the effect of one stored event (contract, webhooks). Idempotent: redelivery, sweep and an operator's replay all
 * come here, in any order and at once.
 */
export async function applyPaymentEvent(
  db: Db,
  body: Buffer,
  { first = false }: { first?: boolean } = {},
): Promise<EventEffect> {
  const read = readPaymentEvent(body);
  if (!read.readable) return review("unreadable");
  switch (read.event) {
    case "payment.captured":
    case checkoutVerified:
    case captureFound:
      return captured(db, read, first);
    case "payment.failed":
      return failed(db, read);
    case "refund.processed":
      return refunded(db, read);
    case "order.paid":
      return orderPaid(db, read);
    default:
      return processed("no effect");
  }
}

async function captured(db: Db, read: ReadEvent, first: boolean): Promise<EventEffect> {
  const { paymentId, purchaseId, orderId, amount, currency } = read;
  if (paymentId === undefined) return review("unknown_purchase");
  if (purchaseId === undefined) {
    // Money without our note: nothing is completed on its word, but the provider is asked about the order.
    if (orderId !== undefined) await askSoon(db, { providerOrderId: orderId });
    return review("unknown_purchase");
  }
  const completion = await completePurchase(db, { purchaseId, paymentId, orderId, amount, currency }, { first });
  if (completion.kind !== "review") return processed(completion.kind);
  // An order that we do not know may be ours all the same, made after we had given it up.
  if (completion.reason === "order_mismatch") await askSoon(db, { _id: purchaseId });
  const paidBack = typeof amount === "number" && (await paidBackMinor(db, paymentId)) >= amount;
  return paidBack ? processed("paid back") : review(completion.reason);
}

async function failed(db: Db, { purchaseId, orderId }: ReadEvent): Promise<EventEffect> {
  if (purchaseId === undefined && orderId === undefined) return processed("no effect");
  const purchase = await findPurchase(db, purchaseId, orderId);
  if (!purchase) return review("unknown_purchase");
  if (orderId && purchase.providerOrderId && orderId !== purchase.providerOrderId) return review("order_mismatch");
  if (!unfinishedStates.includes(purchase.status)) return processed("no effect");
  return processed((await failPurchase(db, purchase._id)) ? "failed" : "no effect");
}

function findPurchase(db: Db, purchaseId: string | undefined, orderId: string | undefined) {
  if (purchaseId === undefined) return db.Purchase.findOne({ providerOrderId: orderId ?? "" }).lean<Purchase>();
  return isObjectId(purchaseId) ? db.Purchase.findById(purchaseId).lean<Purchase>() : null;
}

/** The amounts are added up over the ledger, where this event is already. */
async function refunded(db: Db, { paymentId, refundAmount }: ReadEvent): Promise<EventEffect> {
  if (paymentId === undefined) return review("unknown_purchase");
  const purchase = await db.Purchase.findOne({ providerPaymentId: paymentId }).lean<Purchase>();
  if (!purchase) return settleUnused(db, paymentId);
  const current = await applyPurchase(db, purchase);
  const settled = await atTheDesk(db, async () => {
    const moved = await refundIfPaidBack(db, current);
    return moved ? applyPurchase(db, moved, { mine: true }) : current;
  });
  if (settled.status === "refunded") return processed("refunded");
  // A refund that does not say how much pays nothing back on its own word: the provider is asked.
  if (!refundAmount) await db.Purchase.updateOne({ _id: settled._id, status: "completed" }, dueNow());
  return review("partial_refund");
}

const dueNow = () => ({ $set: { nextCheckAt: new Date() } });

/**
 * A payment that completed nothing was paid back: whatever was flagged about it is settled. Without any trace of the
 * payment its capture may still come, and will end in `refunded`; until then somebody should know.
 */
async function settleUnused(db: Db, paymentId: string): Promise<EventEffect> {
  const others = { paymentId, event: { $ne: "refund.processed" } };
  const trace = await db.PaymentEvent.findOne(others, { amountMinor: 1 }).lean();
  if (!trace) return review("unknown_purchase");
  if ((await paidBackMinor(db, paymentId)) < (trace.amountMinor ?? 0)) return review("partial_refund");
  await db.PaymentEvent.updateMany({ paymentId, state: "review" }, { $set: processed("paid back") });
  return processed("paid back");
}

/** A hint, not a capture: the provider is asked about the order within seconds. */
async function orderPaid(db: Db, { orderId }: ReadEvent): Promise<EventEffect> {
  const known = orderId !== undefined && (await askSoon(db, { providerOrderId: orderId }));
  return processed(known ? "provider is asked" : "no effect");
}

async function askSoon(db: Db, which: QueryFilter<Purchase>): Promise<boolean> {
  const result = await db.Purchase.updateOne({ ...which, status: { $in: [...unfinishedStates, "failed"] } }, dueNow(), {
    timestamps: false,
  });
  return result.matchedCount > 0;
}
