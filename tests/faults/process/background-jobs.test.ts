import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { backgroundJobs } from "../../../src/jobs/index.js";
import type { Job } from "../../../src/jobs/job.js";
import { pollJobs } from "../../../src/jobs/poll-jobs.js";
import { jobLeaseMs, startJobs, usualPollMs } from "../../../src/jobs/scheduler.js";
import { commandsDuring, effortOf } from "../../assertions/commands.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "runs jobs over all rows" });
const { db, log } = server.deps;
const atRest = { polls: 0, runs: 0, due: undefined as Date | undefined };
/** Certificates, of which there are none, whose work is due at a date. */
const workDue = (readDue: () => Date | undefined): Job["kinds"] => [
  {
    model: "Certificate",
    first() {
      const ifNone = readDue();
      return { coll: db.Certificate.collection.name, pipeline: [{ $match: { _id: null } }], ...(ifNone && { ifNone }) };
    },
  },
];

/** A job on its own, whose work is due when the test says so. */
function startJob({ pollMs = 200, ...given }: Partial<Job> & { pollMs?: number } = {}) {
  const state = { ...atRest };
  const job: Job = {
    name: "produce-certificates",
    kinds: workDue(() => {
      state.polls += 1;
      return state.due;
    }),
    backlog: async () => ({ count: 0, since: undefined }),
    async run() {
      state.runs += 1;
      state.due = undefined;
      return undefined;
    },
    ...given,
  };
  const jobs = startJobs([job], { db, log }, pollMs);
  onTestFinished(() => jobs.stop());
  return state;
}

test("a server at rest asks the database by one command for all jobs, along indexes, and takes no lease", async () => {
  const jobs = backgroundJobs(server.deps);
  expect((await pollJobs(db, jobs)).length).toBe(jobs.length);
  const running = startJobs(jobs, { db, log }, 400);
  onTestFinished(() => running.stop());
  // At first, the dates of periodic work are stored.
  await pause(1_500);
  const commands = await commandsDuring(server, () => pause(1_400));
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.length).toBeLessThan(5);
  expect(commands.filter(({ aggregate }) => !aggregate)).toEqual([]);
  if (process.env.MONGODB_URI === undefined) {
    expect(await effortOf(server, commands)).toMatchObject({ scans: [], sorts: [] });
  }
});

test("work of another instance is found within 30 seconds, also when that instance was at it and died", () => {
  expect(jobLeaseMs + 1.1 * usualPollMs).toBeLessThan(30_000);
});

test("a job runs when the work that it knows of is due", async () => {
  const due = new Date(Date.now() + 300);
  const began: number[] = [];
  startJob({
    pollMs: 10_000,
    kinds: workDue(() => (began.length > 0 ? undefined : due)),
    run: async () => void began.push(Date.now()) as undefined,
  });
  await expect.poll(() => began.length, { timeout: 5_000 }).toBe(1);
  expect(began[0]).toBeGreaterThanOrEqual(due.getTime());
});

test("storing work wakes the job of its own process, and many wake-ups are one poll", async () => {
  const state = startJob({ pollMs: 10_000 });
  // The first poll of all jobs. The next is 10 seconds away.
  await expect.poll(() => state.polls, { timeout: 3_000 }).toBe(1);
  state.due = new Date();
  for (let n = 0; n < 100; n += 1) db.jobWakeups.emit("Certificate");
  await expect.poll(() => state.runs, { timeout: 3_000 }).toBe(1);
  await pause(50);
  expect(state.polls).toBe(2);
});

test("work that a process died over is done when its lease has expired", async () => {
  const expiresAt = new Date(Date.now() + 600);
  await db.Lease.create({ _id: "job:produce-certificates", holder: "gone", expiresAt });
  const began: number[] = [];
  // An instance that finds the lease taken tries again long before the next poll of all jobs.
  const state = startJob({ pollMs: 10_000, run: async () => void began.push(Date.now()) as undefined });
  state.due = new Date();
  await expect.poll(() => began.length, { timeout: 5_000 }).toBeGreaterThan(0);
  expect(began[0]).toBeGreaterThanOrEqual(expiresAt.getTime());
});

test("background work that goes on failing is in the log now and then, and once more when it works again", async () => {
  const lines: { level: number; msg: string; failures?: number }[] = [];
  const own = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let runs = 0;
  const [job] = backgroundJobs(server.deps);
  const run = async () => {
    runs += 1;
    if (runs <= 12) throw new Error("the database is away");
    return undefined;
  };
  const failing = { ...job, name: "write-roles", kinds: workDue(() => new Date()), run } as Job;
  const jobs = startJobs([failing], { db, log: own }, 10);
  await expect.poll(() => runs, { timeout: 10_000 }).toBeGreaterThan(13);
  await jobs.stop();
  expect(lines).toMatchObject([
    { level: 40, msg: "background job failed", failures: 1 },
    { level: 40, msg: "background job failed", failures: 10 },
    { level: 30, msg: "background job works again" },
  ]);
});
