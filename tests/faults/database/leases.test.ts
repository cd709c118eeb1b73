import { once } from "node:events";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/db/connection.js";
import { createDb } from "../../../src/db/db.js";
import { underLease } from "../../../src/db/lease.js";
import { startJobs } from "../../../src/jobs/scheduler.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { startTestServer } from "../../server/test-server.js";

test("a lease is free when its work has ended, also when a renewal arrives only then", async () => {
  const server = await startTestServer({ jobs: false });
  const door = await startDatabaseProxy(server.databaseUri);
  const database = await openDatabase(door.uri, { patient: true });
  try {
    const renewing = door.holdAfter(1);
    await underLease(createDb(database), "job:late", () => renewing, 300);
    const renewed = once(database.getClient(), "connectionCheckedIn");
    door.release();
    await renewed;
    expect(await server.deps.db.Lease.find({ _id: "job:late" }).lean()).toEqual([]);
  } finally {
    await database.close();
    await door.close();
  }
});

test("a lease that a process left behind is forgotten by the database after a day", async () => {
  const { Lease } = (await startTestServer()).deps.db;
  expect(await Lease.listIndexes()).toContainEqual(
    expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 86_400 }),
  );
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
  const jobs = startJobs([{ name: "failing", everyMs: 1, run }], db, log);
  await expect.poll(() => runs, { timeout: 10_000 }).toBeGreaterThan(13);
  await jobs.stop();
  expect(lines).toMatchObject([
    { level: 40, msg: "background job failed", failures: 1 },
    { level: 40, msg: "background job failed", failures: 10 },
    { level: 30, msg: "background job works again" },
  ]);
});
