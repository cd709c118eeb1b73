import express from "express";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { pathMatcher, shedOverload } from "../../../src/http/limits/overload.js";
import { errorHandler } from "../../../src/http/pipeline/error-handler.js";
import { startWebServer } from "../../server/after-use.js";

/** Serves everything, `/api` judged as the application does it, in windows of 100 ms: late is 40 ms or more. */
async function startJudged(): Promise<string> {
  const app = express();
  const isSpared = pathMatcher(["/api/paid", "/api/purchases/:id/refund"]);
  app.use("/api", shedOverload({ isSpared, lateMs: 40, windowMs: 100 }));
  app.use((_req, res) => void res.send("served"));
  app.use(errorHandler(pino({ level: "silent" }), { detail: false }));
  return `${(await startWebServer(app)).url}/api`;
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

const untilAnswered = (url: string, status: number): Promise<Response> => {
  const ask = async () => {
    const answer = await fetch(url);
    expect(answer.status).toBe(status);
    return answer;
  };
  return vi.waitFor(ask, { timeout: 10_000, interval: 20 });
};

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
