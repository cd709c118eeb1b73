import { expect, test } from "vitest";
import { usualPollMs } from "../../../src/jobs/scheduler.js";
import type { PurchaseState } from "../../../src/models/payments/purchase.js";
import { purchaseLifeMs } from "../../../src/services/payments/facts.js";
import { errorPause, firstCheckMs, nextCheck, pace } from "../../../src/services/payments/reconcile/check-schedule.js";

const usualPace = { ...(pace as Record<keyof typeof pace, number>), everyMs: usualPollMs };
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** How long the provider takes for one purchase, at worst on an ordinary day. */
const callMs = 400;

interface Row {
  status: PurchaseState;
  readonly createdAt: Date;
  checks: number;
  /** When it was captured, unreported; undefined when it was abandoned. */
  readonly capturedAt?: number;
}

/** Rows by the ten seconds in which they become due. */
class Agenda {
  readonly #slots: Row[][] = [];
  #next = 0;

  add(at: number, row: Row): void {
    const slot = Math.max(Math.ceil(at / usualPollMs), this.#next);
    this.#slots[slot] ??= [];
    this.#slots[slot].push(row);
  }

  /** Takes the earliest row that is due by then. */
  take(by: number): Row | undefined {
    for (; this.#next * usualPollMs <= by; this.#next += 1) {
      const row = this.#slots[this.#next]?.shift();
      if (row) return row;
    }
    return undefined;
  }
}

/**
 * The reconciler on a virtual clock. @returns the longest time from a capture whose webhook was lost until the provider
 * was asked, and how many purchases were asked about.
 */
function simulate(rows: Row[], { atOnce, perSecond, rowsPerRun, everyMs }: typeof usualPace) {
  const agenda = new Agenda();
  for (const row of rows) agenda.add(row.createdAt.getTime() + firstCheckMs, row);
  const rowMs = Math.max(callMs / atOnce, 1_000 / perSecond);
  const end = 4 * day;
  let [longest, asked, missing] = [0, 0, rows.filter(({ capturedAt }) => capturedAt !== undefined).length];
  for (let now = 0; now < end && missing > 0; now += everyMs) {
    const started = now;
    for (let taken = 0; taken < rowsPerRun; taken += 1) {
      const row = agenda.take(started);
      if (!row) break;
      now += rowMs;
      asked += 1;
      if (row.capturedAt !== undefined && row.capturedAt <= now) {
        longest = Math.max(longest, now - row.capturedAt);
        missing -= 1;
        continue;
      }
      if (row.status === "pending" && now - row.createdAt.getTime() > purchaseLifeMs) row.status = "failed";
      const next = nextCheck(row, now, 0);
      row.checks += 1;
      if (next !== undefined) agenda.add(next, row);
    }
  }
  return { longest, asked, missing };
}

/** 10,000 abandoned checkouts a day, and one in fifty paid within the hour while its webhook is lost. */
function checkouts(spreadMs: number, days: number): Row[] {
  const rows: Row[] = [];
  for (let n = 0; n < days * 10_000; n += 1) {
    const opened = Math.floor(n / 10_000) * day + ((n % 10_000) / 10_000) * spreadMs;
    const row: Row = { status: "pending", createdAt: new Date(opened), checks: 0 };
    rows.push(row);
    if (n % 50 === 0) rows.push({ ...row, capturedAt: opened + ((n * 7919) % 59) * minute });
  }
  return rows;
}

test.each([
  ["over the whole day", day],
  ["within four hours of each day", 4 * hour],
])(
  "10,000 abandoned checkouts %s do not delay the capture of a lost webhook by more than ten minutes",
  (_case, spread) => {
    const { longest, missing, asked } = simulate(checkouts(spread, 2), usualPace);
    expect(missing).toBe(0);
    expect(asked).toBeGreaterThan(20_000);
    expect(longest).toBeLessThanOrEqual(10 * minute);
  },
);

test("one purchase at a time would delay it", () => {
  expect(simulate(checkouts(4 * hour, 1), { ...usualPace, atOnce: 1 }).longest).toBeGreaterThan(10 * minute);
});

test("pauses grow after errors, and never end the asking", () => {
  const usual = [2 * minute, 4 * minute, 8 * minute, 16 * minute, hour, hour];
  const jitters = [1, 2, 3, 4, 20, 1e6].map((failures, n) => errorPause(failures) / (usual[n] ?? 0));
  expect(Math.min(...jitters)).toBeGreaterThanOrEqual(0.75);
  expect(Math.max(...jitters)).toBeLessThanOrEqual(1.25);
  const row = { status: "pending" as const, createdAt: new Date(0), checks: 3 };
  expect(nextCheck(row, hour, 2)).toBeGreaterThanOrEqual(hour + 3 * minute);
});
