import type { Collection, Document } from "mongodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./support.js";

/** Counts the keys and documents that reads examine. */
let database: TestDatabase;
let things: Collection;

beforeAll(async () => {
  database = await startTestDatabase();
  things = database.client.db("reads").collection("things");
});
beforeEach(() => things.drop());
afterAll(() => database.close());

/** Explains a command of the collection. */
async function explained(command: Document): Promise<Document> {
  const [name = "", options] = Object.entries(command)[0] ?? [];
  const explain = { [name]: things.collectionName, ...options };
  return await database.client.db("reads").command({ explain, verbosity: "executionStats" });
}

test("the distinct values of an indexed field are read once each", async () => {
  const documents = Array.from({ length: 300 }, (_, n) => ({
    n,
    kind: n % 6 === 5 ? null : n % 6,
    live: n > 5 && n % 2 === 0,
  }));
  await things.insertMany([...documents, {}, {}]);
  const [unindexed, byKind, live] = [{ key: "kind" }, { key: "kind", query: { kind: { $gte: 3 } } }, { live: true }];
  const all = await things.distinct("kind");
  expect((await explained({ distinct: unindexed })).executionStats).toMatchObject({ totalDocsExamined: 302 });
  for (const index of [{ kind: 1 }, { kind: -1, n: 1 }] as const) {
    await things.dropIndexes();
    await things.createIndex(index);
    // Two documents miss the field, which has the key of null.
    expect(await things.distinct("kind")).toEqual(all);
    const { executionStats, queryPlanner } = await explained({ distinct: unindexed });
    expect(queryPlanner.winningPlan.inputStage).toMatchObject({ stage: "DISTINCT_SCAN", keyPattern: index });
    expect(executionStats.totalDocsExamined).toBeLessThanOrEqual(8);
    expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(8);
    expect(await things.distinct("kind", { kind: { $gte: 3 } })).toEqual([3, 4]);
    expect((await explained({ distinct: byKind })).executionStats).toMatchObject({ totalKeysExamined: 2 });
    // A match is sought among the entries of each value.
    expect(await things.distinct("kind", live)).toEqual([0, 2, 4]);
  }
  // An index of arrays has several keys for one document.
  await things.insertOne({ kind: [7, 8] } as never);
  expect(await things.distinct("kind")).toEqual([...all, 7, 8]);
  expect((await explained({ distinct: unindexed })).executionStats).toMatchObject({ totalDocsExamined: 303 });
});

test("a transaction counts and distinguishes what it has written", async () => {
  await things.createIndex({ kind: 1 });
  await things.insertMany([{ kind: 1 }, { kind: 2 }, { kind: 2 }]);
  await database.client.withSession((session) =>
    session.withTransaction(async () => {
      await things.deleteOne({ kind: 1 }, { session });
      await things.insertMany([{ kind: 3 }, { kind: 3 }], { session });
      expect(await things.distinct("kind", {}, { session })).toEqual([2, 3]);
      expect(await things.countDocuments({}, { session })).toBe(4);
      expect(await things.distinct("kind")).toEqual([1, 2]);
      expect(await things.countDocuments()).toBe(3);
    }),
  );
  expect(await things.distinct("kind")).toEqual([2, 3]);
});

test("countDocuments without a filter reads no document", async () => {
  await things.insertMany(Array.from({ length: 30 }, (_, n) => ({ n })));
  const read = async (...pipeline: Document[]) =>
    (await explained({ aggregate: { pipeline, cursor: {} } })).executionStats.totalDocsExamined;
  expect(await things.countDocuments()).toBe(30);
  expect(await things.countDocuments({}, { skip: 5, limit: 10 })).toBe(10);
  expect(await things.aggregate([{ $skip: 40 }, { $count: "all" }]).toArray()).toEqual([]);
  const sum = { $group: { _id: 1, n: { $sum: 1 } } };
  expect(await read({ $match: {} }, sum)).toBe(0);
  expect(await read({ $skip: 5 }, { $limit: 10 }, sum)).toBe(0);
  expect(await read({ $count: "all" })).toBe(0);
  expect(await things.aggregate([{ $group: { _id: null, n: { $sum: "$n" } } }]).toArray()).toEqual([
    { _id: null, n: 435 },
  ]);
  expect(await read({ $group: { _id: null, first: { $first: "$$ROOT" } } })).toBe(30);
  expect(await read({ $match: { n: { $lt: 3 } } }, sum)).toBe(30);
});

test("a join reads the documents that it joins", async () => {
  const others = database.client.db("reads").collection<Document>("others");
  await others.drop();
  await others.insertMany(Array.from({ length: 100 }, (_, n) => ({ thing: n % 20, n })));
  await things.insertMany([0, 1, [2, 3], 99].map((key) => ({ key })));
  const $lookup = { from: "others", localField: "key", foreignField: "thing", as: "found" };
  const joined = async () => {
    const { executionStats, stages } = await explained({ aggregate: { pipeline: [{ $lookup }], cursor: {} } });
    const { totalKeysExamined, totalDocsExamined } = stages[0];
    return [executionStats.totalDocsExamined, totalKeysExamined, totalDocsExamined];
  };
  const found = async () => (await things.aggregate([{ $lookup }]).toArray()).map((thing) => thing.found.length);
  expect(await found()).toEqual([5, 5, 10, 0]);
  expect(await joined()).toEqual([4, 0, 400]);
  await others.createIndex({ thing: 1, n: 1 });
  expect(await found()).toEqual([5, 5, 10, 0]);
  expect(await joined()).toEqual([4, 20, 20]);
});

test("a text with a zero byte is not hidden behind the text before that byte", async () => {
  for (const index of [{ text: 1 }, { text: -1 }] as const) {
    await things.drop();
    await things.createIndex(index);
    await things.insertMany(["a", "a\0", "a\0b", "a\x01"].map((text) => ({ text })));
    expect(await things.distinct("text")).toEqual(["a", "a\0", "a\0b", "a\x01"]);
    expect(await things.countDocuments({ text: { $gt: "a" } })).toBe(3);
  }
});
