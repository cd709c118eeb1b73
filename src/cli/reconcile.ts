import { setTimeout as pause } from "node:timers/promises";
import { compose } from "../compose.js";
import { parseConfig, secretsOf } from "../config.js";
import { underLease } from "../db/lease.js";
import type { Deps } from "../deps.js";
import { CommandError, createLog, environment, run } from "../process.js";
import {
  describeCounts,
  processPendingEvents,
  reconcilePurchases,
} from "../services/payments/reconcile/reconcile-purchases.js";
import { joinDevelopmentServer } from "./development-server.js";

/** How often, and after which pause, a run is tried while another instance holds the lease. */
const tries = { count: 60, pauseMs: 1_000 };

/** Longer than any pause between two attempts: the operator wants them now. */
const everyPauseMs = 60 * 60_000;

/**
 * `npm run reconcile`: brings every purchase in line with the payment provider once and prints what it did. Exit code 1
 * when there are some that the provider was not asked about, or did not answer.
 */
async function main(): Promise<void> {
  const env = environment();
  await joinDevelopmentServer(env);
  const config = parseConfig(env);
  const { deps, close } = await compose(config, createLog(config.logLevel, secretsOf(config), process.stderr));
  try {
    const { report, open } = await reconcile(deps);
    process.stdout.write(`${report}\n`);
    if (open > 0)
      throw new CommandError(`The payment provider did not answer: ${open} purchases are still open, run this again`);
  } finally {
    await close();
  }
}

async function reconcile(deps: Deps): Promise<{ report: string; open: number }> {
  for (let tried = 0; tried < tries.count; tried += 1) {
    const work = async (signal: AbortSignal) => {
      const finished = await processPendingEvents(deps, { signal, asOf: new Date(Date.now() + everyPauseMs) });
      const asked = await reconcilePurchases(deps, { signal, all: true });
      const report = [
        `payment events finished: ${finished}`,
        `asked the provider: ${describeCounts(asked) ?? "nothing to ask about"}`,
      ].join("\n");
      return { report, open: (asked["provider away"] ?? 0) + (asked["not asked"] ?? 0) + (asked.errors ?? 0) };
    };
    const done = await underLease(deps.db, "job:reconcile-purchases", work, { ttlMs: 15_000 });
    if (done !== undefined) return done;
    await pause(tries.pauseMs);
  }
  throw new CommandError("another instance holds the lease all the time");
}

run(main);
