import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { backoffMs } from "../../src/lib/backoff.js";
import { batchReads } from "../../src/lib/batch-reads.js";
import { chunk } from "../../src/lib/chunk.js";
import { singleFlight } from "../../src/lib/single-flight.js";
import { createTurns } from "../../src/lib/turns.js";
import { within } from "../../src/lib/within.js";
import { createRenderTurns } from "../../src/services/render-turns.js";
import { createSearchLimit } from "../../src/services/search-limit.js";

test("concurrent callers share a read, and a caller that arrives during a read shares the next one", async () => {
  const finish: (() => void)[] = [];
  let reads = 0;
  const read = singleFlight(async () => {
    const number = ++reads;
    await new Promise<void>((resolve) => finish.push(resolve));
    return number;
  });
  const first = [read(), read()];
  await vi.waitFor(() => expect(finish).toHaveLength(1));
  const later = [read(), read()];
  finish[0]?.();
  expect(await Promise.all(first)).toEqual([1, 1]);
  await vi.waitFor(() => expect(finish).toHaveLength(2));
  finish[1]?.();
  expect(await Promise.all(later)).toEqual([2, 2]);
});

test("a read that hangs does not delay the next one for long", async () => {
  let reads = 0;
  const read = singleFlight(async () => {
    reads += 1;
    if (reads === 1) await new Promise(() => undefined);
    return reads;
  });
  void read();
  await vi.waitFor(() => expect(reads).toBe(1));
  expect(await read()).toBe(2);
});

test("a failed read fails its callers only", async () => {
  let reads = 0;
  const read = singleFlight(async () => {
    if (++reads === 1) throw new Error("no");
    return reads;
  });
  const [failed, shared] = await Promise.allSettled([read(), read()]);
  expect([failed.status, shared.status]).toEqual(["rejected", "rejected"]);
  expect(await read()).toBe(2);
});

test("callers of one turn share a query with each key once, and a later caller starts another one", async () => {
  const asked: (readonly string[])[] = [];
  const read = batchReads(async (keys) => {
    asked.push(keys);
    return new Map(keys.filter((key) => key !== "none").map((key) => [key, `value ${key}`]));
  });
  const found = Promise.all([read("a"), read("b"), read("a"), read("none")]);
  expect(await found).toEqual(["value a", "value b", "value a", undefined]);
  expect(await read("a")).toBe("value a");
  expect(asked).toEqual([["a", "b", "none"], ["a"]]);
});

test("back-off doubles up to its limit, with jitter of a quarter", () => {
  for (const [attempt, expected] of [100, 200, 400, 500, 500].entries()) {
    const waits = Array.from({ length: 50 }, () => backoffMs(attempt, { firstMs: 100, maxMs: 500 }));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(expected * 0.75);
    expect(Math.max(...waits)).toBeLessThanOrEqual(expected * 1.25);
  }
});

test("a list is split in order", () => {
  expect(chunk([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunk([], 2)).toEqual([]);
});

test("turns: the tasks of one client run one after another, and another client waits for one of them only", async () => {
  const runInTurn = createTurns({ atOnce: 1 });
  const order: string[] = [];
  const run = (client: string) => runInTurn(client, async () => void order.push(client));
  await Promise.all([..."aaaa", "b", "c"].map(run));
  // The second task of the first client waits behind the others.
  expect(order.slice(0, 3).sort()).toEqual(["a", "b", "c"]);
  expect(order).toHaveLength(6);
  await expect(runInTurn("a", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await runInTurn("a", async () => 1)).toBe(1);
});

test("a client's searches wait, and only when fifty of them wait the next one is refused", async () => {
  const runSearch = createSearchLimit(new Registry());
  const finish: (() => void)[] = [];
  const search = () => new Promise<string>((resolve) => finish.push(() => resolve("found")));
  const first = runSearch("school", search);
  await vi.waitFor(() => expect(finish).toHaveLength(1));
  const [leaving, waiting] = [new AbortController(), [] as Promise<unknown>[]];
  const left = runSearch("school", search, leaving.signal);
  for (let n = 0; n < 49; n += 1) waiting.push(runSearch("school", async () => n));
  await expect(runSearch("school", search)).rejects.toMatchObject({ status: 503 });
  // Another client has its turn meanwhile.
  expect(await runSearch("home", async () => "at once")).toBe("at once");
  leaving.abort();
  finish[0]?.();
  expect(await first).toBe("found");
  await expect(left).rejects.toBe(leaving.signal.reason);
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 49 }, (_, n) => n));
  expect(await runSearch("school", async () => "again")).toBe("again");
  expect(finish).toHaveLength(1);
});

test("nothing is rendered for a client who left while others had their turn", async () => {
  const leaving = new AbortController();
  const rendered: string[] = [];
  const render = (name: string) => async () => rendered.push(name);
  const renderInTurn = createRenderTurns();
  const first = renderInTurn("a", render("first"));
  const second = renderInTurn("b", render("second"), leaving.signal);
  leaving.abort();
  await expect(second).rejects.toBe(leaving.signal.reason);
  await first;
  await renderInTurn("b", render("third"));
  expect(rendered).toEqual(["first", "third"]);
});

test("work that takes too long is aborted, and nobody waits for it", async () => {
  const signals: AbortSignal[] = [];
  const hang = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<string>(() => undefined);
  };
  await expect(within({ ms: 5 }, hang)).rejects.toThrow("took over 5 ms");
  expect(await within({ ms: 5, late: () => "late" }, hang)).toBe("late");
  const caller = new AbortController();
  const waiting = within({ ms: 60_000, signal: caller.signal, late: () => "late" }, hang);
  caller.abort(new Error("left"));
  await expect(waiting).rejects.toThrow("left");
  await expect(within({ signal: caller.signal }, hang)).rejects.toThrow("left");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});

test("a time limit outlives a collection of garbage, and leaves neither timer nor listener behind", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const caller = new AbortController();
  const hang = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const limited = Array.from({ length: 50 }, () => within({ ms: 50, signal: caller.signal }, hang));
  collect();
  expect((await Promise.allSettled(limited)).every(({ status }) => status === "rejected")).toBe(true);
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  expect(await within({ ms: 60_000, signal: caller.signal }, async () => "done")).toBe("done");
  expect(timers()).toBe(before);
  expect(getEventListeners(caller.signal, "abort")).toEqual([]);
});
