import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { backgroundJobs } from "../../../src/app.js";
import { type Job, startJobs } from "../../../src/jobs/scheduler.js";
import { commandsDuring } from "../../assertions/commands.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ watchCommands: true });
const { db, log } = server.deps;
const hour = 60 * 60_000;

/** A job on its own, whose work is due when the test says so. */
function startJob(given: Partial<Job> = {}) {
  const state: { due: Date | undefined; looks: number; runs: number } = { due: undefined, looks: 0, runs: 0 };
  const job: Job = {
    name: "produce-certificates",
    everyMs: 20,
    restMs: hour,
    async nextDue() {
      state.looks += 1;
      return state.due;
    },
    waiting: async () => ({ count: 0, since: undefined }),
    async run() {
      state.runs += 1;
      state.due = undefined;
      return undefined;
    },
    ...given,
  };
  const jobs = startJobs([job], db, log);
  onTestFinished(() => jobs.stop());
  return state;
}

test("a server at rest asks the database at most once a second, and takes no lease", async () => {
  const perSecond: number[] = [];
  for (const { nextDue, restMs } of backgroundJobs(server.deps)) {
    const commands = await commandsDuring(server, nextDue);
    expect(commands.filter((command) => !command.find)).toEqual([]);
    perSecond.push((commands.length * 1_000) / (0.9 * restMs));
  }
  expect(perSecond.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(1);
  const state = startJob({ restMs: 20 });
  const commands = await commandsDuring(server, () => expect.poll(() => state.looks).toBeGreaterThan(3));
  expect(commands).toEqual([]);
  expect(state.runs).toBe(0);
});

test("work of another instance is found within 30 seconds, also when it was at it and died", () => {
  for (const { everyMs, restMs, leaseMs = 15_000 } of backgroundJobs(server.deps)) {
    expect(Math.max(restMs, leaseMs + 1.1 * everyMs)).toBeLessThan(30_000);
  }
});

test("a job runs when the work that it knows of is due", async () => {
  const due = new Date(Date.now() + 300);
  const began: number[] = [];
  const run = async () => void began.push(Date.now());
  startJob({ nextDue: async () => (began.length > 0 ? undefined : due), run: async () => run().then(() => undefined) });
  await expect.poll(() => began.length).toBe(1);
  expect(began[0]).toBeGreaterThanOrEqual(due.getTime());
});

test("storing work wakes the job of its own process when the work is due", async () => {
  const state = startJob();
  await expect.poll(() => state.looks).toBe(1);
  state.due = new Date();
  db.jobCalls.emit("produce-certificates", state.due);
  await expect.poll(() => state.runs).toBe(1);
});

test("many calls are one look", async () => {
  const state = startJob({ everyMs: 100 });
  await expect.poll(() => state.looks).toBe(1);
  for (let n = 0; n < 100; n += 1) db.jobCalls.emit("produce-certificates", new Date());
  await expect.poll(() => state.looks).toBe(2);
  await pause(50);
  expect(state.looks).toBe(2);
});

test("work that a process died over is done when its lease has expired", async () => {
  await db.Lease.create({ _id: "job:produce-certificates", holder: "gone", expiresAt: new Date(Date.now() + 400) });
  const state = startJob();
  state.due = new Date();
  await expect.poll(() => state.looks).toBeGreaterThan(2);
  expect(
    (await db.Lease.countDocuments({ holder: "gone", expiresAt: { $gt: new Date() } })) === 1 && state.runs,
  ).not.toBe(1);
  await expect.poll(() => state.runs).toBe(1);
});

test("background work that goes on failing is in the log now and then, and once more when it works again", async () => {
  const { db } = (await startTestServer()).deps;
  const lines: { level: number; msg: string; failures?: number }[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs <= 12) throw new Error("the database is away");
    return undefined;
  };
  const nextDue = async () => new Date();
  const jobs = startJobs(
    [
      {
        name: "write-roles",
        everyMs: 1,
        restMs: 1,
        nextDue,
        waiting: async () => ({ count: 0, since: undefined }),
        run,
      },
    ],
    db,
    log,
  );
  await expect.poll(() => runs, { timeout: 10_000 }).toBeGreaterThan(13);
  await jobs.stop();
  expect(lines).toMatchObject([
    { level: 40, msg: "background job failed", failures: 1 },
    { level: 40, msg: "background job failed", failures: 10 },
    { level: 30, msg: "background job works again" },
  ]);
});
