import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import express from "express";
import { expect, onTestFinished, test, vi } from "vitest";
import { cachedReply } from "../../src/http/replies/cached-reply.js";

/** A server of one cached reply, which counts what is built and compressed. */
async function serve(text: () => string, lastsMs = 60_000) {
  const state = { revision: 0, builds: 0, compressions: [] as string[], running: 0, mostRunning: 0 };
  const compress = {
    async gzip(body: Buffer, level: number) {
      state.compressions.push(`gzip ${level}`);
      return gzipSync(body);
    },
    async brotli(body: Buffer, quality: number) {
      state.compressions.push(`br ${quality}`);
      if (quality === 11) {
        state.mostRunning = Math.max(state.mostRunning, ++state.running);
        await sleep(100);
        state.running -= 1;
      }
      return brotliCompressSync(body, { params: {} });
    },
  };
  const build = async () => {
    state.builds += 1;
    return { value: null, text: JSON.stringify(text()) };
  };
  const reply = cachedReply(async () => String(state.revision), build, compress, lastsMs);
  const listener = express()
    .use((req, res) => reply.send(req, res))
    .listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => void listener.close());
  const get = (encoding = "identity", headers = {}) =>
    fetch(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/`, {
      headers: { "accept-encoding": encoding, ...headers },
    });
  return { state, get };
}

test("a body is compressed once in each encoding that is asked for, and in no other", async () => {
  const { state, get } = await serve(() => "x".repeat(10_000));
  await get();
  expect(state).toMatchObject({ builds: 1, compressions: [] });
  const replies = await Promise.all(Array.from({ length: 10 }, () => get("br")));
  for (const reply of replies) expect(await reply.json()).toHaveLength(10_000);
  expect(state).toMatchObject({ builds: 1, compressions: ["br 5"] });
  await get("gzip");
  expect(state.compressions).toEqual(["br 5", "gzip 6"]);
});

test("a known tag costs no compression", async () => {
  const { state, get } = await serve(() => "x");
  const tag = (await get()).headers.get("etag") ?? "";
  const again = await get("br", { "if-none-match": tag });
  expect([again.status, again.headers.get("etag"), state.compressions]).toEqual([304, tag, []]);
});

test("a large body gets the cheapest compression, and never the densest", async () => {
  const { state, get } = await serve(() => "x".repeat(1_100_000), 10);
  await get("br");
  await get("gzip");
  await sleep(300);
  expect(state.compressions).toEqual(["br 1", "gzip 1"]);
});

test("the densest compression runs once at a time, for a body that has lasted", async () => {
  const { state, get } = await serve(() => `body ${state.revision}`, 50);
  for (let n = 0; n < 20; n += 1) {
    state.revision += 1;
    await get();
  }
  expect(state.builds).toBe(20);
  await vi.waitUntil(() => state.compressions.includes("br 11"));
  // Changed while it runs: the next one waits for it.
  state.revision += 1;
  await get();
  await vi.waitUntil(() => state.compressions.filter((one) => one === "br 11").length === 2);
  expect(state.mostRunning).toBe(1);
});
