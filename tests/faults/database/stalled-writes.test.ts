import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, inject, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/db/connection.js";
import { restartStuckHeartbeats } from "../../../src/db/driver-faults.js";

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

test("a write that the database does not read fails, and the server finds the database again", async () => {
  const proxy = await startStallingProxy();
  const connection = await openDatabase(proxy.uri);
  onTestFinished(() => connection.destroy());
  const rows = connection.collection("rows");
  await rows.insertOne({ n: 1 });
  proxy.stall();
  // More than the buffers on the way hold.
  const text = "x".repeat(15_000_000);
  const writes = await Promise.allSettled([rows.insertOne({ text }), rows.insertOne({ text })]);
  expect(writes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  proxy.recover();
  await expect.poll(() => rows.countDocuments({ n: 1 }).catch(() => "away")).toBe(1);
  await connection.dropDatabase();
});

test("a heartbeat that never ends is begun anew", async () => {
  const connection = await openDatabase(inject("databaseUri"));
  onTestFinished(() => connection.destroy());
  const client = connection.getClient();
  restartStuckHeartbeats(client, 200);
  const monitors = (client as any).topology.s.servers as Map<string, { monitor: { s: { state: string } } }>;
  const [[address, { monitor }]] = [...monitors] as [[string, { monitor: { s: { state: string } } }]];
  await expect.poll(() => monitor.s.state).toBe("idle");
  // What the driver is like while a heartbeat is under way; this one gets no answer.
  monitor.s.state = "monitoring";
  const answered = once(client, "serverHeartbeatSucceeded");
  client.emit("serverHeartbeatStarted", { connectionId: address } as never);
  await answered;
});
