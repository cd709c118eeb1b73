import type { Models } from "../models/index.js";
import type { Purchase } from "../models/purchase.js";
import { countOnce } from "./count-once.js";
import { toMinor } from "./price.js";
import { refundIfPaidBack } from "./refund-purchase.js";
import { settleEnrollment } from "./settle-enrollment.js";

/** Runs under way on one server, by purchase and state: deliveries of one event that come at once share one. */
const running = new WeakMap<Models, Map<string, Promise<Purchase>>>();

/**
 * Makes a purchase that completed or was refunded show in the enrollment, in its duplicates and in the totals, then marks
 * it applied. Every step may be repeated, by any number of callers at once; a crash leaves it to the sweep.
 * @returns the purchase as it is then: a refund that was waiting for it may have moved it on.
 */
export function applyPurchase(models: Models, purchase: Purchase): Promise<Purchase> {
  if (purchase.applied) return Promise.resolve(purchase);
  const runs = running.get(models) ?? new Map<string, Promise<Purchase>>();
  running.set(models, runs);
  const name = `${purchase._id} ${purchase.status}`;
  const run = runs.get(name) ?? apply(models, purchase).finally(() => runs.delete(name));
  runs.set(name, run);
  return run;
}

async function apply(models: Models, found: Purchase): Promise<Purchase> {
  const purchase = (await refundIfPaidBack(models, found)) ?? found;
  const { _id, status, userId, courseId } = purchase;
  const completed = await settleEnrollment(models, userId, courseId, { completing: status === "completed" });
  await Promise.all([flagDuplicates(models, completed), countRevenue(models, purchase)]);
  if (status === "refunded") await settleRefundEvents(models, purchase);
  await models.Purchase.updateOne(
    { _id, status, applied: false },
    { $set: { applied: true }, $unset: { movedAt: 1 } },
    { timestamps: false },
  );
  return { ...purchase, applied: true };
}

/** Of several completed purchases of a pair all but the first were paid for nothing. */
async function flagDuplicates(models: Models, completed: Pick<Purchase, "_id" | "reviewReason">[]): Promise<void> {
  for (const { _id, reviewReason } of completed.slice(1)) {
    if (reviewReason !== null) continue;
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
