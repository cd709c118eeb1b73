import { Gauge, Histogram, type Registry } from "prom-client";
import type { Db } from "../db/db.js";
import { singleFlight } from "../lib/single-flight.js";
import { pendingDeliveries } from "../models/events/webhook-delivery.js";
import { flaggedPurchases } from "../models/payments/purchase.js";
import { type Job, maxCounted } from "./job.js";

/** `nothing`: another run had done it before. */
export type RunOutcome = "done" | "nothing" | "failed";
export type RecordRun = (job: string, outcome: RunOutcome, seconds: number) => void;

/** Not `job`: Prometheus gives every series a label of that name. */
const jobLabel = "job_name";

/**
 * Reports the platform's job backlog, open reviews of money, nameless certificates and pending deliveries at each scrape.
 * @returns what counts the runs of this process.
 */
export function watchJobs(jobs: readonly Job[], db: Db, metrics: Registry): RecordRun {
  const seconds = new Histogram({
    name: "lyceum_job_duration_seconds",
    help: "Time that a run of a background job took",
    labelNames: [jobLabel, "outcome"],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
    registers: [metrics],
  });
  // The gauges of a scrape share one read of each backlog. A job whose backlog cannot be read is left out.
  const readBacklogs = singleFlight(async () => {
    const read = async (job: Job) => ({ name: job.name, ...(await job.backlog()) });
    const results = await Promise.allSettled(jobs.map(read));
    return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  });
  new Gauge({
    name: "lyceum_job_backlog",
    help: "Rows of a background job that are due, 1000 of each kind at most",
    labelNames: [jobLabel],
    registers: [metrics],
    async collect() {
      for (const { name, count } of await readBacklogs()) this.set({ [jobLabel]: name }, count);
    },
  });
  new Gauge({
    name: "lyceum_job_overdue_seconds",
    help: "How long the oldest work of a background job has been due, failed attempts included; 0 when none is",
    labelNames: [jobLabel],
    registers: [metrics],
    async collect() {
      for (const { name, since } of await readBacklogs()) {
        const overdueMs = since ? Math.max(0, Date.now() - since.getTime()) : 0;
        this.set({ [jobLabel]: name }, overdueMs / 1_000);
      }
    },
  });
  const gauge = (name: string, help: string, read: () => PromiseLike<number>) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        await read().then(
          (value) => this.set(value),
          () => undefined,
        );
      },
    });
  gauge("lyceum_payment_events_in_review", "Payment events of no known purchase, 1000 at most", () =>
    db.PaymentEvent.countDocuments({ state: "review" }).limit(maxCounted).exec(),
  );
  gauge("lyceum_purchases_flagged", "Purchases with an open flag, 1000 at most", () =>
    db.Purchase.countDocuments(flaggedPurchases).limit(maxCounted).exec(),
  );
  gauge(
    "lyceum_certificates_without_name",
    "Certificates that wait for the identity provider to report a name of their learner, 1000 at most",
    () => db.Certificate.countDocuments({ status: "pending", studentName: null }).limit(maxCounted).exec(),
  );
  gauge(
    "lyceum_webhook_deliveries_pending",
    "Deliveries to webhooks that are not delivered yet, those between two attempts included, 1000 at most",
    () => db.WebhookDelivery.countDocuments(pendingDeliveries).limit(maxCounted).exec(),
  );
  gauge(
    "lyceum_webhook_oldest_pending_seconds",
    "Age of the oldest pending delivery to a webhook; 0 when none is pending",
    async () => {
      const oldest = await db.WebhookDelivery.findOne(pendingDeliveries, { createdAt: 1, _id: 0 })
        .sort({ createdAt: 1 })
        .lean();
      return oldest ? Math.max(0, Date.now() - oldest.createdAt.getTime()) / 1_000 : 0;
    },
  );
  return (job, outcome, duration) => seconds.observe({ [jobLabel]: job, outcome }, duration);
}
