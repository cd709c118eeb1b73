import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { compose } from "../../src/compose.js";
import { parseConfig } from "../../src/config.js";
import { withLease } from "../../src/db/lease.js";
import { backgroundJobs } from "../../src/jobs/index.js";
import { processPendingEvents, reconcilePurchases } from "../../src/services/payments/reconcile/reconcile-purchases.js";
import { ofAccess } from "./promises/access.js";
import { ofEvents } from "./promises/events.js";
import { ofLearning } from "./promises/learning.js";
import { ofMail } from "./promises/mail.js";
import { ofMoney } from "./promises/money.js";
import { ofNotices } from "./promises/notices.js";
import type { Checked, Promised } from "./promises/promise.js";
import { ofRecords } from "./promises/records.js";
import type { System } from "./system/system.js";
import type { Journal } from "./workload/journal.js";

export interface Settled {
  readonly promises: readonly ({ readonly name: string } & Checked)[];
  /** Time until all promises held. */
  readonly settledMs: number;
}

const promises: readonly Promised[] = [
  ...ofMoney,
  ...ofAccess,
  ...ofLearning,
  ...ofRecords,
  ...ofEvents,
  ...ofNotices,
  ...ofMail,
];

export const isEveryKept = (checked: readonly Checked[]): boolean => checked.every(({ broken }) => broken.length === 0);

/** Waits for recovery after the last fault, up to a time limit, and checks every promise. */
export async function settle(system: System, journal: Journal, withinMs: number): Promise<Settled> {
  const startedAt = performance.now();
  const passed = (): number => performance.now() - startedAt;
  await recover(system);
  let checked = await check(system, journal);
  while (!isEveryKept(checked) && passed() < withinMs) {
    await workOff(system);
    checked = await check(system, journal);
  }
  return { promises: checked, settledMs: passed() };
}

/** Checks every promise. A check that fails counts as a violation. */
async function check(system: System, journal: Journal): Promise<({ name: string } & Checked)[]> {
  const checked = [];
  for (const { name, check: look } of promises) {
    const found = await look({ system, journal }).catch((error: unknown) => ({ count: 0, broken: [String(error)] }));
    checked.push({ name, count: found.count, broken: found.broken });
  }
  return checked;
}

/** Exceeds every back-off. */
const everyPauseMs = 24 * 60 * 60_000;
const patienceMs = 60_000;

/** Starts all processes and redelivers the providers' failed webhooks. */
async function recover({ servers, database, emulators }: System): Promise<void> {
  await database?.up(patienceMs);
  for (const { process } of servers) process.start();
  await Promise.all(servers.map(({ process }) => process.up(patienceMs)));
  for (const provider of [emulators.identity, emulators.payments]) {
    for (let tries = 0; tries < 3; tries += 1) {
      const late = provider.deliveries().filter(({ state }) => state !== "delivered");
      // The provider's own retry may have delivered the message in the meantime.
      for (const { id } of late) await provider.redeliver(id).catch(() => undefined);
      if (late.length === 0) break;
    }
  }
}

/** Runs all background work once, regardless of back-offs. */
async function workOff({ env, db }: System): Promise<void> {
  const { deps, close } = await compose(parseConfig(env), pino({ level: "silent" }));
  try {
    const now = { $set: { nextAttemptAt: new Date() } };
    await db.Certificate.updateMany({ status: "pending" }, now);
    await db.Erasure.updateMany({}, now);
    await db.Mail.updateMany({ state: "waiting" }, now);
    const lectureRemoved = { completionsDueAt: { $exists: true } };
    await db.Course.updateMany(lectureRemoved, { completionsDueAt: new Date() }, { timestamps: false });
    await db.EducatorApplication.updateMany({ status: "approving" }, now);
    const alone = (job: string, work: (lost: AbortSignal) => Promise<unknown>) =>
      withLease(deps.db, `job:${job}`, async (lost) => (await work(lost)) ?? "", { ttlMs: 15_000 });
    await alone("reconcile-purchases", async (signal) => {
      await processPendingEvents(deps, { signal, asOf: new Date(Date.now() + everyPauseMs) });
      await reconcilePurchases(deps, { signal, all: true });
    });
    for (const job of backgroundJobs(deps)) await alone(job.name, (lost) => job.run(lost));
  } catch {
    // Retry later, because another process or a dead transaction holds a lock.
    await pause(500);
  } finally {
    await close();
  }
}
