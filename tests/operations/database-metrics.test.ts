import { expect, test } from "vitest";
import { commandsDuring } from "../assertions/commands.js";
import { busyLearner } from "../privacy/busy-learner.js";
import { startDatabaseProxy } from "../server/database-proxy.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

/** Reads the number of measured commands by command and outcome. */
async function measured({ deps }: TestServer): Promise<Map<string, number>> {
  const text = await deps.metrics.getSingleMetricAsString("db_client_operation_duration_seconds");
  const lines = text.matchAll(/_count\{command="(\w+)",outcome="(\w+)"\} (\d+)/g);
  return new Map([...lines].map(([, command, outcome, count]) => [`${command} ${outcome}`, Number(count)] as const));
}

const sum = (counts: ReadonlyMap<string, number>, command: string): number =>
  [...counts].reduce((total, [key, count]) => (key.startsWith(`${command} `) ? total + count : total), 0);

test("each command of a request is measured once, by its name", async () => {
  const server = await startTestServer({ own: "measures its commands" });
  const before = await measured(server);
  const sent = await commandsDuring(server, () => busyLearner(server));
  const after = await measured(server);
  for (const command of ["find", "insert", "findAndModify", "commitTransaction"]) {
    const onTheWire = sent.filter((one) => Object.keys(one)[0] === command).length;
    expect({ command, measured: sum(after, command) - sum(before, command) }).toEqual({ command, measured: onTheWire });
    expect(onTheWire).toBeGreaterThan(0);
  }
});

test("a cursor is measured at each of its commands", async () => {
  const server = await startTestServer({ own: "measures its commands" });
  const { Vote } = server.deps.db;
  await Vote.collection.insertMany(Array.from({ length: 250 }, (_, i) => ({ _id: i as never, userId: `u${i}` })));
  const before = await measured(server);
  for await (const vote of Vote.find({}).batchSize(100).lean().cursor()) expect(vote.userId).toMatch(/^u\d/);
  const after = await measured(server);
  expect(sum(after, "find") - sum(before, "find")).toBe(1);
  expect(sum(after, "getMore") - sum(before, "getMore")).toBe(2);
});

test("what the database refuses, and that it is away, are outcomes", async () => {
  const main = await startTestServer({ own: "measures its commands" });
  const proxy = await startDatabaseProxy(main.databaseUri);
  const { User } = main.deps.db;
  const { id } = await main.signedIn();
  await expect(User.collection.insertOne({ _id: id as never })).rejects.toThrow();
  expect((await measured(main)).get("insert duplicate_key")).toBe(1);
  const away = await main.another({ MONGODB_URI: proxy.uri });
  proxy.mode("cut");
  await expect(away.deps.db.User.findById(id).lean()).rejects.toThrow();
  expect((await measured(away)).get("find unreachable")).toBe(1);
  await away.close();
  await proxy.close();
});
