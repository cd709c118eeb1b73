import * as bson from "bson";
import { Binary, type Collection, Decimal128, Double, Int32, Long, MongoClient } from "mongodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Catalog } from "../src/store/catalog.js";
import { removeExpired } from "../src/store/expiry.js";
import { Storage } from "../src/store/storage.js";
import { refusal, startTestDatabase, type TestDatabase, temporaryFolder } from "./support.js";

let database: TestDatabase;
let things: Collection;
let made = 0;

beforeAll(async () => {
  database = await startTestDatabase();
});

beforeEach(() => {
  made += 1;
  things = database.client.db("indexes").collection(`things${made}`);
});

afterAll(() => database.close());

test("a duplicate is refused with its index's keys and values, on every way of writing", async () => {
  await things.createIndex({ userId: 1, courseId: 1 }, { unique: true });
  await things.insertMany([
    { _id: 1 as never, userId: "u", courseId: 1 },
    { _id: 2 as never, userId: "u", courseId: 2 },
  ]);
  const expected = { code: 11000, keyPattern: { userId: 1, courseId: 1 }, keyValue: { userId: "u", courseId: 1 } };
  await expect(things.insertOne({ userId: "u", courseId: 1 })).rejects.toMatchObject(expected);
  await expect(things.updateOne({ courseId: 2 }, { $set: { courseId: 1 } })).rejects.toMatchObject(expected);
  await expect(things.findOneAndUpdate({ courseId: 2 }, { $set: { courseId: 1 } })).rejects.toMatchObject(expected);
  await expect(things.replaceOne({ courseId: 2 }, { userId: "u", courseId: 1 })).rejects.toMatchObject(expected);
  await expect(
    things.updateOne({ x: 1 }, { $set: { userId: "u", courseId: 1 } }, { upsert: true }),
  ).rejects.toMatchObject(expected);
  await expect(things.insertOne({ _id: 1 as never, userId: "v" })).rejects.toMatchObject({
    code: 11000,
    keyPattern: { _id: 1 },
  });
  expect(await things.countDocuments()).toBe(2);
});

test("equal numbers of different classes are duplicates, near ones are not", async () => {
  await things.createIndex({ n: 1 }, { unique: true });
  await things.insertOne({ n: new Int32(1) });
  for (const n of [new Double(1), Long.fromNumber(1), Decimal128.fromString("1.00")]) {
    expect(await refusal(() => things.insertOne({ n }))).toBe(11000);
  }
  const near = [
    Long.fromString("9007199254740993"),
    new Double(9007199254740992),
    Decimal128.fromString("9007199254740992.5"),
    new Double(0.1),
    Decimal128.fromString("0.1"),
    new Double(1.0000000001),
    new Double(-2.25),
    new Double(-2.2500000001),
  ];
  await things.insertMany(near.map((n) => ({ n })));
  const sorted = await things.find({}, { promoteValues: false }).sort({ n: 1 }).toArray();
  expect(sorted.map(({ n }) => String(n))).toEqual([
    "-2.2500000001",
    "-2.25",
    "0.1",
    "0.1",
    "1",
    "1.0000000001",
    "9007199254740992",
    "9007199254740992.5",
    "9007199254740993",
  ]);
  expect(sorted[2]?.n).toBeInstanceOf(Decimal128);
});

test("an ordered batch stops at the duplicate, an unordered one goes on", async () => {
  await things.createIndex({ k: 1 }, { unique: true });
  const batch = [{ k: 1 }, { k: 1 }, { k: 2 }, { k: 2 }, { k: 3 }];
  await expect(things.insertMany(batch.map((one) => ({ ...one })))).rejects.toMatchObject({
    code: 11000,
    insertedCount: 1,
  });
  await things.deleteMany({});
  const loose = things.insertMany(
    batch.map((one) => ({ ...one })),
    { ordered: false },
  );
  await expect(loose).rejects.toMatchObject({ insertedCount: 3, writeErrors: [{ index: 1 }, { index: 3 }] });
});

