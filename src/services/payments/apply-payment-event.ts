import { type ClientSession, type mongo, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../http/fields.js";
import { bare } from "../../models/bare.js";
import type { PaymentEvent } from "../../models/payment-event.js";
import { type Purchase, unfinishedStates } from "../../models/purchase.js";
import { failPurchase } from "./fail-purchase.js";
import { fulfillPurchase } from "./fulfill-purchase.js";
import { recordRefund } from "./payment-record.js";
import { type ReadEvent, readPaymentEvent } from "./read-payment-event.js";
import { refundPurchase } from "./refund-purchase.js";

/** The result of an event. `pending`: it waits for another event. */
export type EventEffect = Pick<PaymentEvent, "state" | "outcome" | "reviewReason">;

/** A checkout that the browser proved by its signature and that completed nothing: stored by ourselves. */
export const checkoutVerified = "lyceum.checkout_verified";
/** A capture that the provider named when it was asked, and that completed nothing: stored by ourselves as well. */
export const captureFound = "lyceum.capture_found";

const processed = (outcome: string): EventEffect => ({ state: "processed", outcome, reviewReason: null });
const review = (reviewReason: NonNullable<PaymentEvent["reviewReason"]>): EventEffect => ({
  state: "review",
  outcome: "needs review",
  reviewReason,
});

/**
 * The effect of one stored event, in the caller's transaction. Events come in any order, repeated and at once: the same
 * ones always end the same way.
 * @param event `eventKey` names a refund that has no id.
 */
export async function applyPaymentEvent(
  db: Db,
  session: ClientSession,
  { body, eventKey }: Pick<PaymentEvent, "body" | "eventKey">,
): Promise<EventEffect> {
  const read = readPaymentEvent(body);
  if (!read.readable) return review("unreadable");
  switch (read.event) {
    case "payment.captured":
    case checkoutVerified:
    case captureFound:
      return captured(db, session, read);
    case "payment.failed":
      return failed(db, session, read);
    case "refund.processed":
      return refunded(db, session, read, eventKey);
    case "order.paid":
      return orderPaid(db, session, read);
    default:
      return processed("no effect");
  }
}

async function captured(db: Db, session: ClientSession, read: ReadEvent): Promise<EventEffect> {
  const { paymentId, purchaseId = "", orderId, amount, currency } = read;
  if (paymentId === undefined) return review("unknown_purchase");
  const fulfilled = await fulfillPurchase(db, session, { purchaseId, paymentId, orderId, amount, currency });
  if (fulfilled.kind !== "review") return processed(fulfilled.kind);
  // Money without our note: nothing is completed on its word, but the provider is asked about the order.
  if (purchaseId === "" && orderId !== undefined) await askSoon(db, session, { providerOrderId: orderId });
  // An order that we do not know may be ours all the same, made after we had given it up.
  if (fulfilled.reason === "order_mismatch") await askSoon(db, session, { _id: new Types.ObjectId(purchaseId) });
  const paidBack = typeof amount === "number" && fulfilled.paidBackMinor >= amount;
  return paidBack ? settlePaidBack(db, session, paymentId) : review(fulfilled.reason);
}

async function failed(db: Db, session: ClientSession, { purchaseId, orderId }: ReadEvent): Promise<EventEffect> {
  if (purchaseId === undefined && orderId === undefined) return processed("no effect");
  const purchase = await findPurchase(db, session, purchaseId, orderId);
  if (!purchase) return review("unknown_purchase");
  if (orderId && purchase.providerOrderId && orderId !== purchase.providerOrderId) return review("order_mismatch");
  if (!unfinishedStates.includes(purchase.status)) return processed("no effect");
  return processed((await failPurchase(db, purchase._id, session)) ? "failed" : "no effect");
}

async function findPurchase(db: Db, session: ClientSession, purchaseId: string | undefined, orderId = "") {
  if (purchaseId === undefined) return bare(db.Purchase).findOne({ providerOrderId: orderId }, { session });
  if (!isObjectId(purchaseId)) return null;
  return bare(db.Purchase).findOne({ _id: new Types.ObjectId(purchaseId) }, { session });
}

async function refunded(
  db: Db,
  session: ClientSession,
  { paymentId, refundId, refundAmount = 0 }: ReadEvent,
  eventKey: string,
): Promise<EventEffect> {
  if (paymentId === undefined) return review("unknown_purchase");
  const refund = { refundId: refundId ?? eventKey, amountMinor: refundAmount };
  const payment = await recordRefund(db, session, paymentId, refund);
  const purchase = await bare(db.Purchase).findOne({ providerPaymentId: paymentId }, { session });
  if (purchase) {
    if (await refundPurchase(db, session, purchase, payment)) return processed("refunded");
    // A refund that does not say how much pays nothing back on its own word: the provider is asked.
    if (refundAmount === 0) await askSoon(db, session, { _id: purchase._id, status: "completed" });
    return review("partial_refund");
  }
  // Its capture may still come and will then end in `refunded`. Until then an operator should know.
  if (!payment.captured) return review("unknown_purchase");
  if (payment.refundedMinor < (payment.amountMinor ?? 0)) return review("partial_refund");
  return settlePaidBack(db, session, paymentId);
}

/** A payment that completed nothing was paid back: none of its events needs review any more. */
async function settlePaidBack(db: Db, session: ClientSession, paymentId: string): Promise<EventEffect> {
  const settled = { $set: { ...processed("paid back"), updatedAt: new Date() } };
  await bare(db.PaymentEvent).updateMany({ paymentId, state: "review" }, settled, { session });
  return processed("paid back");
}

/** A hint, not a capture: the provider is asked about the order within seconds. */
async function orderPaid(db: Db, session: ClientSession, { orderId }: ReadEvent): Promise<EventEffect> {
  const known = orderId !== undefined && (await askSoon(db, session, { providerOrderId: orderId }));
  return processed(known ? "provider is asked" : "no effect");
}

/** Has the reconciler ask the provider about an unpaid purchase, unless the filter names another state, in its next run. */
async function askSoon(db: Db, session: ClientSession, which: mongo.Filter<Purchase>): Promise<boolean> {
  const result = await bare(db.Purchase).updateOne(
    { status: { $in: [...unfinishedStates, "failed"] }, ...which },
    { $set: { nextCheckAt: new Date() } },
    { session },
  );
  return result.matchedCount > 0;
}
