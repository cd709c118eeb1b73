import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { promisify } from "node:util";
import type { Emulators } from "@lyceum/provider-emulators";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/db/connection.js";
import { compiled } from "../../server/compiled.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { startTestServer } from "../../server/test-server.js";

/** Another server, with a request under way whose body is still to come. */
async function serverAtWork() {
  const server = await (await startTestServer({ own: "is shut down" })).another();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const body = '{"courseId":"x"}';
  const headers = { "content-type": "application/json", "content-length": body.length, expect: "100-continue" };
  const request = httpRequest(`${server.url}/api/nope`, { method: "POST", agent, headers });
  const answered = once(request, "response") as Promise<[IncomingMessage]>;
  request.flushHeaders();
  await once(request, "continue");
  return {
    server,
    async finish() {
      request.end(body);
      const [answer] = await answered;
      answer.resume();
      return answer;
    },
  };
}

test("a closing server answers what it has begun and ends the connection with it", async () => {
  const { server, finish } = await serverAtWork();
  const closed = server.close();
  const isOpen = () =>
    fetch(`${server.url}/healthz`)
      .then(({ ok }) => ok)
      .catch(() => false);
  await expect.poll(isOpen).toBe(false);
  const answer = await finish();
  expect(answer.statusCode).toBe(404);
  expect(answer.headers.connection).toBe("close");
  await closed;
  await expect(server.get("/healthz")).rejects.toThrow();
});

test("a connection that nothing was asked on does not hold up the end of a closing server", async () => {
  const { server, finish } = await serverAtWork();
  const silent = connect(Number(new URL(server.url).port), "127.0.0.1");
  await once(silent, "connect");
  await server.get("/healthz"); // the server knows of the silent one by now
  const closed = server.close();
  await once(silent, "close");
  expect((await finish()).statusCode).toBe(404);
  await closed;
});

test("a request that comes late over a connection that was new when the server closed is answered", async () => {
  const { server, finish } = await serverAtWork();
  const client = connect(Number(new URL(server.url).port), "127.0.0.1").setEncoding("utf8");
  await once(client, "connect");
  await server.get("/healthz"); // the server knows of the new one by now
  const closed = server.close();
  await finish();
  client.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
  const said = String(await once(client, "data")).toLowerCase();
  expect(said).toContain("http/1.1 200");
  expect(said).toContain("connection: close");
  await closed;
});

test.each(["new", "kept"])(
  "a request that has come over a %s connection when the server closes is answered",
  async (which) => {
    const server = await (await startTestServer({ own: "is shut down" })).another();
    const client = connect(Number(new URL(server.url).port), "127.0.0.1").setEncoding("utf8");
    await once(client, "connect");
    const ask = () => client.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    if (which === "kept") {
      ask();
      await once(client, "data");
    }
    ask();
    const closed = server.close();
    expect(String(await once(client, "data"))).toContain('{"status":"ok"}');
    await once(client, "close");
    await closed;
  },
);

/** Starts a server that will not get far. Wrapped, so that it is not waited for: `ended` rejects with what it printed. */
async function startInVain(emulators: Emulators, variables: Record<string, string>) {
  const env = { ...process.env, ...emulators.env, PORT: "0", LOG_LEVEL: "silent", ...variables };
  const main = await compiled("src/main.ts");
  return { ended: promisify(execFile)(process.execPath, [main], { env }) };
}

test("a server whose port is taken says so in one line and ends", async () => {
  const { emulators, databaseUri, url } = await startTestServer({ own: "is shut down" });
  const { port } = new URL(url);
  const { ended } = await startInVain(emulators, { MONGODB_URI: databaseUri, PORT: port });
  const stderr = `Port ${port} is taken: stop what uses it, or choose another with PORT\n`;
  await expect(ended).rejects.toMatchObject({ code: 1, stdout: "", stderr });
});

test.each([
  ["is not there", "mongodb://user:hidden@127.0.0.1:1/x", /^MONGODB_URI names no database .*ECONNREFUSED.*\n$/],
  [
    "is written with a raw slash in its password",
    "mongodb://user:hidden/1@host/x",
    /^MONGODB_URI names no database .*\n$/,
  ],
])("a server whose database %s says so in one line, without the password, and ends", async (_how, uri, line) => {
  const { emulators } = await startTestServer({ own: "is shut down" });
  const { ended } = await startInVain(emulators, { MONGODB_URI: uri });
  await expect(ended).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(line) });
  await expect(ended).rejects.toMatchObject({ stderr: expect.not.stringContaining("hidden") });
});

test("a server whose index has another one's name before it says so in one line, with collection and index, and ends", async () => {
  const { emulators, databaseUri, deps } = await startTestServer({ own: "is shut down" });
  const { collection } = deps.db.Enrollment;
  const name = "userId_1_courseId_1";
  await collection.dropIndex(name);
  await collection.createIndex({ title: 1 }, { name });
  const { ended } = await startInVain(emulators, { MONGODB_URI: databaseUri });
  const line = /^The server cannot start: .*enrollments.*userId_1_courseId_1.*\n$/;
  await expect(ended).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(line) });
});

test("a server that is told to end while its database prepares the start says what it waits for, and ends at once", async () => {
  const { emulators, databaseUri } = await startTestServer({ own: "is shut down" });
  const door = await startDatabaseProxy(databaseUri);
  onTestFinished(() => door.close());
  const held = door.holdAfter(0);
  const env = { ...process.env, ...emulators.env, MONGODB_URI: door.uri, PORT: "0", LOG_LEVEL: "info" };
  const child = spawn(process.execPath, [await compiled("src/main.ts")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  let said = "";
  child.stdout.on("data", (text) => {
    said += text;
  });
  await held;
  await expect.poll(() => said, { timeout: 10_000 }).toContain("indexes are being created");
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
});

test("a database that takes no connections for a while, as it is building an index, does not end the start", async () => {
  const { databaseUri } = await startTestServer({ own: "is shut down" });
  const door = await startDatabaseProxy(databaseUri);
  onTestFinished(() => door.close());
  const database = await openDatabase(door.uri, { patient: true });
  onTestFinished(() => database.close());
  door.slowDown(2_500);
  const pings = [1, 2].map(() => database.db?.command({ ping: 1 }));
  expect(await Promise.all(pings)).toMatchObject([{ ok: 1 }, { ok: 1 }]);
});
