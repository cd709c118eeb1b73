import type { Deps } from "../deps.js";
import { describeCounts, reconcilePurchases } from "../services/payments/reconcile/reconcile-purchases.js";
import { createJob, dueRows } from "./create-job.js";

/** Asks the payment provider about purchases whose next check is due. */
export const reconcilePurchasesJob = (deps: Deps) =>
  createJob({
    name: "reconcile-purchases",
    work: [dueRows(deps.db.Purchase, "nextCheckAt"), dueRows(deps.db.Purchase, "orphanCheckAt")],
    async run(signal) {
      const { unchanged: _unchanged, ...counts } = await reconcilePurchases(deps, { signal });
      return describeCounts(counts);
    },
  });
