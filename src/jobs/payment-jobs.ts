import type { Deps } from "../deps.js";
import { pace } from "../services/payments/reconcile/check-schedule.js";
import {
  describeCounts,
  processPendingEvents,
  reconcilePurchases,
} from "../services/payments/reconcile/reconcile-purchases.js";
import { allWork, dueRows } from "./due-work.js";
import type { Job } from "./scheduler.js";

/** Finishes within seconds what a crash left, and asks the provider about purchases whose time has come. */
export function paymentJobs(deps: Deps): Job[] {
  return [
    {
      name: "process-payment-events",
      everyMs: 3_000,
      restMs: 29_000,
      leaseMs: 6_000,
      ...dueRows(
        deps.db.PaymentEvent,
        "nextAttemptAt",
        { state: "pending" },
        { since: "createdAt", sinceOrder: "_id" },
      ),
      async run(signal) {
        const finished = await processPendingEvents(deps, { signal });
        return finished > 0 ? `${finished} payment events finished` : undefined;
      },
    },
    {
      name: "reconcile-purchases",
      everyMs: pace.everyMs,
      restMs: 29_000,
      ...allWork(dueRows(deps.db.Purchase, "nextCheckAt"), dueRows(deps.db.Purchase, "orphanCheckAt")),
      async run(signal) {
        const { unchanged: _unchanged, ...counts } = await reconcilePurchases(deps, { signal });
        return describeCounts(counts);
      },
    },
  ];
}
