import type { PaymentEvent } from "../../../models/payments/payment-event.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import { bodyOf, type PaymentEventDeps, postponePaymentEvent, processPaymentEvent } from "../events/payment-events.js";
import { nextOrphanCheck, pace } from "./check-schedule.js";
import { checkOrphanOrders } from "./orphan-orders.js";
import { type ReconcileDeps, type Reconciled, reconcilePurchase } from "./reconcile-purchase.js";
import { countRetry, isAway, type RowResult, workThrough } from "./work-through.js";

/** Events that are resumed in one run, and at once. */
const eventsPerRun = 200;
const eventsAtOnce = 4;

/**
 * Applies stored events that a crash or an error left pending.
 * @param options `asOf`: those that will be due by then; now when absent.
 * @returns how many were finished.
 */
export async function processPendingEvents(
  events: PaymentEventDeps,
  { signal, asOf = new Date() }: { signal?: AbortSignal; asOf?: Date } = {},
): Promise<number> {
  let finished = 0;
  const pending = await events.db.PaymentEvent.find({ state: "pending", nextAttemptAt: { $lte: asOf } })
    .sort({ nextAttemptAt: 1 })
    .limit(eventsPerRun)
    .lean<PaymentEvent[]>();
  const resume = async ({ body, ...event }: PaymentEvent): Promise<RowResult> => {
    try {
      const effect = await processPaymentEvent(events, { ...event, body: bodyOf(body) });
      if (effect) finished += 1;
      else countRetry(events.metrics, "payment_event");
    } catch (error) {
      countRetry(events.metrics, "payment_event");
      await postponePaymentEvent(events, event, error);
    }
    return "done";
  };
  await workThrough(pending, resume, { atOnce: eventsAtOnce, signal });
  return finished;
}

type Counted = Reconciled | "provider away" | "errors" | "not asked" | "second order paid";
export type ReconcileCounts = Partial<Record<Counted, number>>;

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** About every purchase that there is something to ask about, whatever its time. */
  readonly all?: boolean;
}

/**
 * Asks the provider about every purchase whose time has come, several at once and bounded in a second. A purchase that
 * throws is put back with a growing pause, and stops no other one.
 */
export async function reconcilePurchases(deps: ReconcileDeps, options: RunOptions = {}): Promise<ReconcileCounts> {
  const counts: ReconcileCounts = {};
  const count = (what: Counted, by = 1): void => {
    if (by > 0) counts[what] = (counts[what] ?? 0) + by;
  };
  count("not asked", await checkDue(deps, options, count));
  if (!counts["not asked"]) count("second order paid", await watchOrphanOrders(deps, options));
  return counts;
}

async function checkDue(
  deps: ReconcileDeps,
  { signal, all = false }: RunOptions,
  count: (what: Counted) => void,
): Promise<number> {
  const { Purchase } = deps.db;
  const due = await Purchase.find({ nextCheckAt: all ? { $gt: new Date(0) } : { $lte: new Date() } }, { _id: 1 })
    .sort({ nextCheckAt: 1 })
    .limit(all ? 0 : pace.rowsPerRun)
    .lean();
  const check = async ({ _id }: Pick<Purchase, "_id">): Promise<RowResult> => {
    const purchaseId = String(_id);
    try {
      const purchase = await Purchase.findById(_id).lean<Purchase>();
      if (!purchase?.nextCheckAt) return "done";
      const result = await reconcilePurchase(deps, purchase);
      if (result !== "unchanged" && result !== "busy") {
        deps.log.info({ eventId: "purchase_reconciled", purchaseId, result }, "purchase reconciled");
      }
      count(result);
      return "done";
    } catch (error) {
      deps.log.warn(
        { eventId: "purchase_not_reconciled", purchaseId, cause: String(error) },
        "purchase could not be reconciled",
      );
      countRetry(deps.metrics, "purchase");
      count(isAway(error) ? "provider away" : "errors");
      return isAway(error) ? "away" : "error";
    }
  };
  return workThrough(due, check, { ...pace, signal });
}

/**
 * Asks about purchases that may have two orders, whatever their state.
 * @returns how many had a payment on an orphan one.
 */
async function watchOrphanOrders(deps: ReconcileDeps, { signal, all = false }: RunOptions): Promise<number> {
  const { db, log, metrics } = deps;
  const purchases = await db.Purchase.find({ orphanCheckAt: all ? { $gt: new Date(0) } : { $lte: new Date() } })
    .sort({ orphanCheckAt: 1 })
    .limit(all ? 0 : pace.rowsPerRun)
    .lean<Purchase[]>();
  let found = 0;
  const check = async (purchase: Purchase): Promise<RowResult> => {
    let result: RowResult = "done";
    try {
      if (await checkOrphanOrders(deps, purchase)) found += 1;
    } catch (error) {
      log.warn(
        { eventId: "orphan_orders_not_checked", purchaseId: String(purchase._id), cause: String(error) },
        "orphan orders could not be checked",
      );
      countRetry(metrics, "orphan_order");
      result = isAway(error) ? "away" : "error";
    }
    const failures = result === "done" ? 0 : (purchase.orphanCheckFailures ?? 0) + 1;
    await scheduleOrphanCheck(deps, purchase, failures);
    return result;
  };
  await workThrough(purchases, check, { ...pace, signal });
  return found;
}

async function scheduleOrphanCheck({ db, log }: ReconcileDeps, purchase: Purchase, failures: number): Promise<void> {
  const { _id } = purchase;
  const next = nextOrphanCheck(purchase, Date.now(), failures);
  const update =
    next === undefined
      ? { $unset: { orphanCheckAt: 1, orphanCheckFailures: 1 } }
      : { $set: { orphanCheckAt: new Date(next), orphanCheckFailures: failures } };
  await db.Purchase.updateOne({ _id }, update, { timestamps: false }).catch((error: unknown) =>
    log.warn(
      { eventId: "orphan_check_not_stored", purchaseId: String(_id), cause: String(error) },
      "next check of orphan orders not stored",
    ),
  );
}

/** In a few words, for logs and operators; undefined when nothing happened. */
export function describeCounts(counts: Record<string, number | undefined>): string | undefined {
  const parts = Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([what, count]) => (count ? [`${count} ${what}`] : []));
  return parts.length > 0 ? parts.join(", ") : undefined;
}
