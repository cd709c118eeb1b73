import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import type { Db } from "../db/db.js";
import { withLease } from "../db/lease.js";
import { isLoggedFailure } from "../lib/backoff.js";
import type { Job } from "./job.js";
import type { RecordRun, RunOutcome } from "./job-metrics.js";

/** What the scheduler needs beside the jobs. */
export interface JobContext {
  readonly db: Db;
  readonly log: Logger;
  readonly recordRun?: RecordRun;
}

/**
 * A job that is not woken polls again after this time, or up to 10 % later. With the lease it keeps failover below 30
 * seconds, and all jobs together below 1.5 commands a second at rest. Wake-ups and due dates make a poll earlier.
 */
export const usualPollMs = 15_400;
/** How long a crashed run keeps other instances away. */
export const jobLeaseMs = 13_000;

/**
 * Polls for each job's work until stopped: every `pollMs`, when known work falls due, and when `db.jobWakeups` reports
 * new work. A job with due work runs under its lease. A failing run is logged and tried again after the next poll.
 */
export function startJobs(jobs: readonly Job[], context: JobContext, pollMs = usualPollMs): { stop(): Promise<void> } {
  const stopping = new AbortController();
  setMaxListeners(2 * jobs.length, stopping.signal);
  const loops = jobs.map((job) => runWhenDue(job, context, { pollMs, stopping: stopping.signal }));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function runWhenDue(
  job: Job,
  context: JobContext,
  { pollMs, stopping }: { pollMs: number; stopping: AbortSignal },
): Promise<void> {
  const { db, log } = context;
  /** At least this long between two polls, so that a burst of wake-ups is one poll. */
  const shortestPauseMs = pollMs / 10;
  let pollAt = Date.now() + Math.random() * shortestPauseMs;
  let wake = (): void => undefined;
  const pollNow = (): void => {
    pollAt = 0;
    wake();
  };
  stopping.addEventListener("abort", pollNow);
  for (const model of job.models) db.jobWakeups.on(model, pollNow);
  let failures = 0;
  let polledAt = Number.NEGATIVE_INFINITY;
  while (!stopping.aborted) {
    const waitMs = Math.max(pollAt, polledAt + shortestPauseMs) - Date.now();
    if (waitMs > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs).unref();
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      continue;
    }
    polledAt = Date.now();
    // A wake-up during the run makes the next poll earlier again.
    pollAt = polledAt + pollMs * (1 + Math.random() / 10);
    try {
      const due = await job.poll();
      if (due && due.getTime() > Date.now()) pollAt = Math.min(pollAt, due.getTime());
      else if (due && (await run(job, context, stopping))) pollAt = polledAt;
      if (failures > 0) log.info({ eventId: "job_recovered", job: job.name }, "background job works again");
      failures = 0;
    } catch (error) {
      if (stopping.aborted) break;
      failures += 1;
      const failure = { job: job.name, failures, cause: String(error) };
      if (isLoggedFailure(failures)) log.warn({ eventId: "job_failed", ...failure }, "background job failed");
    }
  }
  for (const model of job.models) db.jobWakeups.off(model, pollNow);
}

/** @returns whether something was done, so that more work may be waiting. */
async function run(
  job: Job,
  { db, log, recordRun = () => undefined }: JobContext,
  stopping: AbortSignal,
): Promise<boolean> {
  const work = async (lost: AbortSignal): Promise<string | undefined> => {
    const startedAt = performance.now();
    const record = (outcome: RunOutcome) => recordRun(job.name, outcome, (performance.now() - startedAt) / 1_000);
    try {
      const done = await job.run(AbortSignal.any([lost, stopping]));
      record(done ? "done" : "nothing");
      return done;
    } catch (error) {
      record("failed");
      throw error;
    }
  };
  const done = await withLease(db, `job:${job.name}`, work, { ttlMs: jobLeaseMs });
  if (done) log[job.doneLevel ?? "info"]({ eventId: "job_done", job: job.name }, done);
  return done !== undefined;
}
