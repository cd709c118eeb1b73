import { Gauge, Histogram, type Registry } from "prom-client";
import type { Db } from "../db/db.js";
import type { JobName } from "../db/job-calls.js";
import { mostCounted, type WaitingWork } from "./due-work.js";
import type { Job } from "./scheduler.js";

/** `nothing`: another run had done it before. */
export type RunOutcome = "done" | "nothing" | "failed";
export type RecordRun = (job: JobName, outcome: RunOutcome, seconds: number) => void;

/** Not `job`: Prometheus gives every series a label of that name. */
const labelOfJob = "job_name";

/**
 * Tells at each scrape what background work waits, and what waits for an operator; of the whole platform.
 * @returns what counts the runs of this process.
 */
export function watchJobs(jobs: readonly Job[], db: Db, metrics: Registry): RecordRun {
  const seconds = new Histogram({
    name: "lyceum_job_duration_seconds",
    help: "Time that a run of a background job took",
    labelNames: [labelOfJob, "outcome"],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
    registers: [metrics],
  });
  const look = lookAtWork(jobs);
  new Gauge({
    name: "lyceum_job_backlog",
    help: "How much work of a background job is due, 1000 of each kind at most",
    labelNames: [labelOfJob],
    registers: [metrics],
    async collect() {
      for (const [job, work] of await look()) if (work) this.set({ [labelOfJob]: job }, work.count);
    },
  });
  new Gauge({
    name: "lyceum_job_overdue_seconds",
    help: "How long the oldest work of a background job has been due, failed attempts included; 0 when none is",
    labelNames: [labelOfJob],
    registers: [metrics],
    async collect() {
      for (const [job, work] of await look()) {
        const overdueMs = work?.since ? Math.max(0, Date.now() - work.since.getTime()) : 0;
        this.set({ [labelOfJob]: job }, overdueMs / 1_000);
      }
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
  return (job, outcome, duration) => seconds.observe({ [labelOfJob]: job, outcome }, duration);
}

/** Asks what waits. All gauges of a scrape share one look, and so do scrapes that meet; undefined where it failed. */
function lookAtWork(jobs: readonly Job[]): () => Promise<(readonly [JobName, WaitingWork | undefined])[]> {
  const lookNow = () =>
    Promise.all(jobs.map(async (job) => [job.name, await job.waiting().catch(() => undefined)] as const));
  let looking: ReturnType<typeof lookNow> | undefined;
  return () => {
    looking ??= lookNow().finally(() => {
      looking = undefined;
    });
    return looking;
  };
}
