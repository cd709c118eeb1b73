import type { Deps } from "../deps.js";
import { pace } from "../services/payments/check-schedule.js";
import { describeCounts, processPendingEvents, reconcilePurchases } from "../services/payments/reconcile-purchases.js";
import type { Job } from "./scheduler.js";

/** Finishes within seconds what a crash left, and asks the provider about purchases whose time has come. */
export function paymentJobs(deps: Deps): Job[] {
  return [
    {
      name: "process-payment-events",
      everyMs: 3_000,
      leaseMs: 6_000,
      async run(signal) {
        const finished = await processPendingEvents(deps, { signal });
        return finished > 0 ? `${finished} payment events finished` : undefined;
      },
    },
    {
      name: "reconcile-purchases",
      everyMs: pace.everyMs,
      leaseMs: 15_000,
      async run(signal) {
        const { unchanged: _unchanged, ...counts } = await reconcilePurchases(deps, { signal });
        return describeCounts(counts);
      },
    },
  ];
}
