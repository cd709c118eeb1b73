import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { replyMessage, requestsIn } from "@lyceum/embedded-mongo/wire";
import { serialize } from "bson";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../../../src/config.js";
import { openDatabase } from "../../../src/db/connection.js";
import { startServer } from "../../../src/server.js";
import { compiled, runCommand } from "../../server/compiled.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer();
const { databaseUri } = server;

const start = (MONGODB_URI: string, env: Record<string, string> = {}) =>
  startServer(parseConfig({ ...server.emulators.env, PORT: "0", ...env, MONGODB_URI }), pino({ level: "silent" }));

/** Answers every command as a MongoDB server does that is no member of a replica set. */
async function startStandalone(): Promise<string> {
  const hello = {
    ok: 1,
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    maxWireVersion: 21,
    minWireVersion: 0,
  };
  const limits = { maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 };
  const standalone = createServer(async (socket) => {
    socket.on("error", () => undefined);
    for await (const request of requestsIn(socket)) {
      socket.write(replyMessage(request, Buffer.from(serialize({ ...hello, ...limits }))));
    }
  });
  await once(standalone.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void standalone.close());
  return `mongodb://127.0.0.1:${(standalone.address() as AddressInfo).port}/lyceum`;
}

test("a standalone is refused in one line that says how to make it a replica set", async () => {
  await expect(start(await startStandalone())).rejects.toThrow(
    /^MONGODB_URI names a standalone MongoDB, .*`mongod --replSet rs0`.*`rs\.initiate\(\)`[^\n]*$/,
  );
});

test("a raw slash in the password of the database is refused in one line, without the password", async () => {
  const refused = start("mongodb://user:hidden/1@host/x");
  await expect(refused).rejects.toThrow(/^MONGODB_URI names no database [^\n]*$/);
  await expect(refused).rejects.not.toThrow("hidden");
});

test("a port that is taken is refused in one line", async () => {
  const { port } = new URL(server.url);
  const message = `Port ${port} is taken: stop what uses it, or choose another with PORT`;
  await expect(start(databaseUri, { PORT: port })).rejects.toThrow(new Error(message));
});

test("an index that has another one's name is refused in one line, with collection and index", async () => {
  const other = await startTestServer({ own: "loses an index" });
  const { collection } = other.deps.db.Enrollment;
  const name = "userId_1_courseId_1";
  await collection.dropIndex(name);
  await collection.createIndex({ title: 1 }, { name });
  const line = /^The server cannot start: [^\n]*enrollments[^\n]*userId_1_courseId_1[^\n]*$/;
  await expect(start(other.databaseUri)).rejects.toThrow(line);
});

test("a start says how many migrations wait, and writes nothing that is there already", async () => {
  const other = await startTestServer({ own: "takes out a migration" });
  const { Migration, CommunityGroup } = other.deps.db;
  await Migration.deleteMany({});
  const groups = await CommunityGroup.find().sort({ _id: 1 }).lean();
  expect(groups.length).toBeGreaterThan(0);
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const env = { ...server.emulators.env, PORT: "0", MONGODB_URI: other.databaseUri };
  const started = await startServer(parseConfig(env), log, { jobs: false });
  await started.close();
  const said = lines.map((line) => JSON.parse(line)).filter(({ eventId }) => eventId === "migrations_wait");
  expect(said).toMatchObject([{ count: expect.any(Number), msg: expect.stringMatching(/^\d+ migrations wait: /) }]);
  expect(await CommunityGroup.find().sort({ _id: 1 }).lean()).toEqual(groups);
});

test("a server whose database is not there says so in one line, without the password, and ends", async () => {
  const env = { ...server.emulators.env, PORT: "0", LOG_LEVEL: "silent" };
  const MONGODB_URI = "mongodb://user:hidden@127.0.0.1:1/x";
  const ended = await runCommand("src/main.ts", [], { ...env, MONGODB_URI });
  const stderr = expect.stringMatching(/^MONGODB_URI names no database .*ECONNREFUSED.*\n$/);
  expect(ended).toEqual({ code: 1, stdout: "", stderr });
  expect(ended.stderr).not.toContain("hidden");
});

test("a server that is told to end while its database prepares the start says what it waits for, and ends at once", async () => {
  const door = await startDatabaseProxy(databaseUri);
  onTestFinished(() => door.close());
  const held = door.holdAfter(0);
  const env = { ...process.env, ...server.emulators.env, MONGODB_URI: door.uri, PORT: "0", LOG_LEVEL: "info" };
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [await compiled("src/main.ts")], { env, stdio: [...stdio] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  let said = "";
  child.stdout?.on("data", (text) => {
    said += text;
  });
  await held;
  await expect.poll(() => said).toContain("indexes are being created");
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
});

test("a database that takes no connections for a while, as it is building an index, does not end the start", async () => {
  const door = await startDatabaseProxy(databaseUri);
  onTestFinished(() => door.close());
  const database = await openDatabase(door.uri, { patient: true });
  onTestFinished(() => database.close());
  // Longer than the time that a request gives a connection.
  door.slowDown(2_100);
  const pings = [1, 2].map(() => database.db?.command({ ping: 1 }));
  expect(await Promise.all(pings)).toMatchObject([{ ok: 1 }, { ok: 1 }]);
});
