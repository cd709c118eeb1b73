import { type mongo, Types } from "mongoose";
import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import { isObjectId } from "../http/fields.js";
import { bare, majority } from "../models/bare.js";
import { type Purchase, type PurchaseState, type ReviewReason, unfinishedStates } from "../models/purchase.js";
import { atTheDesk } from "./apply-desk.js";
import { applyPurchase } from "./apply-purchase.js";
import { toMinor } from "./price.js";

/** A payment that was captured, as somebody trustworthy told of it. What was not told is undefined and not compared. */
export interface Capture {
  /** As it was told: may be no purchase at all. */
  readonly purchaseId: string;
  readonly paymentId: string;
  readonly orderId?: string | undefined;
  /** Minor units. Anything but the purchase's own amount is a mismatch. */
  readonly amount?: unknown;
  readonly currency?: unknown;
}

export type Completion =
  /** Completed by this payment, now or earlier, and visible everywhere. */
  | { readonly kind: "completed"; readonly purchase: Purchase; readonly moved: boolean }
  /** This payment completed it once and was paid back since. */
  | { readonly kind: "refunded" }
  /** Nothing was completed by it; `purchase` is flagged when there is one. */
  | { readonly kind: "review"; readonly reason: ReviewReason };

/**
 * Completes a purchase by a captured payment: the one operation behind webhook, checkout verification and reconciler.
 * A late capture wins over `failed`; a mismatch withholds completion; a payment other than the one that completed the
 * purchase is flagged. Safe to repeat, and to run any number of times at once.
 * @param options `first`: the caller has not heard of this payment before, so it is tried before the purchase is looked
 * at.
 */
export async function completePurchase(
  db: Db,
  capture: Capture,
  { first = false }: { first?: boolean } = {},
): Promise<Completion> {
  const { purchaseId } = capture;
  if (!isObjectId(purchaseId)) return { kind: "review", reason: "unknown_purchase" };
  if (first) {
    const completion = await moveAndApply(db, capture);
    if (completion && completion !== "taken") return completion;
  }
  const found = await db.Purchase.findById(purchaseId).lean<Purchase>();
  if (!found) return { kind: "review", reason: "unknown_purchase" };
  if (isSettled(found)) return settledBefore(db, found, capture);

  const mismatch = findMismatch(found, capture);
  if (mismatch) return flag(db, found, mismatch);
  const completion = await moveAndApply(db, capture);
  if (completion === "taken") return flag(db, found, await takenReason(db, found, capture));
  return completion ?? completePurchase(db, capture); // settled a moment ago: now it is compared as such
}

/** @returns null when the purchase may not be moved; `taken` when a unique key refuses it. */
function moveAndApply(db: Db, capture: Capture): Promise<Completion | "taken" | null> {
  return atTheDesk(db, async () => {
    const moved = await move(db, capture).catch(ifTaken);
    if (!moved || moved === "taken") return moved;
    return completionOf(await applyPurchase(db, moved, { mine: true }), true);
  });
}

/** The payment (or the order it names) belongs to another purchase already. */
const ifTaken = (error: unknown): "taken" => {
  if (isDuplicateKey(error)) return "taken";
  throw error;
};

/** The order of another purchase is no order of this one; its payment pays for one purchase only. */
async function takenReason(db: Db, { _id }: Purchase, { orderId }: Capture): Promise<ReviewReason> {
  const others = { providerOrderId: orderId ?? "", _id: { $ne: _id } };
  return (await db.Purchase.exists(others)) ? "order_mismatch" : "duplicate_charge";
}

/** What no purchase costs. */
const noAmount = -1;
const noCurrency = "";

/** Moves the purchase to `completed` if it may be and nothing that was told differs from it. */
function move(db: Db, { purchaseId, paymentId, orderId, amount, currency }: Capture): Promise<Purchase | null> {
  const now = new Date();
  const told = {
    ...(amount === undefined ? {} : { amount: typeof amount === "number" ? amount / 100 : noAmount }),
    ...(currency === undefined ? {} : { currency: typeof currency === "string" ? currency : noCurrency }),
    ...(orderId === undefined ? {} : { providerOrderId: { $in: [orderId, null] } }),
  };
  return bare(db.Purchase).findOneAndUpdate(
    { _id: new Types.ObjectId(purchaseId), status: { $in: unpaidStates }, ...told } as mongo.Filter<Purchase>,
    {
      $set: {
        ...{ status: "completed", providerPaymentId: paymentId, completedAt: now, updatedAt: now },
        ...{ applied: false, movedAt: now },
        ...(orderId === undefined ? {} : { providerOrderId: orderId }),
      },
      $unset: { slot: "", orderClaim: "", nextCheckAt: "" },
    },
    { returnDocument: "after", ...majority },
  );
}

const unpaidStates: PurchaseState[] = [...unfinishedStates, "failed"];

const isSettled = ({ status }: Purchase): boolean => status === "completed" || status === "refunded";

async function settledBefore(db: Db, found: Purchase, capture: Capture): Promise<Completion> {
  if (found.providerPaymentId !== capture.paymentId) return flag(db, found, "duplicate_charge");
  // Its order was looked into when it completed the purchase.
  const mismatch = findMismatch(found, { ...capture, orderId: undefined });
  if (mismatch) return flag(db, found, mismatch);
  return completionOf(await applyPurchase(db, found), false);
}

const completionOf = (purchase: Purchase, moved: boolean): Completion =>
  purchase.status === "refunded" ? { kind: "refunded" } : { kind: "completed", purchase, moved };

/** Compared only when told (contract, webhooks). */
function findMismatch(purchase: Purchase, { amount, currency, orderId }: Capture): ReviewReason | undefined {
  if (amount !== undefined && amount !== toMinor(purchase.amount)) return "amount_mismatch";
  if (currency !== undefined && currency !== purchase.currency) return "currency_mismatch";
  if (orderId !== undefined && purchase.providerOrderId && orderId !== purchase.providerOrderId) {
    return "order_mismatch";
  }
  return undefined;
}

/**
 * The first reason stays: it is what the operator has not looked at yet. Of a refunded purchase the ledger's row asks.
 */
async function flag(db: Db, { _id, reviewReason }: Purchase, reason: ReviewReason): Promise<Completion> {
  if (reviewReason === null) {
    const unflagged = { _id, reviewReason: null, status: { $ne: "refunded" as const } };
    await db.Purchase.updateOne(unflagged, { $set: { reviewReason: reason } });
  }
  return { kind: "review", reason };
}
