import type { Purchase } from "../../models/purchase.js";
import { watchStrayOrders } from "./orphan-orders.js";
import { bodyOf, type Ledger, processPaymentEvent } from "./payment-events.js";
import { type Desk, type Reconciled, reconcilePurchase } from "./reconcile-purchase.js";

const batch = 200;
/** So many faults in a row mean that the provider is away: the rest waits for the next run. */
const patience = 3;

/**
 * Applies stored events that a crash or a fault left pending.
 * @param options `asOf`: those that will be due by then; now unless told.
 * @returns how many were finished.
 */
export async function processPendingEvents(
  ledger: Ledger,
  { signal, asOf = new Date() }: { signal?: AbortSignal; asOf?: Date } = {},
): Promise<number> {
  let finished = 0;
  const pending = await ledger.db.PaymentEvent.find({ state: "pending", nextAttemptAt: { $lte: asOf } })
    .sort({ nextAttemptAt: 1 })
    .limit(batch)
    .lean();
  for (const { body, ...event } of pending) {
    if (signal?.aborted) break;
    if (await processPaymentEvent(ledger, { ...event, body: bodyOf(body) })) finished += 1;
  }
  return finished;
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