test("a unique race has exactly one winner, again and again", async () => {
  await things.createIndex({ seat: 1 }, { unique: true });
  const clients = await Promise.all(Array.from({ length: 8 }, () => new MongoClient(database.uri).connect()));
  for (let seat = 0; seat < 10; seat += 1) {
    const attempts = clients.flatMap((client, at) => {
      const collection = client.db("indexes").collection(things.collectionName);
      return [
        collection.insertOne({ seat, at }),
        collection.updateOne({ seat, taken: true }, { $setOnInsert: { at } }, { upsert: true }),
      ];
    });
    const results = await Promise.allSettled(attempts);
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.every(({ reason }) => reason.code === 11000)).toBe(true);
    expect(await things.countDocuments({ seat })).toBe(1);
  }
  await Promise.all(clients.map((client) => client.close()));
});

test("sparse and partial unique indexes hold only what they say", async () => {
  await things.createIndex({ orderId: 1 }, { unique: true, sparse: true });
  await things.createIndex(
    { user: 1, course: 1 },
    { unique: true, partialFilterExpression: { status: { $in: ["created", "pending"] } } },
  );
  await things.insertMany([
    { user: "a", course: 1, status: "failed" },
    { user: "a", course: 1, status: "created" },
  ]);
  expect(await refusal(() => things.insertOne({ user: "a", course: 1, status: "pending" }))).toBe(11000);
  await things.updateOne({ status: "created" }, { $set: { status: "failed" } });
  await things.insertOne({ user: "a", course: 1, status: "pending" });
  expect(await refusal(() => things.updateOne({ status: "failed" }, { $set: { status: "created" } }))).toBe(11000);
  await things.insertOne({ orderId: "o1" });
  expect(await refusal(() => things.insertOne({ orderId: "o1" }))).toBe(11000);
});

test("elements of an array are unique among documents, not within one", async () => {
  await things.createIndex({ tags: 1 }, { unique: true });
  await things.insertOne({ tags: ["a", "a", "b"] });
  // The error names the colliding element.
  const named = { code: 11000, keyPattern: { tags: 1 }, keyValue: { tags: "b" } };
  await expect(things.insertOne({ tags: ["c", "b"] })).rejects.toMatchObject(named);
  await things.createIndex({ kind: 1, "items.sku": 1 }, { unique: true, sparse: true });
  await things.insertOne({ kind: 1, items: [{ sku: "x" }, { sku: "y" }] });
  await expect(things.insertOne({ kind: 1, tags: "d", items: [{ sku: "z" }, { sku: "y" }] })).rejects.toMatchObject({
    keyValue: { kind: 1, "items.sku": "y" },
  });
  expect(
    await refusal(() =>
      things
        .createIndex({ "x.a": 1, "y.b": 1 })
        .then(() => things.insertOne({ x: [{ a: 1 }], y: [{ b: 1 }], tags: "z" })),
    ),
  ).toBe(171);
});

test("bytes above 0x7f and characters beyond the basic plane are told apart and ordered", async () => {
  await things.createIndex({ v: 1 }, { unique: true });
  const bytes = ["80", "81", "ff", "fe80"].map((hex) => new Binary(Buffer.from(hex, "hex")));
  const texts = ["\u{1F600}", "\uFFFD", "z", "é"];
  await things.insertMany([...bytes, ...texts].map((v) => ({ v })));
  for (const v of [...bytes, ...texts]) {
    expect(await things.countDocuments({ v })).toBe(1);
    expect(await things.find({ v }).hint({ $natural: 1 }).toArray()).toHaveLength(1);
  }
  await things.updateOne({ v: bytes[0] }, { $set: { v: new Binary(Buffer.from("82", "hex")) } });
  expect(await things.countDocuments({ v: bytes[0] })).toBe(0);
  const ordered = await things
    .find({ v: { $type: "string" } })
    .sort({ v: 1 })
    .toArray();
  expect(ordered.map(({ v }) => v)).toEqual(["z", "é", "\uFFFD", "\u{1F600}"]);
  expect(
    (await things.find().sort({ v: 1 }).hint({ $natural: 1 }).toArray()).slice(-4).map(({ v }) => v.toString("hex")),
  ).toEqual(["81", "82", "ff", "fe80"]);
});

