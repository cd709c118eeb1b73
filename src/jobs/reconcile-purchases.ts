import { describeCounts, reconcilePurchases, sweepPayments } from "../commands/sweep-payments.js";
import type { Deps } from "../deps.js";
import type { Job } from "./scheduler.js";

/** What a crash left is finished within seconds; the provider is asked about purchases whose time has come. */
export function paymentJobs(deps: Deps): Job[] {
  return [
    {
      name: "sweep-payments",
      everyMs: 3_000,
      leaseMs: 6_000,
      async run(signal) {
        const { purchases, seats, events } = await sweepPayments(deps, { signal });
        return describeCounts({
          "purchases rolled forward": purchases,
          "enrollments rolled forward": seats,
          "payment events finished": events,
        });
      },
    },
    {
      name: "reconcile-purchases",
      everyMs: 10_000,
      leaseMs: 15_000,
      async run(signal) {
        const { unchanged: _unchanged, ...counts } = await reconcilePurchases(deps, { signal });
        return describeCounts(counts);
      },
    },
  ];
}
