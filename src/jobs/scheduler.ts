import type { Logger } from "pino";
import type { Db } from "../db/db.js";
import { underLease } from "../db/lease.js";

/** Background work that any instance may do, one at a time. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** How long a crashed run keeps others away; 30 s unless told. The lease is renewed while a run lasts. */
  readonly leaseMs?: number;
  /** @returns what was done, in a few words, or undefined when there was nothing to do. */
  run(signal: AbortSignal): Promise<string | undefined>;
}

/** What fails again and again is told of the first, tenth, hundredth … time. */
export const isWorthALine = (failures: number): boolean => /^10*$/.test(String(failures));

/** Runs each job now and then under its lease until stopped. A failing run is logged and tried again next time. */
export function startJobs(jobs: readonly Job[], db: Db, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const timers = new Map<string, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  /** Runs of a job that failed since one did not. */
  const failures = new Map<string, number>();

  const once = async (job: Job): Promise<void> => {
    try {
      const run = (lost: AbortSignal) => job.run(AbortSignal.any([lost, stopping.signal]));
      const done = await underLease(db, `job:${job.name}`, run, job.leaseMs);
      if (done) log.info({ job: job.name }, done);
      if (failures.delete(job.name)) log.info({ job: job.name }, "background job works again");
    } catch (error) {
      if (stopping.signal.aborted) return;
      const failed = (failures.get(job.name) ?? 0) + 1;
      failures.set(job.name, failed);
      const fault = { job: job.name, failures: failed, cause: String(error) };
      if (isWorthALine(failed)) log.warn(fault, "background job failed");
    }
  };
  const schedule = (job: Job, inMs: number): void => {
    const timer = setTimeout(() => {
      const run = once(job).finally(() => {
        running.delete(run);
        if (!stopping.signal.aborted) schedule(job, job.everyMs * (0.9 + Math.random() * 0.2));
      });
      running.add(run);
    }, inMs);
    timer.unref();
    timers.set(job.name, timer);
  };
  for (const job of jobs) schedule(job, Math.min(job.everyMs, 1_000 + Math.random() * 1_000));

  return {
    async stop() {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
