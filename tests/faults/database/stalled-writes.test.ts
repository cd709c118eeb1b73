import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, inject, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/db/connection.js";

/** Passes connections on to the database, and reads nothing more from them after `stall`. */
async function startStallingProxy() {
  const target = new URL(inject("databaseUri"));
  const clients = new Set<Socket>();
  let stalled = false;
  const proxy = createServer((client) => {
    const database = connect(Number(target.port || 27017), target.hostname);
    clients.add(client);
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on("error", () => undefined).on("close", () => other.destroy());
    }
    database.pipe(client);
    if (!stalled) client.pipe(database);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const uri = new URL(target);
  uri.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  uri.pathname = "/stalled_writes";
  uri.searchParams.set("directConnection", "true");
  uri.searchParams.delete("replicaSet");
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    proxy.close();
  });
  return {
    uri: uri.href,
    stall: () => {
      stalled = true;
      for (const client of clients) client.unpipe().pause();
    },
    /** Cuts what is stalled; later connections are passed on again. */
    recover: () => {
      stalled = false;
      for (const client of clients) client.destroy();
    },
  };
}

/** More than the buffers on the way hold. */
const largeText = "x".repeat(15_000_000);

/** A process of its own, whose driver is not patched, prints what has become of a write to a stalled database. */
const unpatched = `
  import mongoose from "mongoose";
  const client = new mongoose.mongo.MongoClient(process.argv[1], { socketTimeoutMS: 500, retryWrites: false });
  const rows = client.db().collection("rows");
  await rows.insertOne({ n: 1 });
  process.stdout.write("stall");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const ended = () => "ended";
  const write = rows.insertOne({ text: "x".repeat(${largeText.length}) }).then(ended, ended);
  const later = new Promise((resolve) => setTimeout(resolve, 3_000, "waits"));
  process.stdout.write(await Promise.race([write, later]));
  process.exit();
`;

test("the driver alone never ends a write that the database does not read: src/db/driver-faults.ts is needed", async () => {
  const proxy = await startStallingProxy();
  const child = spawn(process.execPath, ["--input-type=module", "--eval", unpatched, proxy.uri]);
  onTestFinished(() => void child.kill());
  expect(String((await once(child.stdout, "data"))[0])).toBe("stall");
  proxy.stall();
  child.stdin.write("stalled");
  expect(String((await once(child.stdout, "data"))[0])).toBe("waits");
});

test("a write that the database does not read fails, and the server finds the database again", async () => {
  const proxy = await startStallingProxy();
  const connection = await openDatabase(proxy.uri);
  onTestFinished(() => connection.destroy());
  const rows = connection.collection("rows");
  await rows.insertOne({ n: 1 });
  proxy.stall();
  const writes = await Promise.allSettled([rows.insertOne({ text: largeText }), rows.insertOne({ text: largeText })]);
  expect(writes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  proxy.recover();
  await expect.poll(() => rows.countDocuments({ n: { $exists: true } }).catch(() => 0)).toBeGreaterThan(0);
  await connection.dropDatabase();
});
