import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Db } from "../db/db.js";
import { withLease } from "../db/lease.js";
import { isLoggedFailure } from "../lib/backoff.js";
import type { Job } from "./job.js";
import type { RecordRun, RunOutcome } from "./job-metrics.js";
import { pollJobs } from "./poll-jobs.js";

/** What the scheduler needs beside the jobs. */
export interface JobContext {
  readonly db: Db;
  readonly log: Logger;
  readonly recordRun?: RecordRun;
}

/**
 * All jobs together are polled by one command after this time, or up to 10 % later. With the lease it keeps failover below
 * 30 seconds. Wake-ups and due dates make the poll of a job earlier.
 */
export const usualPollMs = 15_400;
/** How long a crashed run keeps other instances away. */
export const jobLeaseMs = 13_000;
/** Polls of jobs within this time are one command, because one commit often wakes several jobs. */
const gatherMs = 20;

/**
 * Polls for the jobs' work until stopped: for that of all jobs every `pollMs`, and for that of one job when known work falls
 * due and when `db.jobWakeups` reports new work. A job with due work runs under its lease. A failing run is logged and
 * tried again after the next poll.
 */
export function startJobs(jobs: readonly Job[], context: JobContext, pollMs = usualPollMs): { stop(): Promise<void> } {
  const stopping = new AbortController();
  setMaxListeners(2 * jobs.length, stopping.signal);
  const poll = gatherPolls(context.db);
  const runners = jobs.map((job) => runWhenDue(job, context, { poll, pollMs, stopping: stopping.signal }));
  const polls = pollAll(jobs, context, { pollMs, stopping: stopping.signal }, (dates) => {
    for (const [n, { pollBy }] of runners.entries()) {
      const date = dates ? dates[n] : new Date(0);
      if (date) pollBy(date);
    }
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all([polls, ...runners.map(({ ended }) => ended)]);
    },
  };
}

interface Polling {
  readonly pollMs: number;
  readonly stopping: AbortSignal;
}

/**
 * Reads when the work of all jobs is due, again and again.
 * @param found gets the dates; undefined when they could not be read, so that each job polls by itself.
 */
async function pollAll(
  jobs: readonly Job[],
  { db, log }: JobContext,
  { pollMs, stopping }: Polling,
  found: (dates: readonly (Date | undefined)[] | undefined) => void,
): Promise<void> {
  let pauseMs = (pollMs / 10) * Math.random();
  for (let failures = 0; ; pauseMs = pollMs * (1 + Math.random() / 10)) {
    await pause(pauseMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
    if (stopping.aborted) return;
    try {
      found(await pollJobs(db, jobs));
      if (failures > 0) log.info({ eventId: "job_recovered", job: "all" }, "background job works again");
      failures = 0;
    } catch (error) {
      failures += 1;
      found(undefined);
      const failure = { job: "all", failures, cause: String(error) };
      if (isLoggedFailure(failures)) log.warn({ eventId: "job_failed", ...failure }, "background job failed");
    }
  }
}

/** Reads when the work of a job is due first. `begin` is called when the command is sent. */
type Poll = (job: Job, begin: () => void) => Promise<Date | undefined>;

function gatherPolls(db: Db): Poll {
  let gathered: { readonly job: Job; begin(): void }[] = [];
  let dates: ReturnType<typeof pollJobs> | undefined;
  async function send(): ReturnType<typeof pollJobs> {
    await pause(gatherMs);
    const polled = gathered;
    gathered = [];
    dates = undefined;
    for (const { begin } of polled) begin();
    return pollJobs(
      db,
      polled.map(({ job }) => job),
    );
  }
  return async (job, begin) => {
    const place = gathered.push({ job, begin }) - 1;
    dates ??= send();
    return (await dates)[place];
  };
}

/** @returns what makes a poll of the job not later than a date, and what resolves when the job has stopped. */
function runWhenDue(job: Job, context: JobContext, { poll, pollMs, stopping }: Polling & { readonly poll: Poll }) {
  const { db, log } = context;
  const models = new Set(job.kinds.map(({ model }) => model));
  const hasLaterWork = job.kinds.some(({ isDueWhenStored }) => !isDueWhenStored);
  /** At least this long between two polls, so that a burst of wake-ups is one poll. */
  const shortestPauseMs = pollMs / 10;
  let pollAt = Number.POSITIVE_INFINITY;
  let wake = (): void => undefined;
  const pollBy = (date: Date): void => {
    pollAt = Math.min(pollAt, date.getTime());
    wake();
  };
  const pollNow = (): void => pollBy(new Date(0));
  stopping.addEventListener("abort", pollNow);
  for (const model of models) db.jobWakeups.on(model, pollNow);

  async function loop(): Promise<void> {
    let failures = 0;
    let polledAt = Number.NEGATIVE_INFINITY;
    const begin = (): void => {
      polledAt = Date.now();
      // A later wake-up brings the next poll.
      pollAt = Number.POSITIVE_INFINITY;
    };
    while (!stopping.aborted) {
      const waitMs = Math.max(pollAt, polledAt + shortestPauseMs) - Date.now();
      if (waitMs > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(waitMs, pollMs)).unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        continue;
      }
      try {
        const due = await poll(job, begin);
        if (due && due.getTime() > Date.now()) pollBy(due);
        else if (due) {
          const outcome = await run(job, context, stopping);
          if (outcome === "held" || (outcome === "done" && hasLaterWork)) pollNow();
        }
        if (failures > 0) log.info({ eventId: "job_recovered", job: job.name }, "background job works again");
        failures = 0;
      } catch (error) {
        if (stopping.aborted) break;
        failures += 1;
        const failure = { job: job.name, failures, cause: String(error) };
        if (isLoggedFailure(failures)) log.warn({ eventId: "job_failed", ...failure }, "background job failed");
      }
    }
    for (const model of models) db.jobWakeups.off(model, pollNow);
  }
  return { pollBy, ended: loop() };
}

/** @returns `held`: another instance has the lease, and its run may have begun before this work was stored. */
async function run(
  job: Job,
  { db, log, recordRun = () => undefined }: JobContext,
  stopping: AbortSignal,
): Promise<Exclude<RunOutcome, "failed"> | "held"> {
  const work = async (lost: AbortSignal) => {
    const startedAt = performance.now();
    const record = (outcome: RunOutcome) => recordRun(job.name, outcome, (performance.now() - startedAt) / 1_000);
    try {
      const done = await job.run(AbortSignal.any([lost, stopping]));
      record(done ? "done" : "nothing");
      return { done };
    } catch (error) {
      record("failed");
      throw error;
    }
  };
  const result = await withLease(db, `job:${job.name}`, work, { ttlMs: jobLeaseMs });
  if (!result) return "held";
  if (!result.done) return "nothing";
  log[job.doneLevel ?? "info"]({ eventId: "job_done", job: job.name }, result.done);
  return "done";
}
