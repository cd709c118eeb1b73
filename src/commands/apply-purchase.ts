import type { Types } from "mongoose";
import type { Models } from "../models/index.js";
import type { Purchase } from "../models/purchase.js";
import { countOnce } from "./count-once.js";
import { toMinor } from "./price.js";
import { refundIfPaidBack } from "./refund-purchase.js";
import { settleEnrollment } from "./settle-enrollment.js";

/**
 * Makes a purchase that completed or was refunded show in the enrollment, in its duplicates and in the totals, then marks
 * it applied. Every step may be repeated, by any number of callers at once; a crash leaves it to the sweep.
 */
export async function applyPurchase(models: Models, purchaseId: Types.ObjectId): Promise<Purchase | null> {
  const found = await models.Purchase.findById(purchaseId).lean<Purchase>();
  if (!found || found.applied) return found;
  const purchase = (await refundIfPaidBack(models, found)) ?? found;
  await settleEnrollment(models, purchase.userId, purchase.courseId);
  await flagDuplicates(models, purchase);
  await countRevenue(models, purchase);
  if (purchase.status === "refunded") await settleRefundEvents(models, purchase);
  const { _id, status } = purchase;
  await models.Purchase.updateOne(
    { _id, status, applied: false },
    { $set: { applied: true }, $unset: { movedAt: 1 } },
    { timestamps: false },
  );
  return { ...purchase, applied: true };
}

/** Of several completed purchases of a pair all but the first were paid for nothing. */
async function flagDuplicates(models: Models, { userId, courseId }: Purchase): Promise<void> {
  const completed = await models.Purchase.find({ userId, courseId, status: "completed" }, { _id: 1, reviewReason: 1 })
    .sort({ completedAt: 1, _id: 1 })
    .lean();
  const unflagged = completed.slice(1).filter(({ reviewReason }) => reviewReason === null);
  for (const { _id } of unflagged) {
    await models.Purchase.updateOne({ _id, reviewReason: null }, { $set: { reviewReason: "duplicate_charge" } });
  }
}

/** Refunds that came before their capture, or one by one, ask nobody to look any more. */
async function settleRefundEvents(models: Models, { providerPaymentId }: Purchase): Promise<void> {
  await models.PaymentEvent.updateMany(
    { paymentId: providerPaymentId ?? "", event: "refund.processed", state: "review" },
    { $set: { state: "processed", outcome: "refunded", reviewReason: null } },
  );
}

/** A completed purchase is in the money totals of its course, its day and the platform; a refunded one is no longer. */
async function countRevenue(models: Models, purchase: Purchase): Promise<void> {
  await moveRevenue(models, purchase, "completed", 1);
  if (purchase.status === "refunded") await moveRevenue(models, purchase, "refunded", -1);
}

async function moveRevenue(models: Models, purchase: Purchase, move: string, sign: 1 | -1): Promise<void> {
  const { _id, courseId, amount, completedAt } = purchase;
  const key = `${_id}:${move}`;
  const revenueMinor = sign * toMinor(amount);
  const day = (completedAt ?? purchase.createdAt).toISOString().slice(0, 10);
  await Promise.all([
    countOnce(models.Course, { _id: courseId }, key, { $inc: { revenueMinor, completedPurchases: sign } }),
    countOnce(models.RevenueDay, { _id: day }, key, { $inc: { revenueMinor } }, { upsert: true }),
    countOnce(models.PlatformTotals, { _id: "platform" }, key, { $inc: { revenueMinor } }, { upsert: true }),
  ]);
}
