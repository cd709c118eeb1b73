import type { Purchase } from "../models/purchase.js";
import { applyPurchase, settleSeat } from "./apply-purchase.js";
import { lapsedBy } from "./claims.js";
import { bodyOf, settlePaymentEvent } from "./payment-ledger.js";
import { type Desk, type Reconciled, reconcilePurchase } from "./reconcile-purchase.js";
import { abandonedSeats } from "./settle-enrollment.js";
import { watchStrayOrders } from "./stray-orders.js";

const batch = 200;
/** So many faults in a row mean that the provider is away: the rest waits for the next run. */
const patience = 3;

/**
 * Rolls forward what a crash or a fault left: purchases whose effects are not all visible, enrollments that somebody
 * was at, ledger events that did not finish.
 * @param options `asOf`: whatever will be due by then; now unless told.
 * @returns how many of each were finished.
 */
export async function sweepPayments(
  desk: Desk,
  { signal, asOf = new Date() }: { signal?: AbortSignal; asOf?: Date } = {},
): Promise<{ purchases: number; seats: number; events: number }> {
  const { db } = desk;
  const done = { purchases: 0, seats: 0, events: 0 };
  const lapsed = lapsedBy(asOf);
  const halfApplied = await db.Purchase.find({ applied: false, movedAt: { $lte: lapsed } })
    .sort({ movedAt: 1 })
    .limit(batch)
    .lean<Purchase[]>();
  for (const purchase of halfApplied) {
    if (signal?.aborted) return done;
    const applied = await attempt(desk, "purchase", purchase._id, () => applyPurchase(db, purchase, { asOf }));
    if (applied) done.purchases += 1;
  }
  for (const { _id, userId, courseId } of await abandonedSeats(db, lapsed, batch)) {
    if (signal?.aborted) return done;
    const settled = await attempt(desk, "enrollment", _id, () => settleSeat(db, { userId, courseId }, asOf));
    if (settled) done.seats += 1;
  }
  const waiting = await db.PaymentEvent.find({ state: "pending", nextAttemptAt: { $lte: asOf } })
    .sort({ nextAttemptAt: 1 })
    .limit(batch)
    .lean();
  for (const { body, ...event } of waiting) {
    if (signal?.aborted) return done;
    if (await settlePaymentEvent(desk, { ...event, body: bodyOf(body) })) done.events += 1;
  }
  return done;
}

/** What fails keeps its new claim: others come first, next time. */
async function attempt({ log }: Desk, kind: string, id: unknown, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    log.warn({ kind, id: String(id), cause: String(error) }, "could not be rolled forward yet");
    return false;
  }
}

export type ReconcileCounts = Partial<Record<Reconciled | "provider away" | "not asked" | "second order paid", number>>;

/**
 * Asks the provider about every purchase whose time has come.
 * @param options `all`: about every purchase there is something to ask about, whatever its time.
 */
export async function reconcilePurchases(
  desk: Desk,
  { signal, all = false }: { signal?: AbortSignal; all?: boolean } = {},
): Promise<ReconcileCounts> {
  const counts: ReconcileCounts = {};
  const due = await desk.db.Purchase.find(
    { nextCheckAt: all ? { $gt: new Date(0) } : { $lte: new Date() } },
    { _id: 1 },
  )
    .sort({ nextCheckAt: 1 })
    .limit(all ? 0 : batch)
    .lean();
  let faults = 0;
  for (const [index, { _id }] of due.entries()) {
    const purchase = await desk.db.Purchase.findById(_id).lean<Purchase>();
    if (!purchase?.nextCheckAt) continue;
    const result = await one(desk, purchase);
    counts[result] = (counts[result] ?? 0) + 1;
    faults = result === "provider away" ? faults + 1 : 0;
    if (signal?.aborted || faults === patience) return { ...counts, "not asked": due.length - index - 1 };
  }
  const strays = await watchStrayOrders(desk, { all, signal, limit: batch });
  if (strays > 0) counts["second order paid"] = strays;
  return counts;
}

async function one(desk: Desk, purchase: Purchase): Promise<Reconciled | "provider away"> {
  const purchaseId = String(purchase._id);
  try {
    const result = await reconcilePurchase(desk, purchase);
    if (result !== "unchanged" && result !== "busy") desk.log.info({ purchaseId, result }, "purchase reconciled");
    return result;
  } catch (error) {
    desk.log.warn({ purchaseId, cause: String(error) }, "purchase could not be reconciled");
    return "provider away";
  }
}

/** In a few words, for logs and people; undefined when nothing happened. */
export function describeCounts(counts: Record<string, number | undefined>): string | undefined {
  const parts = Object.entries(counts).flatMap(([what, count]) => (count ? [`${count} ${what}`] : []));
  return parts.length > 0 ? parts.join(", ") : undefined;
}
