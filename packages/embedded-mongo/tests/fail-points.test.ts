import {
  type Collection,
  type Db,
  type Document,
  type MongoClient,
  MongoNetworkError,
  MongoServerError,
} from "mongodb";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./support.js";

/** Tests MongoDB's fail point `failCommand` through a driver. */
let database: TestDatabase;
let client: MongoClient;
let db: Db;
let things: Collection<Document & { _id: number }>;

beforeAll(async () => {
  database = await startTestDatabase();
  client = database.client;
  db = client.db("failures");
  things = db.collection("things");
});
afterAll(() => database.close());
beforeEach(async () => {
  await things.deleteMany({});
  await things.insertOne({ _id: 1, n: 0 });
});
afterEach(() => fail("off"));

const fail = (mode: unknown, data: Document = {}) =>
  client.db("admin").command({ configureFailPoint: "failCommand", mode, ...(mode !== "off" && { data }) });

async function problem(run: () => Promise<unknown>): Promise<MongoServerError> {
  const error: unknown = await run().catch((one: unknown) => one);
  return error instanceof MongoServerError ? error : expect.fail(String(error));
}

/** Runs an increment in a transaction and counts the runs of its body. */
async function increment(): Promise<number> {
  let runs = 0;
  await client.withSession((session) =>
    session.withTransaction(async () => {
      runs += 1;
      await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    }),
  );
  return runs;
}

const stored = async () => (await things.findOne({ _id: 1 }))?.n;

test("it fails the commands named, as often as is said, before they do anything", async () => {
  await fail({ times: 2 }, { failCommands: ["update", "ping"], errorCode: 8000 });
  expect((await problem(() => things.updateOne({ _id: 1 }, { $inc: { n: 1 } }))).code).toBe(8000);
  expect(await stored()).toBe(0);
  expect((await problem(() => db.command({ ping: 1 }))).code).toBe(8000);
  await db.command({ ping: 1 });
  expect(await fail("alwaysOn", { failCommands: ["ping"], errorCode: 8000 })).toMatchObject({ count: 2 });
  for (let time = 0; time < 3; time += 1) expect((await problem(() => db.command({ ping: 1 }))).code).toBe(8000);
  await fail("off");
  await db.command({ ping: 1 });
  await fail({ skip: 1 }, { failCommands: ["ping"], errorCode: 8000 });
  await db.command({ ping: 1 });
  expect((await problem(() => db.command({ ping: 1 }))).code).toBe(8000);
});

test("a connection is cut, a command is held up, another application is left alone", async () => {
  await fail({ times: 1 }, { failCommands: ["ping"], closeConnection: true });
  await expect(db.command({ ping: 1 })).rejects.toThrow(MongoNetworkError);
  await fail({ times: 1 }, { failCommands: ["ping"], blockConnection: true, blockTimeMS: 30, errorCode: 8000 });
  expect((await problem(() => db.command({ ping: 1 }))).code).toBe(8000);
  await fail("alwaysOn", { failCommands: ["ping"], errorCode: 8000, appName: "others" });
  await db.command({ ping: 1 });
});

test("a transient error in the body makes the driver repeat it, any other does not", async () => {
  await fail({ times: 2 }, { failCommands: ["update"], errorCode: 91 });
  expect(await increment()).toBe(3);
  await fail({ times: 1 }, { failCommands: ["update"], errorCode: 91, errorLabels: [] });
  expect((await problem(increment)).code).toBe(91);
  await fail({ times: 1 }, { failCommands: ["update"], errorCode: 8000, errorLabels: ["TransientTransactionError"] });
  expect(await increment()).toBe(2);
  expect(await stored()).toBe(2);
});

test("a commit whose result is unknown is repeated alone, whether it was done before or not", async () => {
  await fail({ times: 1 }, { failCommands: ["commitTransaction"], closeConnection: true });
  expect(await increment()).toBe(1);
  await fail({ times: 1 }, { failCommands: ["commitTransaction"], errorCode: 91 });
  expect(await increment()).toBe(1);
  await fail({ times: 3 }, { failCommands: ["commitTransaction"], writeConcernError: { code: 91, errmsg: "later" } });
  expect(await increment()).toBe(1);
  await fail({ times: 1 }, { failCommands: ["commitTransaction"], errorCode: 251 });
  expect(await increment()).toBe(2);
  expect(await stored()).toBe(4);
});

test("a write concern that is not reached leaves the commit done, with the labels MongoDB adds", async () => {
  for (const [code, labels] of [
    [64, ["UnknownTransactionCommitResult"]],
    [91, ["RetryableWriteError", "UnknownTransactionCommitResult"]],
  ] as const) {
    await fail({ times: 2 }, { failCommands: ["commitTransaction"], writeConcernError: { code, errmsg: "later" } });
    const session = client.startSession();
    session.startTransaction();
    await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    const refused = await problem(() => session.commitTransaction());
    for (const label of labels) expect([label, refused.hasErrorLabel(label)]).toEqual([label, true]);
    await fail("off");
    await session.endSession();
  }
  expect(await stored()).toBe(2);
});

test("what it does not know it refuses", async () => {
  const admin = client.db("admin");
  expect((await problem(() => admin.command({ configureFailPoint: "other", mode: "off" }))).code).toBe(115);
  expect((await problem(() => db.command({ configureFailPoint: "failCommand", mode: "off" }))).code).toBe(13);
  expect((await problem(() => fail("sometimes"))).code).toBe(2);
  expect((await problem(() => fail("alwaysOn", { failCommand: ["ping"] }))).code).toBe(40415);
});