test.each([1, -1] as const)(
  "values too long for an index are refused, and may be asked for (%i)",
  async (direction) => {
    await things.createIndex({ text: direction, n: 1 }, { unique: true });
    const texts = [1700, 1850].map((length) => "x".repeat(length));
    await things.insertMany(texts.map((text) => ({ text, n: 1 })));
    const [long, longer] = [1950, 5000].map((length) => "x".repeat(length));
    expect(await refusal(() => things.insertOne({ text: long }))).toBe(17280);
    expect(await refusal(() => things.updateOne({ text: texts[0] }, { $set: { text: longer } }))).toBe(17280);
    for (const text of [long, longer]) {
      expect(await things.countDocuments({ text, n: 1 })).toBe(0);
      expect(await things.countDocuments({ text: { $lte: text } })).toBe(2);
      expect(await things.countDocuments({ text: { $gt: text } })).toBe(0);
      expect(await things.countDocuments({ text: { $in: [text, texts[1]] }, n: { $gte: 1 } })).toBe(1);
    }
  },
);

test("texts with zero bytes in them are in order in an index, and only themselves", async () => {
  await things.createIndex({ x: 1, y: 1 });
  const texts = ["", "\0", "\0\0", "\0a", "a", "a\0", "a\0\0", "a\0b", "ab"];
  await things.insertMany(texts.toReversed().map((x) => ({ x, y: 1 })));
  const found = await things.find().sort({ x: 1, y: 1 }).toArray();
  expect(found.map(({ x }) => x)).toEqual(texts);
  for (const x of texts) expect(await things.countDocuments({ x })).toBe(1);
});

test("an array that holds the value looked for is ordered by its least element all the same", async () => {
  await things.createIndex({ list: 1 });
  await things.insertMany([{ list: [5, 3] }, { list: [5, 1] }, { list: [2, 5] }]);
  const found = await things.find({ list: 5 }).sort({ list: 1 }).toArray();
  expect(found.map(({ list }) => Math.min(...list))).toEqual([1, 2, 3]);
});

test("an index cannot be made over duplicates, and leaves nothing behind", async () => {
  await things.insertMany([{ k: 1 }, { k: 1 }]);
  expect(await refusal(() => things.createIndex({ k: 1 }, { unique: true }))).toBe(11000);
  expect((await things.indexes()).map(({ name }) => name)).toEqual(["_id_"]);
  await things.createIndex({ k: 1 });
  expect(await refusal(() => things.createIndex({ k: 1 }, { unique: true, name: "k_1" }))).toBe(86);
  expect(await refusal(() => things.createIndex({ k: 1 }, { name: "other" }))).toBe(85);
  expect(await refusal(() => things.createIndex({ j: 1 }, { name: "k_1" }))).toBe(86);
  expect(await things.createIndex({ k: 1 })).toBe("k_1");
  expect(await refusal(() => things.dropIndex("none"))).toBe(27);
  await things.dropIndex("k_1");
  expect(await things.countDocuments({ k: 1 })).toBe(2);
});

async function examined(filter: Record<string, unknown>, sort: Record<string, 1 | -1> = {}, limit = 0) {
  const plan = await things.find(filter).sort(sort).limit(limit).explain("executionStats");
  const { totalKeysExamined, totalDocsExamined, nReturned } = plan.executionStats;
  const text = JSON.stringify(plan.queryPlanner.winningPlan);
  const stages = ["COLLSCAN", "IXSCAN", "SORT", "OR"].filter((stage) => text.includes(`"stage":"${stage}"`));
  return { stages, keys: totalKeysExamined, docs: totalDocsExamined, returned: nReturned };
}

