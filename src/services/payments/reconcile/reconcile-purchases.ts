import PQueue from "p-queue";
import { Counter } from "prom-client";
import type { PaymentEvent } from "../../../models/payments/payment-event.js";
import type { Purchase } from "../../../models/payments/purchase.js";
import { ProviderFault } from "../../../providers/razorpay.js";
import { metricOf } from "../../metrics.js";
import { processPaymentEvent } from "../events/apply-payment-event.js";
import type { PaymentEventDeps, ProviderDeps } from "../settle-purchase.js";
import { pace } from "./check-schedule.js";
import { type Reconciled, reconcilePurchase } from "./reconcile-purchase.js";

/** How many events one run resumes, and how many at once. */
const eventsPerRun = 200;
const eventsAtOnce = 4;

/**
 * Applies stored events that a crash or an error left pending.
 * @param options `asOf`: events that are due by then; now when absent. @returns how many were finished.
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
  const resume = async (event: PaymentEvent): Promise<CheckResult> => {
    if (await processPaymentEvent(events, event)) finished += 1;
    else countRetry(events, "payment_event");
    return "done";
  };
  await workThrough(pending, resume, { atOnce: eventsAtOnce, signal });
  return finished;
}

type Counted = Reconciled | "provider away" | "errors" | "not asked";
export type ReconcileCounts = Partial<Record<Counted, number>>;

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Checks every purchase that has a next check, also when it is not due. */
  readonly all?: boolean;
}

/**
 * Asks the provider about every purchase whose time has come, several at once and bounded in a second. A purchase that
 * throws is checked again after a growing pause, and stops no other purchase.
 */
export async function reconcilePurchases(
  deps: ProviderDeps,
  { signal, all = false }: RunOptions = {},
): Promise<ReconcileCounts> {
  const { db, log } = deps;
  const counts: ReconcileCounts = {};
  const count = (what: Counted): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const due = await db.Purchase.find({ nextCheckAt: all ? { $gt: new Date(0) } : { $lte: new Date() } }, { _id: 1 })
    .sort({ nextCheckAt: 1 })
    .limit(all ? 0 : pace.rowsPerRun)
    .lean();
  const ask = async ({ _id }: Pick<Purchase, "_id">): Promise<CheckResult> => {
    const purchaseId = String(_id);
    try {
      // An event may have changed the purchase since the list was read.
      const purchase = await db.Purchase.findById(_id).lean<Purchase>();
      const result = purchase?.nextCheckAt ? await reconcilePurchase(deps, purchase) : "unchanged";
      if (purchase?.nextCheckAt) count(result);
      if (result === "unchanged" || result === "busy") return "done";
      countReconciled(deps, result);
      log.info({ eventId: "purchase_reconciled", purchaseId, result }, "purchase reconciled");
      return "done";
    } catch (error) {
      const cause = String(error);
      log.warn({ eventId: "purchase_not_reconciled", purchaseId, cause }, "purchase could not be reconciled");
      countRetry(deps, "purchase");
      count(isAway(error) ? "provider away" : "errors");
      return isAway(error) ? "away" : "error";
    }
  };
  const notAsked = await workThrough(due, ask, { ...pace, signal });
  return notAsked > 0 ? { ...counts, "not asked": notAsked } : counts;
}

/** Counts a purchase that a question to the provider changed. Many without any webhook mean that no webhook arrives. */
function countReconciled({ metrics }: ProviderDeps, result: Reconciled): void {
  const reconciled = metricOf(
    metrics,
    "lyceum_purchases_reconciled_total",
    (as) => new Counter({ ...as, help: "Purchases that a question to the provider changed", labelNames: ["result"] }),
  );
  reconciled.inc({ result });
}

/** Counts a row that a background job could not finish. */
function countRetry({ metrics }: PaymentEventDeps, task: "payment_event" | "purchase"): void {
  const help = "Rows that a payment job could not finish and tries again after a pause";
  const retries = metricOf(
    metrics,
    "lyceum_payment_retries_total",
    (as) => new Counter({ ...as, help, labelNames: ["task"] }),
  );
  retries.inc({ task });
}

/** The result of one row: `away` when the provider did not answer at all. */
export type CheckResult = "done" | "error" | "away";

interface Limits {
  readonly atOnce: number;
  /** Maximum number of rows that begin in a second. */
  readonly perSecond?: number;
  readonly signal?: AbortSignal | undefined;
}

/** After this many rows in a row without an answer, the provider is unavailable and the rest waits for the next run. */
const maxUnansweredRows = 3;

/**
 * Works on rows, several at once. A row that throws stops no other row.
 * @returns how many rows were not begun: the lease was lost, or the provider is away.
 */
export async function workThrough<T>(
  rows: readonly T[],
  work: (row: T) => Promise<CheckResult>,
  { atOnce, perSecond, signal }: Limits,
): Promise<number> {
  const rate = perSecond !== undefined && { interval: 1_000, intervalCap: perSecond };
  const queue = new PQueue({ concurrency: atOnce, ...rate });
  let unanswered = 0;
  let begun = 0;
  const begin = async (row: T): Promise<void> => {
    if (signal?.aborted || unanswered >= maxUnansweredRows) return queue.clear();
    begun += 1;
    unanswered = (await work(row)) === "away" ? unanswered + 1 : 0;
  };
  for (const row of rows) void queue.add(() => begin(row));
  await queue.onIdle();
  return rows.length - begun;
}

/** Whether the provider did not answer: neither refused, nor with a reply of its own. */
export const isAway = (error: unknown): boolean =>
  error instanceof ProviderFault && !error.refused && !error.unreadable;
