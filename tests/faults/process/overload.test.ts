import type { AddressInfo } from "node:net";
import express from "express";
import { pino } from "pino";
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { createAdmission, leave } from "../../../src/http/limits/admission.js";
import { shedOverload } from "../../../src/http/limits/overload.js";
import { errorHandler } from "../../../src/http/pipeline/error-handler.js";
import { streamBody } from "../../../src/http/replies/stream-body.js";

/** Serves everything, `/api` judged as the application does it, in windows of 100 ms: late is 40 ms or more. */
async function startJudged(): Promise<string> {
  const app = express();
  app.use("/api", shedOverload(["/api/paid", "/api/purchases/:id/refund"], { lateMs: 40, windowMs: 100 }));
  app.use((_req, res) => void res.send("served"));
  app.use(errorHandler(pino({ level: "silent" }), { detail: false }));
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

/** Keeps the event loop busy in turns of 60 ms, with a turn for every other user in between. */
async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  let busy = true;
  const spin = (): void => {
    const end = performance.now() + 60;
    while (performance.now() < end);
    if (busy) setImmediate(spin);
  };
  spin();
  try {
    return await work();
  } finally {
    busy = false;
  }
}

async function untilAnswered(url: string, status: number): Promise<Response> {
  for (let i = 0; i < 100; i++) {
    const answer = await fetch(url);
    if (answer.status === status) return answer;
    await answer.arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`never answered ${status}`);
}

test("an overloaded server refuses with 503 and a time to come back, save on paths that are spared, and recovers", async () => {
  const url = await startJudged();
  await whileBusy(async () => {
    const refused = await untilAnswered(url, 503);
    expect(refused.headers.get("retry-after")).toBe("2");
    expect(await refused.json()).toEqual({
      success: false,
      message: "The server is busy. Please try again in a moment.",
    });
    for (const path of ["/paid?x=1", "/Paid/", "/purchases/65f0/refund"])
      expect((await fetch(url + path)).status, path).toBe(200);
    await untilAnswered(`${url}/purchases/65f0/refund/other`, 503);
  });
  await untilAnswered(url, 200);
});

test("a single long pause is no overload", async () => {
  const url = await startJudged();
  expect((await fetch(url)).status).toBe(200);
  const end = performance.now() + 500;
  while (performance.now() < end);
  for (let i = 0; i < 20; i++) {
    expect((await fetch(url)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

/** Serves `/` with one place and two in the queue; a request is answered when `finish` is called. `/stream` streams. */
async function startQueue(waitMs: number, standingWaitMs = waitMs) {
  const registry = new Registry();
  const refused = { count: 0 };
  const admission = createAdmission({ atOnce: 1, waiting: 2, waitMs, standingWaitMs }, registry, () => {
    refused.count += 1;
  });
  const working: (() => void)[] = [];
  const app = express();
  app.use(async (req, res) => {
    await admission.enter(res);
    try {
      if (req.path === "/stream") {
        const endless = (async function* () {
          for (;;) yield await new Promise<string>((resolve) => setTimeout(resolve, 5, "x"));
        })();
        const gone = new AbortController();
        res.once("close", () => gone.abort());
        await streamBody(res, gone.signal, {}, endless);
      } else {
        await new Promise<void>((resolve) => working.push(resolve));
        res.send("served");
      }
    } finally {
      leave(res);
    }
  });
  app.use(errorHandler(pino({ level: "silent" }), { detail: false }));
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const gauge = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    working,
    admitted: () => gauge("http_server_admitted_requests"),
    queued: () => gauge("http_server_queued_requests"),
  };
}

test("requests wait for a place in the order they came, and those that find the queue full are refused", async () => {
  const { url, working, queued, refused } = await startQueue(60_000);
  const answered: string[] = [];
  const ask = async (name: string) => {
    const answer = await fetch(url);
    answered.push(`${name} ${answer.status}`);
    return answer;
  };
  const first = ask("first");
  await expect.poll(() => working.length).toBe(1);
  const second = ask("second");
  await expect.poll(queued).toBe(1);
  const third = ask("third");
  await expect.poll(queued).toBe(2);
  const fourth = await ask("fourth");
  expect(fourth.headers.get("retry-after")).toBe("2");
  expect(await fourth.json()).toEqual({
    success: false,
    message: "The server is busy. Please try again in a moment.",
  });
  for (const [position, one] of [first, second, third].entries()) {
    await expect.poll(() => working.length).toBe(position + 1);
    working[position]?.();
    await one;
  }
  expect(answered).toEqual(["fourth 503", "first 200", "second 200", "third 200"]);
  expect(refused.count).toBe(1);
});

test("a request that has waited for too long is refused, and the place goes to the next one", async () => {
  const { url, working, admitted, queued } = await startQueue(50);
  const first = fetch(url);
  await expect.poll(() => working.length).toBe(1);
  expect((await fetch(url)).status).toBe(503);
  expect(await queued()).toBe(0);
  working[0]?.();
  expect((await first).status).toBe(200);
  await expect.poll(admitted).toBe(0);
});

test("while others have waited all along, a request waits shortly; when the queue was empty, it may wait long again", async () => {
  const { url, working, queued } = await startQueue(1_000, 0);
  const refused: string[] = [];
  const ask = async (name: string) => {
    const { status } = await fetch(url);
    if (status === 503) refused.push(name);
  };
  const first = ask("first");
  await expect.poll(() => working.length).toBe(1);
  const second = ask("second");
  await expect.poll(queued).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 700));
  const third = ask("third");
  await expect.poll(queued).toBe(2);
  await second;
  await ask("fourth");
  await third;
  expect(refused).toEqual(["second", "fourth", "third"]);
  const fifth = ask("fifth");
  await expect.poll(queued).toBe(1);
  working[0]?.();
  await first;
  await expect.poll(() => working.length).toBe(2);
  working[1]?.();
  await fifth;
  expect(refused).toHaveLength(3);
});

test("a client that goes away while it waits leaves its turn and its place in the queue to others", async () => {
  const { url, working, queued } = await startQueue(60_000);
  const first = fetch(url);
  await expect.poll(() => working.length).toBe(1);
  const leaving = new AbortController();
  const left = fetch(url, { signal: leaving.signal }).catch(() => "left");
  await expect.poll(queued).toBe(1);
  const third = fetch(url);
  await expect.poll(queued).toBe(2);
  leaving.abort();
  expect(await left).toBe("left");
  await expect.poll(queued).toBe(1);
  working[0]?.();
  await first;
  await expect.poll(() => working.length).toBe(2);
  working[1]?.();
  expect((await third).status).toBe(200);
});

test("a body that streams holds no place", async () => {
  const { url, working, admitted } = await startQueue(60_000);
  const streaming = await fetch(`${url}/stream`);
  expect(streaming.status).toBe(200);
  await expect.poll(admitted).toBe(0);
  const other = fetch(url);
  await expect.poll(() => working.length).toBe(1);
  working[0]?.();
  expect((await other).status).toBe(200);
  await streaming.body?.cancel();
});