test("a count of all looks at no document, and of some at them", async () => {
  await things.insertMany([{ k: 1 }, { k: 2 }, { k: 2 }]);
  const looked = async (query: Record<string, unknown>) => {
    const count = { count: things.collectionName, query };
    const explained = await database.client.db("indexes").command({ explain: count, verbosity: "executionStats" });
    return explained.executionStats.totalDocsExamined;
  };
  expect(await things.estimatedDocumentCount()).toBe(3);
  expect(await looked({})).toBe(0);
  expect(await looked({ k: 2 })).toBe(3);
});

test("hot queries read what they return: equality, prefix, range, $in, order, multikey, $or", async () => {
  await things.insertMany(
    Array.from({ length: 300 }, (_, at) => ({
      _id: at as never,
      user: `u${at % 10}`,
      at: new Date(at * 1000),
      score: at % 7,
      tags: [`t${at % 5}`, "all"],
      live: at % 2 === 0,
    })),
  );
  await things.createIndexes([
    { key: { user: 1, at: -1 } },
    { key: { tags: 1, at: 1 } },
    { key: { score: 1 }, partialFilterExpression: { live: true } },
  ]);
  expect(await examined({ _id: 7 })).toEqual({ stages: ["IXSCAN"], keys: 1, docs: 1, returned: 1 });
  expect(await examined({ user: "u3" })).toEqual({ stages: ["IXSCAN"], keys: 30, docs: 30, returned: 30 });
  expect(await examined({ user: "u3" }, { at: -1 }, 5)).toEqual({ stages: ["IXSCAN"], keys: 5, docs: 5, returned: 5 });
  expect(await examined({ user: "u3" }, { at: 1 }, 5)).toEqual({ stages: ["IXSCAN"], keys: 5, docs: 5, returned: 5 });
  expect(await examined({ user: "u3", at: { $gte: new Date(200_000) } })).toMatchObject({
    stages: ["IXSCAN"],
    docs: 10,
    returned: 10,
  });
  const [from, to] = [new Date(100_000), new Date(200_000)];
  for (const at of [
    { $gte: from, $lt: to },
    { $lt: to, $gte: from },
  ]) {
    expect(await examined({ user: "u3", at })).toMatchObject({ keys: 10, docs: 10, returned: 10 });
  }
  expect(await examined({ user: { $in: ["u1", "u2"] } })).toMatchObject({ stages: ["IXSCAN"], docs: 60, returned: 60 });
  expect(await examined({ tags: "t2" }, { at: -1 }, 3)).toMatchObject({ stages: ["IXSCAN", "SORT"], docs: 60 });
  expect(await examined({ $or: [{ user: "u1" }, { tags: "t2" }] })).toMatchObject({
    stages: ["IXSCAN", "OR"],
    docs: 90,
    returned: 90,
  });
  expect(await examined({ score: 3, live: true })).toMatchObject({ stages: ["IXSCAN"], returned: 21 });
  expect((await examined({ score: 3 })).stages).toEqual(["COLLSCAN"]);
  expect((await examined({ user: /^u3/ })).stages).toEqual(["IXSCAN"]);
  expect(await examined({ user: "u3" }, { score: 1 })).toMatchObject({ stages: ["IXSCAN", "SORT"] });
});

test("values of all fields of a unique index are read there, whatever another index would give", async () => {
  await things.insertMany(Array.from({ length: 300 }, (_, at) => ({ kind: "k", state: "s", name: `n${at}`, at })));
  await things.createIndexes([
    { key: { kind: 1, state: 1, at: 1 } },
    { key: { name: 1, kind: 1 }, unique: true, partialFilterExpression: { state: "s" } },
  ]);
  const filter = { name: { $in: ["n1", "n2", "none"] }, kind: { $in: ["k"] }, state: "s" };
  expect(await examined(filter)).toEqual({ stages: ["IXSCAN"], keys: 2, docs: 2, returned: 2 });
});

