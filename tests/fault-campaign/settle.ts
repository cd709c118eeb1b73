import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { compose } from "../../src/compose.js";
import { parseConfig } from "../../src/config.js";
import { withLease } from "../../src/db/lease.js";
import { backgroundJobs } from "../../src/jobs/index.js";
import { processPendingEvents, reconcilePurchases } from "../../src/services/payments/reconcile/reconcile-purchases.js";
import { ofAccess } from "./promises/access.js";
import { ofLearning } from "./promises/learning.js";
import { ofMoney } from "./promises/money.js";
import type { Checked, Promised } from "./promises/promise.js";
import { ofRecords } from "./promises/records.js";
import type { System } from "./system/system.js";
import type { Journal } from "./workload/journal.js";

export interface Settled {
  readonly promises: readonly ({ readonly name: string } & Checked)[];
  /** How long it took until all promises were kept. */
  readonly settledMs: number;
}

const promises: readonly Promised[] = [...ofMoney, ...ofAccess, ...ofLearning, ...ofRecords];

export const isEveryKept = (checked: readonly Checked[]): boolean => checked.every(({ broken }) => broken.length === 0);

/** After the last fault: lets everything come right, for so long at most, and checks every promise. */
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

/** Every promise; what cannot be checked at this moment is not kept. */
async function check(system: System, journal: Journal): Promise<({ name: string } & Checked)[]> {
  const checked = [];
  for (const { name, check: look } of promises) {
    const found = await look({ system, journal }).catch((error: unknown) => ({ count: 0, broken: [String(error)] }));
    checked.push({ name, count: found.count, broken: found.broken });
  }
  return checked;
}

/** Longer than any pause between two attempts. */
const everyPauseMs = 24 * 60 * 60_000;
const patienceMs = 60_000;

/** Everything runs, and the providers deliver what they could not. */
async function recover({ servers, database, emulators }: System): Promise<void> {
  await database?.up(patienceMs);
  for (const { process } of servers) process.start();
  await Promise.all(servers.map(({ process }) => process.up(patienceMs)));
  for (const provider of [emulators.identity, emulators.payments]) {
    for (let tries = 0; tries < 3; tries += 1) {
      const late = provider.deliveries().filter(({ state }) => state !== "delivered");
      // Until its turn comes, the provider's own retry may have delivered a message.
      for (const { id } of late) await provider.redeliver(id).catch(() => undefined);
      if (late.length === 0) break;
    }
  }
}

/** All background work once, as if every pause between two attempts were over. */
async function workOff({ env, db }: System): Promise<void> {
  const { deps, close } = await compose(parseConfig(env), pino({ level: "silent" }));
  try {
    const now = { $set: { nextAttemptAt: new Date() } };
    await db.Certificate.updateMany({ status: "pending" }, now);
    await db.Erasure.updateMany({}, now);
    const lectureRemoved = { completionsDueAt: { $exists: true } };
    await db.Course.updateMany(lectureRemoved, { completionsDueAt: new Date() }, { timestamps: false });
    await db.EducatorApplication.updateMany({ status: "approving" }, now);
    await withLease(
      deps.db,
      "job:reconcile-purchases",
      async (signal) => {
        await processPendingEvents(deps, { signal, asOf: new Date(Date.now() + everyPauseMs) });
        await reconcilePurchases(deps, { signal, all: true });
        return true;
      },
      { ttlMs: 15_000 },
    );
    for (const job of backgroundJobs(deps)) {
      await withLease(deps.db, `job:${job.name}`, async (lost) => (await job.run(lost)) ?? "", { ttlMs: 15_000 });
    }
  } catch {
    // What another holds, or a transaction of a dead process, is free a little later.
    await pause(500);
  } finally {
    await close();
  }
}
