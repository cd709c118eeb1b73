import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/db/connection.js";
import { createDb } from "../../../src/db/db.js";
import { withLease } from "../../../src/db/lease.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { startTestServer } from "../../server/test-server.js";

test("a lease is free when its work has ended, also when a renewal arrives only then", async () => {
  const server = await startTestServer();
  const door = await startDatabaseProxy(server.databaseUri);
  const database = await openDatabase(door.uri, { patient: true });
  try {
    const renewing = door.holdAfter(1);
    await withLease(createDb(database), "job:late", () => renewing, { ttlMs: 300 });
    const renewed = once(database.getClient(), "connectionCheckedIn");
    door.release();
    await renewed;
    expect(await server.deps.db.Lease.find({ _id: "job:late" }).lean()).toEqual([]);
  } finally {
    await database.close();
    await door.close();
  }
});

test("a lease is renewed while its work runs longer than a crash would keep others away", async () => {
  const { db } = (await startTestServer()).deps;
  const ttlMs = 1_000;
  const take = (work: () => Promise<boolean>) => withLease(db, "job:long", work, { ttlMs });
  const other = () => take(() => Promise.resolve(true));
  const taken = await take(async () => {
    await pause(ttlMs + 300);
    return (await other()) === undefined;
  });
  expect(taken).toBe(true);
  expect(await other()).toBe(true);
});

test("a lease that a process left behind is forgotten by the database after a day", async () => {
  const { Lease } = (await startTestServer()).deps.db;
  expect(await Lease.listIndexes()).toContainEqual(
    expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 86_400 }),
  );
});