test("of two fields within one array, different elements may satisfy the conditions", async () => {
  await things.createIndex({ "pairs.x": 1, "pairs.y": 1 });
  const crossed = [
    { x: 1, y: 2 },
    { x: 2, y: 1 },
  ];
  await things.insertMany([{ pairs: crossed }, { pairs: crossed.slice(0, 1) }, { pairs: [{ x: 1, y: 1 }] }]);
  expect(await things.countDocuments({ "pairs.x": 1, "pairs.y": 1 })).toBe(2);
  expect(await things.countDocuments({ "pairs.x": { $in: [1, 3] }, "pairs.y": { $lt: 2 } })).toBe(2);
});

test("a collection made anew has nothing of the one that was dropped", async () => {
  await things.createIndex({ k: 1 }, { unique: true });
  await things.insertMany([{ k: 1 }, { k: 2 }]);
  await things.drop();
  await things.insertMany([{ k: 3 }, { k: 3 }]);
  expect((await things.indexes()).map(({ name }) => name)).toEqual(["_id_"]);
  expect(await things.countDocuments({ k: { $gte: 0 } })).toBe(2);
});

test("sparse and partial indexes serve the filters that surely find all they hold, and no others", async () => {
  await things.insertMany([
    { _id: 1 as never, order: "a", state: "open", at: 1 },
    { _id: 2 as never, order: null, state: "late", at: 2 },
    { _id: 3 as never, state: "closed", at: 3 },
    { _id: 4 as never, order: [], at: 4 },
  ]);
  await things.createIndex({ order: 1 }, { sparse: true });
  await things.createIndex({ at: 1 }, { partialFilterExpression: { state: { $in: ["open", "late"] } } });
  const served: [Record<string, unknown>, string][] = [
    [{ order: "a" }, "IXSCAN"],
    [{ order: { $gte: "a" } }, "IXSCAN"],
    [{ order: { $in: ["a", "b"] } }, "IXSCAN"],
    [{ order: null }, "COLLSCAN"],
    [{ order: { $in: ["a", null] } }, "COLLSCAN"],
    [{ order: { $exists: false } }, "COLLSCAN"],
    [{ order: { $ne: "a" } }, "COLLSCAN"],
    [{ at: { $gte: 0 }, state: "late" }, "COLLSCAN"],
    [{ at: { $gte: 0 }, state: { $in: ["open", "late"] } }, "IXSCAN"],
    [{ at: { $gte: 0 }, state: "closed" }, "COLLSCAN"],
    [{ at: { $gte: 0 } }, "COLLSCAN"],
    [{ at: 2, $or: [{ state: "late" }, { state: "closed" }] }, "COLLSCAN"],
  ];
  for (const [filter, stage] of served) {
    const found = await things.find(filter).sort({ _id: 1 }).hint({ $natural: 1 }).toArray();
    expect((await things.find(filter).toArray()).map(({ _id }) => _id).sort(), JSON.stringify(filter)).toEqual(
      found.map(({ _id }) => _id),
    );
    expect((await examined(filter)).stages, JSON.stringify(filter)).toEqual([stage]);
  }
});

test("expired documents go, those without a date stay", async () => {
  const storage = await Storage.open(temporaryFolder(), () => undefined);
  const catalog = new Catalog(storage);
  const now = new Date("2026-01-01T00:00:00Z");
  await storage.write(() => {
    const collection = catalog.findOrCreate("shop", "leases");
    catalog.createIndexes(collection, [
      { key: { until: new bson.Int32(1) }, name: "until_1", expireAfterSeconds: new bson.Int32(60) },
    ]);
    for (const until of [new Date(now.getTime() - 61_000), new Date(now.getTime() - 59_000), "never", undefined]) {
      collection.insert({ _id: new bson.ObjectId(), until });
    }
  });
  expect(await removeExpired(catalog, now)).toBe(1);
  expect(catalog.find("shop", "leases")?.count()).toBe(3);
  const dropped = storage.write(() => {
    const leases = catalog.findOrCreate("shop", "leases");
    catalog.dropIndexes(
      leases,
      leases.indexes.filter(({ name }) => name === "until_1"),
    );
  });
  // The index exists when expired documents are looked up, and is dropped before their removal.
  expect(await removeExpired(catalog, new Date(now.getTime() + 60_000))).toBe(0);
  await dropped;
  await storage.close();
});
