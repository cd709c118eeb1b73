import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import express, { type Express } from "express";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { serveConnections } from "../../src/http/pipeline/connections.js";
import { errorHandler } from "../../src/http/pipeline/error-handler.js";
import { EventStream } from "../../src/http/replies/event-stream.js";
import { boundReplies, sendJson } from "../../src/http/replies/send-text.js";
import { streamBody } from "../../src/http/replies/stream-body.js";
import { commandsDuring } from "../assertions/commands.js";
import { startTestServer } from "../server/test-server.js";

const limits = { maxUnfinished: 4, stalledMs: 200, leastBytesPerSecond: 1_048_576, graceMs: 500, checkMs: 100 };

async function serve(app: Express, differing: Partial<typeof limits> = {}): Promise<number> {
  const server = createServer();
  serveConnections(server, app, { ...limits, ...differing });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test("a connection with too many pipelined requests is closed, and no more of them reach the application", async () => {
  let served = 0;
  const app = express();
  app.get("/", () => {
    served += 1;
  });
  const socket = await open(await serve(app, { stalledMs: 60_000 }));
  const closed = once(socket, "close");
  socket.write(get("/").repeat(1_000));
  await closed;
  expect(served).toBe(4);
  // The server has such a limit, too.
  const server = await startTestServer({ own: "counts connections" });
  const other = await open(Number(new URL(server.url).port));
  other.resume().write(get("/readyz").repeat(1_000));
  await once(other, "close");
});

test("a connection may send as many requests as it likes when it waits for the responses", async () => {
  const app = express();
  app.get("/", (_req, res) => void res.send("served"));
  const socket = await open(await serve(app));
  for (let sent = 0; sent < 20; sent += 1) {
    socket.write(get("/"));
    expect(String((await once(socket, "data"))[0])).toContain("served");
  }
});

test("a reader that takes nothing is cut off, whether the response is whole, streamed or of events", async () => {
  const closed: string[] = [];
  const app = express();
  app.use((req, res, next) => {
    res.once("close", () => closed.push(req.path));
    next();
  });
  app.get("/whole", (_req, res) => sendJson(res, { text: "x".repeat(20_000_000) }));
  app.get("/pieces", async (_req, res) => {
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    await streamBody(
      res,
      gone.signal,
      {},
      (async function* () {
        for (let piece = 0; piece < 100; piece += 1) yield "x".repeat(1_000_000);
      })(),
    );
  });
  app.get("/events", async (_req, res) => {
    const events = new EventStream(res);
    while (!res.closed) await events.send("delta", { text: "x".repeat(100_000) });
    closed.push("writing of events");
  });
  const port = await serve(app, { graceMs: 60_000 });
  for (const path of ["/whole", "/pieces", "/events"]) {
    const socket = await open(port);
    socket.pause();
    socket.write(get(path));
    await expect.poll(() => closed).toContain(path);
  }
  await expect.poll(() => closed).toContain("writing of events");
});

test("a reader that takes too few bytes is cut off, too, and one that is fast enough gets everything", async () => {
  const app = express();
  let closed = 0;
  app.get("/", (_req, res) => {
    res.once("close", () => {
      closed += 1;
    });
    sendJson(res, { text: "x".repeat(20_000_000) });
  });
  // The slow reader would take 100 s, and may take less than one. The fast one may take 4.5 s.
  const slow = await open(await serve(app, { stalledMs: 60_000, leastBytesPerSecond: 50_000_000 }));
  slow.pause();
  slow.write(get("/"));
  const trickle = setInterval(() => slow.read(20_000), 100);
  onTestFinished(() => clearInterval(trickle));
  await expect.poll(() => closed).toBe(1);
  const allowed = { stalledMs: 60_000, leastBytesPerSecond: 5_000_000 };
  const answer = await fetch(`http://127.0.0.1:${await serve(app, allowed)}/`);
  expect((await answer.text()).length).toBeGreaterThan(20_000_000);
});

test("a request that takes long is not taken for a slow reader", async () => {
  const app = express();
  app.get("/", (_req, res) => void setTimeout(() => res.send("late"), 150));
  const answer = await fetch(`http://127.0.0.1:${await serve(app, { stalledMs: 40, checkMs: 20, graceMs: 40 })}/`);
  expect(await answer.text()).toBe("late");
});

test("large replies and lists that wait for one client are bounded, and neither writes nor others are refused for them", async () => {
  const app = express().set("trust proxy", true).use(boundReplies());
  const whole = { text: "x".repeat(8_300_000) };
  app.all("/whole", (_req, res) => sendJson(res, whole));
  app.get("/small", (_req, res) => sendJson(res, {}));
  app.get("/list", async (_req, res) => {
    const pieces = (async function* () {
      for (let piece = 0; piece < 50; piece += 1) yield "x".repeat(1_000_000);
    })();
    await streamBody(res, new AbortController().signal, {}, pieces);
  });
  app.use(errorHandler(pino({ level: "silent" }), { detail: false }));
  const port = await serve(app, { stalledMs: 60_000, graceMs: 60_000 });
  const readers = await Promise.all(Array.from({ length: 20 }, () => open(port)));
  for (const reader of readers) {
    reader.pause();
    reader.write(get("/whole"));
  }
  const url = `http://127.0.0.1:${port}`;
  const status = async (path: string, method = "GET", client = "127.0.0.1") => {
    const answer = await fetch(url + path, { method, headers: { "x-forwarded-for": client } });
    await answer.arrayBuffer();
    return answer.status;
  };
  await expect.poll(() => status("/whole")).toBe(503);
  const refused = await fetch(`${url}/list`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("2");
  expect(await refused.json()).toEqual({
    success: false,
    message: "The server is busy. Please try again in a moment.",
  });
  expect(await status("/small")).toBe(200);
  expect(await status("/whole", "POST")).toBe(200);
  expect(await status("/whole", "GET", "10.0.0.2")).toBe(200);
  for (const reader of readers) reader.destroy();
  await expect.poll(() => status("/list")).toBe(200);
});

test("readiness asks the database once for many callers", async () => {
  const server = await startTestServer({ own: "counts connections" });
  const commands = await commandsDuring(server, async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => server.get("/readyz")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
  const pings = commands.filter(({ ping }) => ping === 1).length;
  expect(pings).toBeGreaterThanOrEqual(1);
  // The requests may take a few seconds on a busy machine.
  expect(pings).toBeLessThan(20);
});
