import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import express from "express";
import { expect, onTestFinished, test, vi } from "vitest";
import { cachedReply } from "../../src/http/replies/cached-reply.js";
import { sharedRead } from "../../src/http/shared-reads.js";

/** A server of one cached reply, which counts what is built and compressed. */
async function serve(text: () => string, lastsMs = 60_000) {
  const compressions: string[] = [];
  let compressing: Promise<void> | undefined;
  /** Lets no compression end until the returned function is called. */
  const hold = (): (() => void) => {
    let release = () => {};
    compressing = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  const state = {
    revision: 0,
    looks: 0,
    refreshed: 0,
    refreshes: 0,
    builds: 0,
    buildMs: 0,
    compressions,
    running: 0,
    mostRunning: 0,
  };
  const compress = {
    async gzip(body: Buffer, level: number) {
      state.compressions.push(`gzip ${level}`);
      return gzipSync(body);
    },
    async brotli(body: Buffer, quality: number) {
      state.compressions.push(`br ${quality}`);
      await compressing;
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
    await sleep(state.buildMs);
    return { value: null, text: JSON.stringify(text()) };
  };
  const refresh = async () => {
    state.refreshes += 1;
    return state.refreshed;
  };
  const revision = async () => {
    state.looks += 1;
    await sleep(5);
    return String(state.revision);
  };
  const reply = cachedReply({ revision: sharedRead(revision), refresh, build }, compress, lastsMs);
  const listener = express()
    .use((req, res) => reply.send(req, res))
    .listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => void listener.close());
  const get = (encoding = "identity", headers = {}) =>
    fetch(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/`, {
      headers: { "accept-encoding": encoding, ...headers },
    });
  return { state, get, hold };
}

test("a body is compressed once in each encoding that is asked for, and in no other", async () => {
  const { state, get } = await serve(() => "x".repeat(10_000));
  await get();
  expect(state).toMatchObject({ builds: 1, compressions: [] });
  const replies = await Promise.all(Array.from({ length: 10 }, () => get("br")));
  for (const reply of replies) expect(await reply.json()).toHaveLength(10_000);
  expect(state).toMatchObject({ builds: 1, compressions: ["br 1", "br 5"] });
  await get("gzip");
  expect(state.compressions).toEqual(["br 1", "br 5", "gzip 1", "gzip 6"]);
});

test("what may lag is brought up to date and compressed behind the copy that is served meanwhile", async () => {
  const { state, get, hold } = await serve(() => `body ${state.refreshed}`);
  const body = async () => (await get("br")).json();
  expect(await body()).toBe("body 0");
  state.refreshed = 1;
  expect(await body()).toBe("body 0");
  expect(state).toMatchObject({ builds: 1, refreshes: 1 });
  await sleep(700);
  const release = hold();
  expect(await body()).toBe("body 0");
  await expect.poll(() => state.compressions.length).toBe(3);
  expect(await body()).toBe("body 0");
  release();
  await expect.poll(body).toBe("body 1");
  expect(state).toMatchObject({ builds: 2, refreshes: 2, compressions: ["br 1", "br 5", "br 5"] });
});

test("a request after a second gets what may lag as it is now", async () => {
  const { state, get } = await serve(() => `body ${state.refreshed}`);
  await get();
  state.refreshed = 1;
  await sleep(1_000);
  expect(await (await get()).json()).toBe("body 1");
});

test("requests that come while a long build is under way cost no further one", async () => {
  const { state, get } = await serve(() => `body ${state.revision}`);
  await get();
  Object.assign(state, { revision: 1, buildMs: 400 });
  const asked: Promise<Response>[] = [];
  // Each time one of them begins a read of its own.
  for (let n = 0; n < 3; n += 1) {
    asked.push(get());
    await sleep(110);
  }
  for (const reply of asked) expect(await (await reply).json()).toBe("body 1");
  expect(state.builds).toBe(2);
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
  const { state, get } = await serve(() => `body ${state.revision}`, 500);
  for (let n = 0; n < 20; n += 1) {
    state.revision += 1;
    await get();
  }
  expect(state.builds).toBe(20);
  await expect.poll(() => state.compressions).toContain("br 11");
  // Changed while it runs: the next one waits for it.
  state.revision += 1;
  await get();
  await expect.poll(() => state.compressions.filter((one) => one === "br 11").length).toBe(2);
  expect(state.mostRunning).toBe(1);
});

test("building and refreshing never meet, and a change that comes between them is not lost", async () => {
  let [revision, refreshed, running, most] = [0, 0, 0, 0];
  const alone = async <T>(work: () => T): Promise<T> => {
    most = Math.max(most, ++running);
    await sleep(5);
    running -= 1;
    return work();
  };
  const reply = cachedReply({
    revision: async () => String(revision),
    refresh: () => alone(() => refreshed),
    build: () => alone(() => ({ value: [revision, refreshed], text: "" })),
  });
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => clock.mockRestore());
  for (let n = 0; n < 40; n += 1) {
    clock.mockReturnValue(n * 500);
    if (n % 3 === 0) refreshed += 1;
    if (n % 4 === 0) revision += 1;
    const [before] = await Promise.all([revision, reply.current(), reply.current()]);
    expect((await reply.current())[0]).toBe(before);
  }
  clock.mockReturnValue(60_000);
  expect(await reply.current()).toEqual([revision, refreshed]);
  expect(most).toBe(1);
});

test("a refresh that fails is tried again with the next request", async () => {
  let away = true;
  const refresh = async () => {
    if (away) throw new Error("away");
    return 1;
  };
  const reply = cachedReply({ revision: async () => "", refresh, build: async () => ({ value: "built", text: "" }) });
  await expect(reply.current()).rejects.toThrow("away");
  away = false;
  expect(await reply.current()).toBe("built");
});

test("requests that come together share looks and one build", async () => {
  const { state, get } = await serve(() => "x");
  await get();
  state.revision = 1;
  state.looks = 0;
  await Promise.all(Array.from({ length: 60 }, () => get()));
  expect(state.builds).toBe(2);
  // One look begins with each that ends, and each build takes two more.
  expect(state.looks).toBeLessThan(30);
});
