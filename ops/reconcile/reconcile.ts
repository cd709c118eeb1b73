import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { readArguments } from "#server/cli/arguments.js";
import { joinDevelopmentServer } from "#server/cli/development-server.js";
import { compose } from "#server/compose.js";
import { parseConfig, secretsOf } from "#server/config.js";
import { withLease } from "#server/db/lease.js";
import type { Deps } from "#server/deps.js";
import { describeCounts } from "#server/jobs/create-job.js";
import { CommandError, createLog, environment, run } from "#server/process.js";
import { processPendingEvents, reconcilePurchases } from "#server/services/payments/reconcile/reconcile-purchases.js";
import { type EventInReview, reconcileSince } from "./reconcile-since.js";

const maxLeaseAttempts = 60;
const leaseRetryMs = 1_000;

/** How far ahead due events are read. It exceeds every back-off, so that the command retries all events now. */
const lookAheadMs = 60 * 60_000;

/**
 * `npm run reconcile -- [--since <time>]` reconciles every unfinished purchase with the payment provider once.
 * With `--since` it first applies all orders, payments and refunds that the provider has created since that time. Use
 * this after the restore of a backup. The exit code is 1 when the provider was unavailable or work is unfinished.
 */
async function main(): Promise<void> {
  const since = readSince();
  const env = environment();
  await joinDevelopmentServer(env);
  const config = parseConfig(env);
  const { deps, close } = await compose(config, createLog(config.logLevel, secretsOf(config), process.stderr));
  try {
    const left = since ? await accountSince(deps, since) : undefined;
    const { report, open } = await reconcile(deps);
    process.stdout.write(`${report}\n`);
    if (left) throw new CommandError(left);
    if (open > 0)
      throw new CommandError(`The payment provider did not answer: ${open} purchases are still open, run this again`);
  } finally {
    await close();
  }
}

const sinceRule = "--since takes a time (2026-11-24, 2026-11-24T18:00Z) or a duration (90m, 36h, 7d) in the past";
const Time = z.union([z.iso.date(), z.iso.datetime({ offset: true, precision: -1 }), z.iso.datetime({ offset: true })]);
const unitMs = { m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 };

/** @throws CommandError for an unknown option, an invalid time and a time in the future. */
function readSince(): Date | undefined {
  const { since } = readArguments("npm run reconcile [-- --since <time>]", { since: { type: "string" } }).values;
  if (since === undefined) return undefined;
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(since) ?? [];
  const isTime = Time.safeParse(since).success;
  const time = unit
    ? Date.now() - Number(count) * unitMs[unit as keyof typeof unitMs]
    : isTime
      ? Date.parse(since)
      : NaN;
  if (!(time < Date.now())) throw new CommandError(`${sinceRule}, not ${JSON.stringify(since)}`);
  return new Date(time);
}

/** @returns the next step of the operator, or undefined when all work is finished. */
async function accountSince(deps: Deps, since: Date): Promise<string | undefined> {
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  progress(`reading orders, payments and refunds since ${since.toISOString()}`);
  await processPendingEvents(deps, { asOf: new Date(Date.now() + lookAheadMs) });
  const { orders, payments, refunds, inReview, unfinished, unreadFrom } = await reconcileSince(deps, since, progress);
  const lines = [
    ...inReview.map(describeReview),
    `orders since ${since.toISOString()}: ${orders}`,
    `payments: ${describeCounts(payments) ?? "none"}`,
    `refunds: ${describeCounts(refunds) ?? "none"}`,
    `events in review: ${inReview.length}`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  if (unreadFrom) {
    const from = unfinished > 0 ? since : unreadFrom;
    return `The payment provider did not answer: run this again with --since ${from.toISOString()}`;
  }
  return unfinished > 0 ? `${unfinished} payments or refunds are not finished: run this again` : undefined;
}

function describeReview(row: EventInReview): string {
  const amount = row.amountMinor === null ? "" : ` ${row.amountMinor} ${row.currency ?? ""} (minor units)`;
  const title = row.courseTitle === null ? "" : ` ${JSON.stringify(row.courseTitle)}`;
  const ids = `${row._id}: ${row.event} ${row.paymentId}, order ${row.orderId}, purchase ${row.purchaseId}`;
  return `review ${ids},${amount} ${row.reviewReason}${title}`;
}

async function reconcile(deps: Deps): Promise<{ report: string; open: number }> {
  for (let attempt = 0; attempt < maxLeaseAttempts; attempt += 1) {
    const work = async (signal: AbortSignal) => {
      const finished = await processPendingEvents(deps, { signal, asOf: new Date(Date.now() + lookAheadMs) });
      const asked = await reconcilePurchases(deps, { signal, all: true });
      const report = [
        `payment events finished: ${finished}`,
        `asked the provider: ${describeCounts(asked) ?? "nothing to ask about"}`,
      ].join("\n");
      return { report, open: (asked["provider away"] ?? 0) + (asked["not asked"] ?? 0) + (asked.errors ?? 0) };
    };
    const done = await withLease(deps.db, "job:reconcile-purchases", work, { ttlMs: 15_000 });
    if (done !== undefined) return done;
    await pause(leaseRetryMs);
  }
  throw new CommandError("another instance held the lease for a minute: run this again");
}

run(main);
