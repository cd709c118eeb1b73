import { LRUCache } from "lru-cache";
import { type ClientSession, type mongo, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { isObjectId } from "../../http/fields.js";
import { bare } from "../../models/bare.js";
import type { Payment } from "../../models/payment.js";
import { type Purchase, type PurchaseState, type ReviewReason, unfinishedStates } from "../../models/purchase.js";
import { enroll } from "../enrollments/enrollment.js";
import { recordCapture } from "./payment-record.js";
import { toMinor } from "./price.js";
import { recordSale } from "./record-sale.js";
import { markRefunded, markRefundedInPart } from "./refund-purchase.js";

/** A payment that was captured, as a trusted source told of it. What was not told is undefined and not compared. */
export interface Capture {
  /** As it was told: may be no purchase at all. */
  readonly purchaseId: string;
  readonly paymentId: string;
  readonly orderId?: string | undefined;
  /** Minor units. Anything but the purchase's own amount is a mismatch. */
  readonly amount?: unknown;
  readonly currency?: unknown;
}

export type Fulfillment =
  /** The payment completed the purchase, now (`moved`) or earlier. */
  | { readonly kind: "completed"; readonly purchase: Purchase; readonly moved: boolean }
  /** The payment completed the purchase and has been paid back. */
  | { readonly kind: "refunded" }
  /** The payment completed nothing. The purchase, if there is one, is flagged. `paidBackMinor` of it was refunded. */
  | { readonly kind: "review"; readonly reason: ReviewReason; readonly paidBackMinor: number };

/** Runs `fulfillPurchase` as a transaction of its own. */
export async function completePurchase(db: Db, capture: Capture): Promise<Fulfillment> {
  const work = (session: ClientSession) => fulfillPurchase(db, session, capture);
  return db.transaction(work, await saleMutex(db, capture.purchaseId));
}

/**
 * Completes a purchase by a captured payment: the one operation behind webhook, checkout verification and reconciler.
 * A late capture wins over `failed`; a mismatch withholds completion; a payment other than the one that completed the
 * purchase is flagged. Repeating it changes nothing.
 *
 *   1. The payment is noted; refunds of it that were told earlier are known from then on.
 *   2. The purchase moves to `completed`, unless the payment does not fit it.
 *   3. The learner is enrolled.
 *   4. The sale is added to the course and its day.
 */
export async function fulfillPurchase(db: Db, session: ClientSession, capture: Capture): Promise<Fulfillment> {
  const purchaseId = isObjectId(capture.purchaseId) ? new Types.ObjectId(capture.purchaseId) : undefined;
  const known = await recordCapture(db, session, { ...capture, purchaseId });
  const paidBackMinor = known?.refundedMinor ?? 0;
  const review = (reason: ReviewReason): Fulfillment => ({ kind: "review", reason, paidBackMinor });
  if (!purchaseId) return review("unknown_purchase");

  // A new payment that fits is the usual case, and takes one command.
  let moved = known ? null : await moveToCompleted(db, session, purchaseId, capture, fitting(capture));
  if (!moved) {
    const found = await bare(db.Purchase).findOne({ _id: purchaseId }, { session });
    if (!found) return review("unknown_purchase");
    const reason = await misfit(db, session, found, capture, known);
    if (reason) {
      await flag(db, session, found, reason);
      return review(reason);
    }
    if (found.status === "refunded") return { kind: "refunded" };
    if (found.status === "completed") return { kind: "completed", purchase: found, moved: false };
    moved = await moveToCompleted(db, session, purchaseId, capture);
    if (!moved) throw new Error(`the purchase ${purchaseId} could not be completed`);
  }

  if (paidBackMinor > 0 && paidBackMinor >= toMinor(moved.amount)) {
    await markRefunded(db, session, moved, paidBackMinor);
    return { kind: "refunded" };
  }
  const enrolledBefore = await enroll(db, session, moved);
  if (enrolledBefore) await flag(db, session, moved, "duplicate_charge");
  else if (paidBackMinor > 0) await markRefundedInPart(db, session, moved, paidBackMinor);
  await recordSale(db, session, moved, { sales: 1, students: enrolledBefore ? 0 : 1 });
  return { kind: "completed", purchase: moved, moved: true };
}

const unpaidStates: PurchaseState[] = [...unfinishedStates, "failed"];

/** No purchase has these. */
const noAmount = -1;
const noCurrency = "";

/** The purchases that a capture fits, by all that was told of it. */
function fitting({ orderId, amount, currency }: Capture): mongo.Filter<Purchase> {
  return {
    ...(amount === undefined ? {} : { amount: typeof amount === "number" ? amount / 100 : noAmount }),
    ...(currency === undefined ? {} : { currency: typeof currency === "string" ? currency : noCurrency }),
    ...(orderId === undefined ? {} : { providerOrderId: orderId }),
  };
}

function moveToCompleted(
  db: Db,
  session: ClientSession,
  purchaseId: Types.ObjectId,
  { paymentId, orderId }: Capture,
  fit: mongo.Filter<Purchase> = {},
): Promise<Purchase | null> {
  const now = new Date();
  return bare(db.Purchase).findOneAndUpdate(
    { ...fit, _id: purchaseId, status: { $in: unpaidStates } },
    {
      $set: {
        ...{ status: "completed", providerPaymentId: paymentId, completedAt: now, updatedAt: now },
        ...(orderId === undefined ? {} : { providerOrderId: orderId }),
      },
      $unset: { slot: "", orderClaim: "", nextCheckAt: "" },
    },
    { session, returnDocument: "after" },
  );
}

/** Why a payment does not complete a purchase; undefined when it does, or has done so. What was not told fits. */
async function misfit(
  db: Db,
  session: ClientSession,
  purchase: Purchase,
  capture: Capture,
  known: Payment | null,
): Promise<ReviewReason | undefined> {
  const { paymentId, orderId, amount, currency } = capture;
  const paid = purchase.status === "completed" || purchase.status === "refunded";
  if (paid && purchase.providerPaymentId !== paymentId) return "duplicate_charge";
  if (amount !== undefined && amount !== toMinor(purchase.amount)) return "amount_mismatch";
  if (currency !== undefined && currency !== purchase.currency) return "currency_mismatch";
  // The order of a paid purchase was compared when it was completed.
  if (paid) return undefined;
  if (orderId !== undefined && purchase.providerOrderId && orderId !== purchase.providerOrderId)
    return "order_mismatch";
  const isAnothers = async (theirs: mongo.Filter<Purchase>) =>
    (await bare(db.Purchase).findOne({ ...theirs, _id: { $ne: purchase._id } }, { session })) !== null;
  if (known && (await isAnothers({ providerPaymentId: paymentId }))) return "duplicate_charge";
  if (orderId !== undefined && !purchase.providerOrderId && (await isAnothers({ providerOrderId: orderId }))) {
    return "order_mismatch";
  }
  return undefined;
}

/** The first reason stays: an operator has not looked at it yet. A refunded purchase needs none. */
async function flag(
  db: Db,
  session: ClientSession,
  { _id, reviewReason, status }: Purchase,
  reason: ReviewReason,
): Promise<void> {
  if (reviewReason !== null || status === "refunded") return;
  await bare(db.Purchase).updateOne({ _id, reviewReason: null }, { $set: { reviewReason: reason } }, { session });
}

/** The course of a purchase never changes, so it may be remembered. */
const coursesOfPurchases = new WeakMap<Db, LRUCache<string, string>>();

function courseMemory(db: Db): LRUCache<string, string> {
  const kept = coursesOfPurchases.get(db);
  if (kept) return kept;
  const fetchMethod = async (purchaseId: string) => {
    const found = await bare(db.Purchase).findOne(
      { _id: new Types.ObjectId(purchaseId) },
      { projection: { courseId: 1 } },
    );
    return found ? String(found.courseId) : undefined;
  };
  const memory = new LRUCache<string, string>({ max: 10_000, fetchMethod });
  coursesOfPurchases.set(db, memory);
  return memory;
}

/** Spares `saleMutex` a query for a purchase that this process opened itself. */
export function rememberCourse(db: Db, { _id, courseId }: Pick<Purchase, "_id" | "courseId">): void {
  courseMemory(db).set(String(_id), String(courseId));
}

/** Transactions about purchases of one course take turns: all of them write the course. */
export async function saleMutex(db: Db, purchaseId: string | undefined): Promise<{ mutex?: string }> {
  if (purchaseId === undefined || !isObjectId(purchaseId)) return {};
  const courseId = await courseMemory(db).fetch(purchaseId.toLowerCase());
  return courseId ? { mutex: `course:${courseId}` } : {};
}
