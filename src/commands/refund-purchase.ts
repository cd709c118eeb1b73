import type { mongo } from "mongoose";
import type { Db } from "../db/db.js";
import { bare, findFew, majority } from "../models/bare.js";
import type { PaymentEvent } from "../models/payment-event.js";
import type { Purchase } from "../models/purchase.js";
import { ClaimLost } from "./claims.js";
import { toMinor } from "./price.js";

/** Tries of the loop below; each one that repeats met another flag of the same purchase. */
const maxRounds = 20;

/**
 * Looks up what the ledger holds of refunds of a completed purchase's payment. Adding up to the full amount they move
 * it to refunded; less than that is flagged. Effects on enrollment and totals are left to `applyPurchase`.
 * @param purchase applied, or in the caller's hands and still to be applied; those are left in their hands.
 * @returns the purchase as this call refunded it, else null. @throws ClaimLost.
 */
export async function refundIfPaidBack(db: Db, purchase: Purchase): Promise<Purchase | null> {
  const { _id, applied, movedAt } = purchase;
  if (purchase.status !== "completed") return null;
  const hold = (applied ? { applied } : { applied, movedAt: movedAt ?? null }) as mongo.Filter<Purchase>;
  let seen: Pick<Purchase, "status" | "reviewReason"> = purchase;
  for (let round = 0; round < maxRounds && seen.status === "completed"; round += 1) {
    const refundedMinor = await paidBackInFull(db, purchase);
    if (refundedMinor === undefined) return null;
    const now = new Date();
    const refunded = { status: "refunded" as const, refundedAt: now, refundedMinor, updatedAt: now };
    const moved = await bare(db.Purchase).findOneAndUpdate(
      { ...hold, _id, status: "completed", reviewReason: seen.reviewReason },
      {
        $set: {
          ...refunded,
          ...(applied ? { applied: false, movedAt: now, wasCounted: true } : {}),
          ...(seen.reviewReason === "partial_refund" ? { reviewReason: null } : {}),
        },
        $unset: { nextCheckAt: "" },
      },
      { returnDocument: "after", ...majority },
    );
    if (moved) return moved;
    const fields = { projection: { status: 1, reviewReason: 1 } };
    const current = await bare(db.Purchase).findOne({ ...hold, _id }, fields);
    if (!current) break;
    seen = current;
  }
  if (!applied) throw new ClaimLost(`the purchase ${_id}`);
  return null;
}

/** @returns minor units; undefined when it is less than was paid, which is then flagged. */
async function paidBackInFull(db: Db, purchase: Purchase): Promise<number | undefined> {
  const { _id, providerPaymentId, amount } = purchase;
  const refundedMinor = providerPaymentId ? await paidBackMinor(db, providerPaymentId) : 0;
  if (refundedMinor > 0 && refundedMinor >= toMinor(amount)) return refundedMinor;
  if (refundedMinor > 0) {
    await db.Purchase.updateOne(
      { _id, status: "completed", refundedMinor: { $lt: refundedMinor } },
      { $set: { refundedMinor, reviewReason: "partial_refund" } },
    );
  }
  return undefined;
}

/** Minor units over the distinct refunds of a payment in the ledger. */
export async function paidBackMinor(db: Db, paymentId: string): Promise<number> {
  const fields = { refundId: 1, amountMinor: 1, eventKey: 1 } as const;
  const events = await findFew<PaymentEvent, Pick<PaymentEvent, keyof typeof fields>>(
    db.PaymentEvent,
    { paymentId, event: "refund.processed" },
    fields,
  );
  const refunds = new Map<string, number>();
  for (const { refundId, eventKey, amountMinor } of events) {
    const name = refundId ?? eventKey;
    refunds.set(name, Math.max(refunds.get(name) ?? 0, amountMinor ?? 0));
  }
  return [...refunds.values()].reduce((sum, amount) => sum + amount, 0);
}
