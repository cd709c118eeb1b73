import type { Deps } from "../deps.js";
import { pace } from "../services/payments/reconcile/check-schedule.js";
import {
  describeCounts,
  processPendingEvents,
  reconcilePurchases,
} from "../services/payments/reconcile/reconcile-purchases.js";
import { earliestDue } from "./earliest-due.js";
import type { Job } from "./scheduler.js";

/** Finishes within seconds what a crash left, and asks the provider about purchases whose time has come. */
export function paymentJobs(deps: Deps): Job[] {
  return [
    {
      name: "process-payment-events",
      everyMs: 3_000,
      restMs: 29_000,
      leaseMs: 6_000,
      nextDue: () => earliestDue(deps.db.PaymentEvent, "nextAttemptAt", { state: "pending" }),
      async run(signal) {
        const finished = await processPendingEvents(deps, { signal });
        return finished > 0 ? `${finished} payment events finished` : undefined;
      },
    },
    {
      name: "reconcile-purchases",
      everyMs: pace.everyMs,
      restMs: 29_000,
      async nextDue() {
        const { Purchase } = deps.db;
        const dates = await Promise.all([earliestDue(Purchase, "nextCheckAt"), earliestDue(Purchase, "orphanCheckAt")]);
        return dates.filter((date) => date !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];
      },
      async run(signal) {
        const { unchanged: _unchanged, ...counts } = await reconcilePurchases(deps, { signal });
        return describeCounts(counts);
      },
    },
  ];
}
