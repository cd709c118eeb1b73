import type { Logger } from "pino";
import type { Db } from "../db/db.js";
import type { JobName } from "../db/job-calls.js";
import { withLease } from "../db/lease.js";
import type { DueWork } from "./due-work.js";
import type { RecordRun, RunOutcome } from "./job-metrics.js";

/** Background work that any instance may do, one at a time. */
export interface Job extends DueWork {
  readonly name: JobName;
  /** The least time between two looks for work, in milliseconds. */
  readonly everyMs: number;
  /** The longest time between two looks. Work that another instance left behind is found within it. */
  readonly restMs: number;
  /** How long a crashed run keeps others away; 15 s by default. The lease is renewed while a run lasts. */
  readonly leaseMs?: number;
  /** @returns what was done, in a few words, or undefined when there was nothing to do. */
  run(signal: AbortSignal): Promise<string | undefined>;
}

const usualLeaseMs = 15_000;

/** A repeated failure is logged the first, tenth, hundredth … time. */
export const isLoggedFailure = (failures: number): boolean => /^10*$/.test(String(failures));

/**
 * Looks for each job's work until stopped: when the work that it knows of is due, when `db.jobCalls` tells of new work,
 * and at the latest after the job's rest. Only a job that has something to do takes its lease and runs. A failing run is
 * logged and tried again at the next look.
 */
export function startJobs(
  jobs: readonly Job[],
  db: Db,
  log: Logger,
  record: RecordRun = () => undefined,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loops = jobs.map((job) => startLoop(job, { db, log, record }, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops.map((loop) => loop.ended()));
    },
  };
}

interface Around {
  readonly db: Db;
  readonly log: Logger;
  readonly record: RecordRun;
}

function startLoop(job: Job, { db, log, record }: Around, stopping: AbortSignal): { ended(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let lookAt = Number.POSITIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  /** Looks that failed since one did not. */
  let failures = 0;

  /** Makes the next look come no later than this, but never sooner than `everyMs` after the last one. */
  function lookBy(time: number): void {
    const at = Math.max(time, lookedAt + job.everyMs);
    if (stopping.aborted || at >= lookAt) return;
    lookAt = at;
    // One that falls due during a look is begun when that has ended.
    if (!looking) arm();
  }
  function arm(): void {
    if (stopping.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(begin, Math.max(0, lookAt - Date.now()));
    timer.unref();
  }
  function begin(): void {
    [lookedAt, lookAt] = [Date.now(), Number.POSITIVE_INFINITY];
    looking = look().then((next) => {
      looking = undefined;
      lookBy(next);
      arm();
    });
  }

  /** @returns when to look again at the latest. */
  async function look(): Promise<number> {
    const soon = () => Date.now() + job.everyMs * (0.9 + Math.random() * 0.2);
    try {
      const due = await job.nextDue();
      const isDue = due !== undefined && due.getTime() <= Date.now();
      if (isDue) await run();
      if (failures > 0) log.info({ eventId: "job_recovered", job: job.name }, "background job works again");
      failures = 0;
      const rest = Date.now() + job.restMs * (0.9 + Math.random() * 0.1);
      return isDue ? soon() : Math.min(due?.getTime() ?? rest, rest);
    } catch (error) {
      if (stopping.aborted) return soon();
      failures += 1;
      const failure = { job: job.name, failures, cause: String(error) };
      if (isLoggedFailure(failures)) log.warn({ eventId: "job_failed", ...failure }, "background job failed");
      return soon();
    }
  }

  async function run(): Promise<void> {
    const work = async (lost: AbortSignal) => {
      const startedAt = performance.now();
      const ended = (outcome: RunOutcome) => record(job.name, outcome, (performance.now() - startedAt) / 1_000);
      try {
        const did = await job.run(AbortSignal.any([lost, stopping]));
        ended(did ? "done" : "nothing");
        return did;
      } catch (error) {
        ended("failed");
        throw error;
      }
    };
    const done = await withLease(db, `job:${job.name}`, work, { ttlMs: job.leaseMs ?? usualLeaseMs });
    if (done) log.info({ eventId: "job_done", job: job.name }, done);
  }

  const called = (due: Date) => lookBy(due.getTime());
  db.jobCalls.on(job.name, called);
  lookBy(Date.now() + Math.min(job.everyMs, 1_000 + Math.random() * 1_000));
  return {
    async ended() {
      clearTimeout(timer);
      db.jobCalls.off(job.name, called);
      await looking;
    },
  };
}
