import { Gauge, type Registry } from "prom-client";
import type { Db } from "../db/db.js";
import type { Job } from "./scheduler.js";

/** More are told as this many. */
const mostCounted = 1_000;

/** Tells at each scrape what background work waits, and what waits for an operator; of the whole platform. */
export function watchJobs(jobs: readonly Job[], db: Db, metrics: Registry): void {
  new Gauge({
    name: "lyceum_job_overdue_seconds",
    help: "How long the oldest work of a background job has been due; 0 when none is",
    labelNames: ["job"],
    registers: [metrics],
    async collect() {
      await Promise.all(
        jobs.map(async (job) => {
          const due = await job.nextDue().catch(() => undefined);
          const overdueMs = due ? Math.max(0, Date.now() - due.getTime()) : 0;
          this.set({ job: job.name }, overdueMs / 1_000);
        }),
      );
    },
  });
  new Gauge({
    name: "lyceum_payment_events_in_review",
    help: "Payment events that an operator should look at, 1000 at most",
    registers: [metrics],
    async collect() {
      const counted = db.PaymentEvent.countDocuments({ state: "review" }).limit(mostCounted);
      await counted.then(
        (count) => this.set(count),
        () => undefined,
      );
    },
  });
}
