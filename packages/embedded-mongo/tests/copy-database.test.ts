import type { Db } from "mongodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { refusal, startTestDatabase, type TestDatabase } from "./support.js";

interface Thing {
  _id: number;
  name?: string;
  tags?: string[];
}

let database: TestDatabase;
let source: Db;
let copy: Db;
let made = 0;

beforeAll(async () => {
  database = await startTestDatabase();
});

beforeEach(async () => {
  made += 1;
  source = database.client.db(`source${made}`);
  copy = database.client.db(`copy${made}`);
  await source.collection("things").createIndexes([
    { key: { name: 1 }, unique: true },
    { key: { tags: 1 }, name: "by_tag" },
  ]);
  await source.collection<Thing>("things").insertMany([
    { _id: 1, name: "one", tags: ["a", "b"] },
    { _id: 2, name: "two", tags: ["b"] },
  ]);
  await source.createCollection("empty");
});

afterAll(() => database.close());

const copied = (command: object = {}, on = "admin") =>
  database.client.db(on).command({ copydb: 1, fromdb: source.databaseName, todb: copy.databaseName, ...command });

test("has the documents, the indexes and their entries, and the collections without documents", async () => {
  await copied();
  const names = (await copy.listCollections().toArray()).map(({ name }) => name);
  expect(names.sort()).toEqual(["empty", "things"]);
  const things = copy.collection<Thing>("things");
  expect(await things.find().toArray()).toEqual(await source.collection("things").find().toArray());
  expect(await things.indexes()).toEqual(await source.collection("things").indexes());
  expect((await things.find({ tags: "b" }).sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([1, 2]);
  expect(await refusal(() => things.insertOne({ _id: 3, name: "two" }))).toBe(11000);
  expect(await refusal(() => things.insertOne({ _id: 2, name: "three" }))).toBe(11000);
});

test("is apart from what it was copied from", async () => {
  await copied();
  await copy.collection<Thing>("things").insertOne({ _id: 3, name: "three" });
  await copy.collection("empty").insertOne({ n: 1 });
  await source.collection<Thing>("things").deleteOne({ _id: 1 });
  await source.collection<Thing>("things").insertOne({ _id: 4, name: "four" });
  const ids = async () =>
    (await copy.collection<Thing>("things").find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  expect(await ids()).toEqual([1, 2, 3]);
  await source.dropDatabase();
  expect(await ids()).toEqual([1, 2, 3]);
  expect(await copy.collection("empty").countDocuments()).toBe(1);
});

test("leaves out what an open transaction has written", async () => {
  await database.client.withSession(async (session) => {
    session.startTransaction();
    await source.collection<Thing>("things").insertOne({ _id: 9, name: "nine" }, { session });
    await copied();
    await session.commitTransaction();
  });
  expect(await copy.collection("things").countDocuments()).toBe(2);
  expect(await source.collection("things").countDocuments()).toBe(3);
});

test.each<[string, object, number]>([
  ["a name that no database has", { todb: "a b" }, 73],
  ["no name", { todb: null }, 40414],
  ["itself", { todb: "source4", fromdb: "source4" }, 72],
  ["another server", { fromhost: "elsewhere" }, 40415],
])("into %s is refused", async (_what, command, code) => {
  expect(await refusal(() => copied(command))).toBe(code);
});

test("into a database that has one of the collections is refused as a whole", async () => {
  await copy.collection<Thing>("things").insertOne({ _id: 5 });
  expect(await refusal(() => copied())).toBe(48);
  expect(await copy.collection("things").countDocuments()).toBe(1);
  expect(await copy.listCollections({ name: "empty" }).toArray()).toEqual([]);
});

test("is asked of the database admin", async () => {
  expect(await refusal(() => copied({}, source.databaseName))).toBe(13);
});
