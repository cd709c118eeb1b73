import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../../db/db.js";
import { isObjectId } from "../../../lib/fields.js";
import type { PaymentEvent } from "../../../models/payments/payment-event.js";
import { isInReview } from "../../../models/payments/payment-event-queries.js";
import { findPurchase, findPurchaseOfOrder } from "../../../models/payments/purchase-queries.js";
import { failPurchase } from "../fail-purchase.js";
import { fulfillPurchase, type ProvenPayment, type SaleDeps } from "../fulfill-purchase.js";
import { canMove } from "../purchase-states.js";
import { scheduleCheck } from "../reconcile/check-schedule.js";
import { applyDispute, applyFailedRefund, applyRefund, settlePaidBack } from "../refunds/apply-refund-event.js";
import { type EventEffect, needsReview, processed } from "./event-effect.js";
import { captureFound, checkoutVerified, isDispute } from "./event-names.js";
import { type ReadEvent, readPaymentEvent } from "./read-payment-event.js";

/**
 * The effect of one stored event, in the caller's transaction. Events come in any order, repeated and at once: the same
 * ones always end the same way.
 * @param event `eventKey` names a refund that has no id.
 */
export async function applyPaymentEvent(
  deps: SaleDeps,
  session: ClientSession,
  { body, eventKey }: Pick<PaymentEvent, "body" | "eventKey">,
): Promise<EventEffect> {
  const { db } = deps;
  const read = readPaymentEvent(body);
  if (!read.readable) return needsReview("unreadable");
  switch (read.event) {
    case "payment.captured":
    case captureFound:
      return applyCapture(deps, session, read, { proof: "capture", eventKey });
    case checkoutVerified:
      return applyCapture(deps, session, read, { proof: "signature", eventKey });
    case "payment.failed":
      return applyFailedPayment(db, session, read);
    case "refund.processed":
      return applyRefund(db, session, read, eventKey);
    case "refund.failed":
      return applyFailedRefund(db, session, read, eventKey);
    case "order.paid":
      return applyPaidOrder(db, session, read);
    default:
      return isDispute(read.event) ? applyDispute(db, session, read, eventKey) : processed("no effect");
  }
}

async function applyCapture(
  deps: SaleDeps,
  session: ClientSession,
  { event, paymentId, purchaseId = "", orderId, amount, currency, paidAt }: ReadEvent,
  source: Pick<ProvenPayment, "proof" | "eventKey">,
): Promise<EventEffect> {
  if (paymentId === undefined) return needsReview("unknown_purchase");
  const capture = { purchaseId, paymentId, orderId, amount, currency, paidAt, ...source };
  const { db } = deps;
  const fulfilled = await fulfillPurchase(deps, session, capture);
  if (fulfilled.kind !== "review") return processed(fulfilled.kind);
  // Money without our note: it completes nothing by itself, and the provider is asked about the order.
  if (purchaseId === "" && orderId !== undefined) await scheduleCheck(db, session, { providerOrderId: orderId });
  // An order that we do not know may be ours all the same, made after the server had stopped waiting for it.
  if (fulfilled.reason === "order_mismatch") await scheduleCheck(db, session, { _id: new Types.ObjectId(purchaseId) });
  const purchase = isObjectId(purchaseId) ? { _id: new Types.ObjectId(purchaseId) } : null;
  if (fulfilled.isPaidBack) return settlePaidBack(db, session, paymentId, purchase);
  // A webhook that follows a capture which the server found itself, or the reverse, adds nothing to review.
  const other = event === captureFound ? "payment.captured" : captureFound;
  const found = { paymentId, event: other, reviewReason: fulfilled.reason };
  return (await isInReview(db, found, session)) ? processed("in review already") : needsReview(fulfilled.reason);
}

async function applyFailedPayment(
  db: Db,
  session: ClientSession,
  { purchaseId, orderId }: ReadEvent,
): Promise<EventEffect> {
  if (purchaseId === undefined && orderId === undefined) return processed("no effect");
  const purchase = await findNamedPurchase(db, session, purchaseId, orderId);
  if (!purchase) return needsReview("unknown_purchase");
  if (orderId && purchase.providerOrderId && orderId !== purchase.providerOrderId) return needsReview("order_mismatch");
  if (!canMove("fail", purchase.status)) return processed("no effect");
  return processed((await failPurchase(db, purchase, "payment", session)) ? "failed" : "no effect");
}

/** The purchase that an event names by its note, or else by its order. */
async function findNamedPurchase(db: Db, session: ClientSession, purchaseId = "", orderId = "") {
  const named = isObjectId(purchaseId) ? await findPurchase(db, new Types.ObjectId(purchaseId), session) : null;
  return named ?? (orderId === "" ? null : findPurchaseOfOrder(db, orderId, session));
}

/** A hint, not a capture: the provider is asked about the order within seconds. */
async function applyPaidOrder(db: Db, session: ClientSession, { orderId }: ReadEvent): Promise<EventEffect> {
  const known = orderId !== undefined && (await scheduleCheck(db, session, { providerOrderId: orderId }));
  return processed(known ? "provider is asked" : "no effect");
}
