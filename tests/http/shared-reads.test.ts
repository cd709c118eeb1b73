import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { sharedRead, sharedReadByKey } from "../../src/http/shared-reads.js";

/** A source whose reads end when they are told to. */
function heldReads() {
  const reads: { end(value: number | Promise<never>): void }[] = [];
  const read = () => new Promise<number>((resolve) => reads.push({ end: resolve }));
  const begun = (count: number) => expect.poll(() => reads.length).toBe(count);
  return { reads, read, begun };
}

const turns = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await turn();
};

afterEach(() => void vi.useRealTimers());

test("calls of one turn share a read, and those made meanwhile the next one, which begins after them", async () => {
  const { reads, read, begun } = heldReads();
  const get = sharedRead(read);
  const first = Promise.all([get(), get()]);
  await begun(1);
  const second = Promise.all([get(), get(), get()]);
  await pause(20);
  expect(reads).toHaveLength(1);
  reads[0]?.end(1);
  expect(await first).toEqual([1, 1]);
  await begun(2);
  reads[1]?.end(2);
  expect(await second).toEqual([2, 2, 2]);
  expect(reads).toHaveLength(2);
});

test("among many callers reads begin three milliseconds apart, and callers who come meanwhile share one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { reads, read } = heldReads();
  const get = sharedRead(read);
  const first = get();
  await turns(5);
  const second = get();
  reads[0]?.end(1);
  expect(await first).toBe(1);
  await turns(5);
  const third = get();
  vi.advanceTimersByTime(2);
  await turns(5);
  expect(reads).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await turns(5);
  reads[1]?.end(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  expect(reads).toHaveLength(2);
});

test("a caller who is alone waits for no earlier read; a second after others came he is alone again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { reads, read } = heldReads();
  const get = sharedRead(read);
  const answered = async (): Promise<void> => {
    const before = reads.length;
    const asked = get();
    await turns(5);
    expect(reads).toHaveLength(before + 1);
    reads[before]?.end(1);
    await asked;
  };
  await answered();
  await answered();
  expect(reads).toHaveLength(2);
  const one = get();
  await turns(5);
  const other = get();
  reads[2]?.end(1);
  await one;
  vi.advanceTimersByTime(3);
  await turns(5);
  reads[3]?.end(1);
  await other;
  vi.advanceTimersByTime(996);
  await answered();
  const third = get();
  await turns(5);
  expect(reads).toHaveLength(5);
  vi.advanceTimersByTime(3);
  await turns(5);
  reads[5]?.end(1);
  await third;
  vi.advanceTimersByTime(1_000);
  await answered();
  await answered();
  expect(reads).toHaveLength(8);
});

test("after a read the next one waits until three times as long as it took, but not longer than 20 ms", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { reads, read } = heldReads();
  const get = sharedRead(read);
  const afterMs = async (ms: number): Promise<number> => {
    vi.advanceTimersByTime(ms);
    await turns(5);
    return reads.length;
  };
  const first = get();
  expect(await afterMs(0)).toBe(1);
  const second = get();
  expect(await afterMs(5)).toBe(1);
  reads[0]?.end(1);
  expect(await first).toBe(1);
  expect(await afterMs(9)).toBe(1);
  expect(await afterMs(1)).toBe(2);
  const third = get();
  expect(await afterMs(10)).toBe(2);
  reads[1]?.end(2);
  expect(await second).toBe(2);
  expect(await afterMs(9)).toBe(2);
  expect(await afterMs(1)).toBe(3);
  reads[2]?.end(3);
  expect(await third).toBe(3);
});

test("a read that takes long holds up no other", async () => {
  const { reads, read, begun } = heldReads();
  const get = sharedRead(read);
  const slow = get();
  await begun(1);
  const next = get();
  await begun(2);
  reads[1]?.end(2);
  expect(await next).toBe(2);
  reads[0]?.end(1);
  expect(await slow).toBe(1);
});

test("a read that fails fails for those who share it, and for no one after them", async () => {
  const { reads, read, begun } = heldReads();
  const get = sharedRead(read);
  const failing = Promise.allSettled([get(), get()]);
  await begun(1);
  const next = get();
  reads[0]?.end(Promise.reject(new Error("away")));
  expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await begun(2);
  reads[1]?.end(2);
  expect(await next).toBe(2);
});

test("keys that are asked for together are read together, each once, and each gets its own value or error", async () => {
  const asked: (readonly { id: number }[])[] = [];
  const get = sharedReadByKey(
    async (keys: readonly { id: number }[]) => {
      asked.push(keys);
      return keys.map(({ id }) => (id === 3 ? new Error("gone") : `value ${id}`));
    },
    ({ id }) => id,
  );
  const found = await Promise.allSettled([get({ id: 1 }), get({ id: 2 }), get({ id: 1 }), get({ id: 3 })]);
  expect(asked).toEqual([[{ id: 1 }, { id: 2 }, { id: 3 }]]);
  expect(found.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)))).toEqual([
    "value 1",
    "value 2",
    "value 1",
    "Error: gone",
  ]);
});
