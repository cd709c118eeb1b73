import type { Deps } from "../deps.js";
import { processPendingEvents } from "../services/payments/reconcile/reconcile-purchases.js";
import { createJob, dueRows } from "./create-job.js";

/** Applies stored payment events whose effect a crash or an error has held up. */
export const processPaymentEventsJob = (deps: Deps) =>
  createJob({
    name: "process-payment-events",
    work: dueRows(deps.db.PaymentEvent, "nextAttemptAt", {
      filter: { state: "pending" },
      since: "createdAt",
      sinceOrder: "_id",
    }),
    async run(signal) {
      const finished = await processPendingEvents(deps, { signal });
      return finished > 0 ? `${finished} payment events finished` : undefined;
    },
  });
