import type { Socket } from "node:net";
import { Double, Int32 } from "bson";
import { type ClientSession, type Collection, type Db, type Document, Long, MongoClient, UUID } from "mongodb";
import mongoose from "mongoose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startEmbeddedDatabase } from "../src/index.js";
import { Catalog } from "../src/store/catalog.js";
import { removeExpired } from "../src/store/expiry.js";
import { Storage } from "../src/store/storage.js";
import { openSocket, replyOn } from "./messages.js";
import { startTestDatabase, type TestDatabase, temporaryFolder } from "./support.js";

/** Tests the promises of transactions through the driver, one promise a test. */
type Thing = Document & { _id: number };
let database: TestDatabase;
let client: MongoClient;
let db: Db;
let things: Collection<Thing>;
let socket: Socket;
let sessions: ClientSession[] = [];
let bare: Document[] = [];

beforeAll(async () => {
  database = await startTestDatabase();
  client = database.client;
  db = client.db("transactions");
  things = db.collection("things");
  socket = await openSocket(database.port);
});
afterAll(async () => {
  socket.destroy();
  await database.close();
});
beforeEach(async () => {
  await things.drop();
  await things.createIndexes([{ key: { key: 1 }, unique: true, sparse: true }, { key: { group: 1, n: 1 } }]);
  await things.insertMany([1, 2, 3, 4].map((_id) => ({ _id, key: `k${_id}`, group: _id % 2, n: _id * 10 })));
});
afterEach(async () => {
  await Promise.all(sessions.map((session) => session.endSession()));
  sessions = [];
  await replyOn(socket, { endSessions: bare, $db: "admin" });
  bare = [];
});

/** Begins a transaction and takes its snapshot. */
async function begun(on = client): Promise<ClientSession> {
  const session = on.startSession();
  sessions.push(session);
  session.startTransaction();
  await on.db("transactions").collection("things").findOne({}, { session });
  return session;
}

const ids = async (filter: Document = {}, session?: ClientSession, options: Document = {}) =>
  (await things.find(filter, { ...options, ...(session && { session }) }).toArray()).map(({ _id }) => _id);

/** Returns the code of an error and whether the whole transaction can be retried. */
async function refused(run: () => Promise<unknown>): Promise<[code: unknown, again: boolean]> {
  const error: unknown = await run().then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (!(error instanceof Error && "hasErrorLabel" in error)) return [undefined, false];
  const { code } = error as Error & { code?: unknown };
  return [code, (error as unknown as Document).hasErrorLabel("TransientTransactionError")];
}

/** True when a call still waits after other calls have finished. */
async function waits(running: Promise<unknown>): Promise<boolean> {
  let done = false;
  const end = () => {
    done = true;
  };
  running.then(end, end);
  for (let turn = 0; turn < 20; turn += 1) await db.command({ ping: 1 });
  return !done;
}

/**
 * A session that sends raw statements. It returns the code of each error and whether the transaction can be retried.
 */
function bareSession() {
  const lsid = { id: new UUID() };
  bare.push(lsid);
  return async (command: Document, number: unknown = 1): Promise<[code: unknown, again: boolean]> => {
    const txnNumber = typeof number === "number" ? Long.fromNumber(number) : number;
    const $db = /Transaction$/.test(Object.keys(command)[0] ?? "") ? "admin" : "transactions";
    const reply = await replyOn(socket, { ...command, $db, lsid, txnNumber, autocommit: false, ...command });
    const [{ code } = reply] = reply.writeErrors ?? [];
    return [code, reply.errorLabels?.includes("TransientTransactionError") ?? false];
  };
}
const accepted = [undefined, false];

describe("a collection that a transaction creates", () => {
  const created = () => db.collection<{ _id: number; tags?: string[] }>("created");
  beforeEach(() => created().drop());

  test("is there for others when the transaction commits, with its documents and arrays", async () => {
    const session = await begun();
    await created().insertOne({ _id: 1, tags: ["a", "b"] }, { session });
    await created().insertOne({ _id: 2 }, { session });
    expect(await created().countDocuments({}, { session })).toBe(2);
    expect(await db.listCollections({ name: "created" }).toArray()).toEqual([]);
    await session.commitTransaction();
    expect(await created().find().toArray()).toEqual([{ _id: 1, tags: ["a", "b"] }, { _id: 2 }]);
    await expect(created().insertOne({ _id: 1 })).rejects.toMatchObject({ code: 11000 });
  });

  test("vanishes with a transaction that is aborted", async () => {
    const session = await begun();
    await db.createCollection("created", { session });
    await created().insertOne({ _id: 1 }, { session });
    await session.abortTransaction();
    expect(await db.listCollections({ name: "created" }).toArray()).toEqual([]);
  });

  test("is created by each statement that writes to it", async () => {
    const writes: [(session: ClientSession) => Promise<unknown>, number][] = [
      [(session) => created().insertMany([{ _id: 1 }, { _id: 2 }], { session }), 2],
      [(session) => created().updateOne({ _id: 1 }, { $set: { tags: [] } }, { session, upsert: true }), 1],
      [(session) => created().findOneAndReplace({ _id: 1 }, { tags: [] }, { session, upsert: true }), 1],
      [(session) => created().createIndex({ tags: 1 }, { session }), 0],
    ];
    for (const [write, documents] of writes) {
      await created().drop();
      await client.withSession((session) => session.withTransaction(() => write(session)));
      expect(await db.listCollections({ name: "created" }).toArray()).toHaveLength(1);
      expect(await created().countDocuments()).toBe(documents);
    }
  });

  test("has the indexes that the transaction creates while it is empty", async () => {
    const index = (key: Document) => ({ createIndexes: "created", indexes: [{ key, name: "n", unique: true }] });
    const session = await begun();
    expect(await db.command(index({ tags: 1 }), { session })).toMatchObject({ createdCollectionAutomatically: true });
    expect(await db.command(index({ tags: 1 }), { session })).toMatchObject({
      numIndexesBefore: 2,
      numIndexesAfter: 2,
    });
    await created().insertOne({ _id: 1, tags: ["a"] }, { session });
    expect(await created().findOne({ tags: "a" }, { session })).toMatchObject({ _id: 1 });
    await session.commitTransaction();
    await expect(created().insertOne({ _id: 2, tags: ["a"] })).rejects.toMatchObject({ code: 11000 });

    const other = await begun();
    // An index that exists is no change.
    await db.command(index({ tags: 1 }), { session: other });
    await db.createCollection("made", { session: other });
    await db.collection("made").createIndex({ a: 1 }, { session: other });
    await db.collection("made").insertOne({ a: 1 }, { session: other });
    expect(await refused(() => db.collection("made").createIndex({ b: 1 }, { session: other }))).toEqual([263, false]);
    expect(await db.listCollections({ name: "made" }).toArray()).toEqual([]);
  });

  test("conflicts with another transaction that creates it", async () => {
    const [one, other] = [await begun(), await begun()];
    await created().insertOne({ _id: 1 }, { session: one });
    expect(await refused(() => created().insertOne({ _id: 2 }, { session: other }))).toEqual([112, true]);
    await one.commitTransaction();
    expect(await created().find().toArray()).toEqual([{ _id: 1 }]);
  });

  test("lets a write outside wait for the transaction", async () => {
    const session = await begun();
    await created().insertOne({ _id: 1 }, { session });
    const outside = created().insertOne({ _id: 2 });
    expect(await waits(outside)).toBe(true);
    await session.commitTransaction();
    await outside;
    expect(await created().countDocuments()).toBe(2);
  });
});

describe("what a transaction sees", () => {
  test("its own writes, by scan and by index, in both directions, and no other client does", async () => {
    const session = await begun();
    await things.insertOne({ _id: 5, key: "k5", group: 1, n: 15 }, { session });
    await things.updateOne({ _id: 2 }, { $set: { group: 1, n: 25 } }, { session });
    await things.deleteOne({ _id: 3 }, { session });
    expect(await ids({}, session)).toEqual([1, 2, 4, 5]);
    expect(await ids({ group: 1 }, session, { sort: { n: 1 } })).toEqual([1, 5, 2]);
    expect(await ids({ group: 1 }, session, { sort: { group: -1, n: -1 } })).toEqual([2, 5, 1]);
    expect(await ids({ key: "k5" }, session)).toEqual([5]);
    expect(await ids({ key: "k3" }, session)).toEqual([]);
    expect(await things.countDocuments({ group: 1 }, { session })).toBe(3);
    expect(await things.distinct("n", {}, { session })).toEqual([10, 15, 25, 40]);
    const sum = [{ $group: { _id: null, n: { $sum: "$n" } } }];
    expect(await things.aggregate(sum, { session }).toArray()).toEqual([{ _id: null, n: 90 }]);
    expect(await ids()).toEqual([1, 2, 3, 4]);
    expect(await ids({ group: 1 })).toEqual([1, 3]);
    expect(await things.estimatedDocumentCount()).toBe(4);
    await session.commitTransaction();
    expect(await ids()).toEqual([1, 2, 4, 5]);
    expect(await ids({ group: 1 }, undefined, { sort: { n: 1 } })).toEqual([1, 5, 2]);
    expect(await things.estimatedDocumentCount()).toBe(4);
  });

  test("nothing of what others commit after its first read", async () => {
    const session = await begun();
    await things.insertOne({ _id: 5, group: 1, n: 5 });
    await things.updateOne({ _id: 1 }, { $set: { group: 0 } });
    await things.deleteOne({ _id: 3 });
    expect(await ids({}, session)).toEqual([1, 2, 3, 4]);
    expect(await ids({ group: 1 }, session)).toEqual([1, 3]);
    expect(await ids({ key: "k3" }, session)).toEqual([3]);
    await session.abortTransaction();
    expect(await ids({ group: 1 })).toEqual([5]);
  });

  test("the snapshot even when many others have written much meanwhile", async () => {
    const session = await begun();
    const text = "x".repeat(20_000);
    for (let round = 0; round < 20; round += 1) {
      await things.insertMany(Array.from({ length: 50 }, (_, at) => ({ _id: 100 + round * 50 + at, text })));
      await things.deleteMany({ _id: { $gte: 100 }, n: { $exists: false } });
    }
    expect(await things.find({}, { session }).toArray()).toMatchObject(
      [1, 2, 3, 4].map((_id) => ({ _id, n: _id * 10 })),
    );
  });

  test("with its cursors, batch after batch, which no other client can continue", async () => {
    const session = await begun();
    const more = Array.from({ length: 300 }, (_, at) => ({ _id: 1000 + at, group: 7, n: at }));
    await things.insertMany(more, { session });
    await things.insertOne({ _id: 999, group: 7, n: -1 });
    const found = things.find({ group: 7 }, { session, sort: { group: 1, n: 1 }, batchSize: 40 });
    expect((await found.toArray()).map(({ n }) => n)).toEqual(more.map(({ n }) => n));
    const open = await db.command({ find: "things", batchSize: 2 }, { session, promoteLongs: false });
    const next = { getMore: open.cursor.id, collection: "things" };
    expect(await refused(() => db.command(next))).toEqual([50740, false]);
    const other = await begun();
    expect(await refused(() => db.command(next, { session: other }))).toEqual([50741, false]);
    expect(
      (await db.command({ ...next, batchSize: 1 }, { session, promoteLongs: false })).cursor.nextBatch,
    ).toHaveLength(1);
    await session.commitTransaction();
    expect(await refused(() => db.command(next))).toEqual([43, false]);
  });

  test("arrays that it has put into an index that knew none", async () => {
    // One element is above the range and one below, so only a multikey index finds the document.
    const [between, keys] = [{ group: 1, n: { $gt: 50, $lt: 200 } }, { key: { $gt: "k5", $lt: "k6" } }];
    const session = await begun();
    await things.updateOne({ _id: 1 }, { $set: { n: [1, 300] } }, { session });
    expect(await ids(between, session)).toEqual([1]);
    const other = await begun();
    await things.updateOne({ _id: 2 }, { $set: { key: ["a", "z"] } }, { session: other });
    expect(await ids(keys, other)).toEqual([2]);
    await things.updateOne({ _id: 4 }, { $set: { n: [7, 300] } });
    expect(await ids(between, session)).toEqual([1]);
    await session.commitTransaction();
    await other.commitTransaction();
    expect(await ids(between)).toEqual([1]);
    expect(await ids(keys)).toEqual([2]);
    expect(await ids({ ...between, group: 0 })).toEqual([4]);
  });
});

describe("two at once", () => {
  test("a document that another open transaction has written is refused at once, and that ends the second", async () => {
    const [first, second] = [await begun(), await begun()];
    await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: first });
    expect(await refused(() => things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: second }))).toEqual([
      112,
      true,
    ]);
    expect(await refused(() => things.findOne({}, { session: second }))).toEqual([251, true]);
    await first.commitTransaction();
    expect(await things.findOne({ _id: 1 })).toMatchObject({ n: 11 });
  });

  test("a document committed after the snapshot is refused, were it by a transaction or not", async () => {
    const [first, second, third] = [await begun(), await begun(), await begun()];
    await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: first });
    await first.commitTransaction();
    await things.deleteOne({ _id: 2 });
    expect(await refused(() => things.deleteOne({ _id: 1 }, { session: second }))).toEqual([112, true]);
    expect(await refused(() => things.updateOne({ _id: 2 }, { $inc: { n: 1 } }, { session: third }))).toEqual([
      112,
      true,
    ]);
  });

  test("a unique key goes to one: 112 while it is open, 11000 when it is committed, which is not to be repeated", async () => {
    const [first, second, third] = [await begun(), await begun(), await begun()];
    await things.insertOne({ _id: 5, key: "new" }, { session: first });
    expect(await refused(() => things.insertOne({ _id: 6, key: "new" }, { session: second }))).toEqual([112, true]);
    await first.commitTransaction();
    expect(await refused(() => things.insertOne({ _id: 7, key: "new" }, { session: third }))).toEqual([112, true]);
    const late = await begun();
    expect(await refused(() => things.insertOne({ _id: 8, key: "new" }, { session: late }))).toEqual([11000, false]);
    expect(await refused(() => things.findOne({}, { session: late }))).toEqual([251, true]);
  });

  test("a unique key that one removes is not free for another before the end", async () => {
    const [first, second] = [await begun(), await begun()];
    await things.deleteOne({ _id: 1 }, { session: first });
    expect(await refused(() => things.insertOne({ _id: 5, key: "k1" }, { session: second }))).toEqual([112, true]);
    const outside = things.insertOne({ _id: 5, key: "k1" });
    expect(await waits(outside)).toBe(true);
    await first.commitTransaction();
    await outside;
    expect(await ids({ key: "k1" })).toEqual([5]);
  });

  test("inserts of both are kept, each in its place", async () => {
    const [first, second] = [await begun(), await begun()];
    for (let _id = 10; _id < 40; _id += 2) {
      await things.insertOne({ _id, group: 5, n: [_id] }, { session: first });
      await things.insertOne({ _id: _id + 1, group: 5, n: [_id] }, { session: second });
    }
    await things.insertOne({ _id: 50, group: 5 });
    await Promise.all([first.commitTransaction(), second.commitTransaction()]);
    expect((await ids({ group: 5 })).sort()).toEqual([...Array.from({ length: 30 }, (_, at) => 10 + at), 50]);
    expect(await things.countDocuments()).toBe(35);
  });

  test("a change of nothing takes no part in conflicts", async () => {
    const [first, second] = [await begun(), await begun()];
    await things.updateOne({ _id: 1 }, { $set: { n: 10 } }, { session: first });
    await things.updateOne({ _id: 1 }, { $set: { n: 11 } }, { session: second });
    await second.commitTransaction();
    await first.commitTransaction();
    expect(await things.findOne({ _id: 1 })).toMatchObject({ n: 11 });
  });
});

describe("a write outside", () => {
  test("waits for the transaction in its way, then works on what that left; reads do not wait", async () => {
    for (const [end, n] of [["commitTransaction", 12] as const, ["abortTransaction", 13] as const]) {
      const session = await begun();
      await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
      const writing = things.findOneAndUpdate({ _id: 1 }, { $inc: { n: 1 } }, { returnDocument: "after" });
      expect(await waits(writing)).toBe(true);
      expect(await things.countDocuments()).toBe(4);
      await session[end]();
      expect(await writing).toMatchObject({ n });
    }
  });

  test("of several documents is done once and whole, even when it meets a transaction in its middle", async () => {
    const session = await begun();
    await things.insertOne({ _id: 12, key: "taken" }, { session });
    const inserting = things
      .insertMany([{ _id: 11 }, { _id: 12 }, { _id: 13 }], { ordered: true })
      .catch((error) => error);
    const updating = things.updateMany({}, { $inc: { times: 1 } });
    expect(await waits(inserting)).toBe(true);
    await updating;
    expect(await ids({ _id: { $gt: 10 } })).toEqual([]);
    await session.commitTransaction();
    expect(await inserting).toMatchObject({ code: 11000, result: { insertedCount: 1 } });
    expect(await ids({ _id: { $gt: 10 } })).toEqual([11, 12]);
    expect(await things.distinct("times")).toEqual([1]);
  });

  test("ends with its own time limit, and nothing of it is done", async () => {
    const session = await begun();
    await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    const updates = [{ q: {}, u: { $inc: { n: 5 } }, multi: true }];
    expect(await refused(() => db.command({ update: "things", updates, maxTimeMS: 60 }))).toEqual([50, false]);
    await session.commitTransaction();
    expect(await things.distinct("n")).toEqual([11, 20, 30, 40]);
  });

  test("is not held up by a transaction elsewhere, nor by one that only reads", async () => {
    const [reader, writer] = [await begun(), await begun()];
    await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: writer });
    await things.updateOne({ _id: 2 }, { $inc: { n: 1 } });
    await things.insertOne({ _id: 5, key: "k5" });
    expect(await ids({}, reader)).toEqual([1, 2, 3, 4]);
  });

  test("of the catalog waits for transactions that have used the collection; what is there already is no write", async () => {
    const session = await begun();
    await things.createIndexes([{ key: { group: 1, n: 1 } }]);
    const making = things.createIndex({ n: 1 });
    const dropping = db.dropDatabase();
    expect(await waits(Promise.race([making, dropping]))).toBe(true);
    await db.createCollection("others");
    await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    await session.commitTransaction();
    await Promise.all([making, dropping]);
    expect(await things.countDocuments()).toBe(0);
  });

  test("a collection that was changed after the snapshot is not used by it", async () => {
    await db.collection("others").insertOne({ n: 1 });
    const session = await begun();
    await db.collection("others").createIndex({ n: 1 });
    const [code, again] = await refused(() => db.collection("others").insertOne({ n: 2 }, { session }));
    expect([code, again]).toEqual([112, true]);
  });

  test("expiry leaves alone what a transaction has written", async () => {
    const storage = await Storage.open(temporaryFolder(), (message) => expect.fail(message));
    const catalog = new Catalog(storage);
    await storage.write(() => {
      const leases = catalog.findOrCreate("a", "leases");
      catalog.createIndexes(leases, [{ key: { at: new Int32(1) }, name: "at_1", expireAfterSeconds: new Double(0) }]);
      leases.insert({ _id: new Int32(1), at: new Date(1000) });
    });
    const view = storage.begin();
    storage.within(view, () => {
      const leases = catalog.find("a", "leases");
      const [one] = leases?.scan() ?? [];
      if (leases && one) leases.replace(one, { _id: new Int32(1), at: new Date(9_000_000) });
    });
    const expiring = removeExpired(catalog, new Date(5_000_000));
    await catalog.commit(view);
    expect(await expiring).toBe(0);
    expect(catalog.find("a", "leases")?.count()).toBe(1);
    await storage.close();
  });
});

describe("the end", () => {
  test("an abort undoes everything and frees everything", async () => {
    const session = await begun();
    await things.insertOne({ _id: 5, key: "k5", n: [1, 2] }, { session });
    await things.updateMany({}, { $inc: { n: 1 } }, { session }).catch(() => undefined);
    await things.deleteOne({ _id: 4 }, { session }).catch(() => undefined);
    await session.abortTransaction();
    expect(await things.find().toArray()).toMatchObject(
      [1, 2, 3, 4].map((_id) => ({ _id, key: `k${_id}`, n: _id * 10 })),
    );
    await things.insertOne({ _id: 5, key: "k5" });
    const other = await begun();
    await things.updateMany({}, { $set: { seen: true } }, { session: other });
    await other.commitTransaction();
    expect(await things.countDocuments({ seen: true })).toBe(5);
  });

  test("a commit may be repeated; an ended or unknown transaction is told so", async () => {
    const statement = bareSession();
    const [commit, abort] = [{ commitTransaction: 1 }, { abortTransaction: 1 }];
    expect(await statement({ insert: "things", documents: [{ _id: 5 }], startTransaction: true })).toEqual(accepted);
    expect(await statement(commit)).toEqual(accepted);
    expect(await statement(commit)).toEqual(accepted);
    expect(await things.countDocuments()).toBe(5);
    expect(await statement({ find: "things" })).toEqual([256, false]);
    expect(await statement(abort)).toEqual([256, false]);
    expect(await statement(commit, 2)).toEqual([251, true]);
    expect(await statement({ find: "things" }, 2)).toEqual([251, true]);
    expect(await statement({ find: "things", startTransaction: true }, 4)).toEqual(accepted);
    expect(await statement(abort, 4)).toEqual(accepted);
    expect(await statement(abort, 4)).toEqual([251, true]);
    expect(await statement(commit, 4)).toEqual([251, true]);
    expect(await statement({ find: "things", startTransaction: true }, 3)).toEqual([225, false]);
    expect(await statement({ find: "things", startTransaction: true }, 4)).toEqual([117, false]);
    expect(await bareSession()(commit)).toEqual([251, true]);
  });

  test("a new transaction of the session aborts the one that is open", async () => {
    const statement = bareSession();
    const insert = { insert: "things", documents: [{ _id: 5 }], startTransaction: true };
    expect(await statement(insert, 1)).toEqual(accepted);
    expect(await statement(insert, 2)).toEqual(accepted);
    expect(await statement({ commitTransaction: 1 }, 1)).toEqual([225, false]);
    expect(await statement({ commitTransaction: 1 }, 2)).toEqual(accepted);
    expect(await things.countDocuments()).toBe(5);
  });

  test("a refusal inside ends it, a read's too", async () => {
    for (const command of [
      { find: "things", filter: { $no: 1 } },
      { update: "things", updates: [{ q: {}, u: { $no: 1 } }] },
    ]) {
      const session = await begun();
      await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
      await db.command(command, { session }).catch(() => undefined);
      expect(await refused(() => things.findOne({}, { session }))).toEqual([251, true]);
    }
    expect(await things.findOne({ _id: 1 })).toMatchObject({ n: 10 });
  });

  test("an unordered batch stops at its first refusal", async () => {
    const session = await begun();
    const documents = [{ _id: 1 }, { _id: 6 }];
    const reply = await db.command({ insert: "things", documents, ordered: false }, { session });
    expect(reply).toMatchObject({ n: 0, writeErrors: [{ index: 0, code: 11000 }] });
    expect(await refused(() => session.commitTransaction())).toEqual([251, true]);
  });

  test("one that stays open too long is over", async () => {
    const brief = await startEmbeddedDatabase({ dataDir: temporaryFolder(), transactionLifetimeLimitSeconds: 0.05 });
    const own = await new MongoClient(brief.uri).connect();
    const all = own.db("transactions").collection<Thing>("things");
    await all.insertOne({ _id: 1 });
    const session = own.startSession();
    session.startTransaction();
    await all.updateOne({ _id: 1 }, { $set: { n: 1 } }, { session });
    await all.updateOne({ _id: 1 }, { $set: { n: 2 } }); // waits for its end
    expect(await refused(() => session.commitTransaction())).toEqual([251, true]);
    expect(await all.findOne()).toMatchObject({ n: 2 });
    await own.close();
    await brief.close();
  });

  test("a server that closes aborts what is open and answers who waits", async () => {
    const closing = await startEmbeddedDatabase({ dataDir: temporaryFolder() });
    const own = await new MongoClient(closing.uri, { serverSelectionTimeoutMS: 200 }).connect();
    const all = own.db("transactions").collection<Thing>("things");
    await all.insertOne({ _id: 1 });
    const session = own.startSession();
    session.startTransaction();
    await all.updateOne({ _id: 1 }, { $set: { n: 1 } }, { session });
    const writing = all.updateOne({ _id: 1 }, { $set: { m: 2 } });
    expect(await waits(writing)).toBe(true);
    await closing.close();
    expect(await writing).toMatchObject({ modifiedCount: 1 });
    await own.close();
  });

  test("a client that ends its session, or whose connections are gone, holds nothing any more", async () => {
    const ended = await begun();
    await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: ended });
    await client.db("admin").command({ endSessions: [ended.id] });
    await things.updateOne({ _id: 1 }, { $inc: { n: 2 } });
    const other = await new MongoClient(database.uri, { maxPoolSize: 1 }).connect();
    const session = await begun(other);
    await other
      .db("transactions")
      .collection<Thing>("things")
      .updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    const writing = things.updateOne({ _id: 1 }, { $inc: { n: 3 } });
    await client.db("admin").command({
      configureFailPoint: "failCommand",
      mode: { times: 1 },
      data: { failCommands: ["ping"], closeConnection: true },
    });
    await other
      .db()
      .command({ ping: 1 })
      .catch(() => undefined);
    await writing;
    expect(await things.findOne({ _id: 1 })).toMatchObject({ n: 15 });
    await other.close();
  });

  test("another connection may go on with it", async () => {
    const session = await begun();
    await things.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    const failing = {
      configureFailPoint: "failCommand",
      mode: { times: 1 },
      data: { failCommands: ["commitTransaction"], closeConnection: true },
    };
    await client.db("admin").command(failing);
    await session.commitTransaction();
    expect(await things.findOne({ _id: 1 })).toMatchObject({ n: 11 });
  });
});

describe("what it does not take", () => {
  test.each<[string, Document, number]>([
    ["count", { count: "things" }, 263],
    ["dropping", { drop: "things" }, 263],
    ["dropping a database", { dropDatabase: 1 }, 263],
    ["an index of an existing collection", { createIndexes: "things", indexes: [{ key: { a: 1 }, name: "a" }] }, 263],
    ["listing", { listCollections: 1 }, 263],
    ["listing indexes", { listIndexes: "things" }, 263],
    ["explain", { explain: { find: "things" } }, 263],
    ["ping", { ping: 1 }, 263],
    ["a write concern of a statement", { insert: "things", documents: [{}], writeConcern: { w: 1 } }, 72],
    ["a read concern of a later statement", { find: "things", readConcern: { level: "local" } }, 72],
    ["autocommit", { find: "things", autocommit: true }, 72],
    ["another beginning", { find: "things", startTransaction: true }, 117],
    ["a number that is none", { find: "things", txnNumber: 1 }, 14],
  ])("%s is refused with MongoDB's code", async (_what, command, code) => {
    const statement = bareSession();
    const readConcern = { level: "snapshot" };
    expect(await statement({ find: "things", startTransaction: true, readConcern })).toEqual(accepted);
    expect((await statement(command))[0]).toBe(code);
  });

  test("a new collection or index with another read concern than local", async () => {
    const first = { startTransaction: true, readConcern: { level: "majority" } };
    expect(await bareSession()({ create: "created", ...first })).toEqual([72, false]);
    const indexes = [{ key: { a: 1 }, name: "a" }];
    expect(await bareSession()({ createIndexes: "created", indexes, ...first })).toEqual([72, false]);
  });
});

describe("with the driver's and mongoose's own helpers", () => {
  test("withTransaction repeats on conflict until all of many increments are kept", async () => {
    await Promise.all(
      Array.from({ length: 12 }, () =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            const one = await things.findOne({ _id: 1 }, { session });
            await things.updateOne({ _id: 2 }, { $inc: { n: 1 } }, { session });
            await things.updateOne({ _id: 1 }, { $set: { n: one?.n + 1 } }, { session });
          }),
        ),
      ),
    );
    expect(await things.find({ _id: { $lte: 2 } }).toArray()).toMatchObject([{ n: 22 }, { n: 32 }]);
  });

  test("mongoose's transactions and its documents", async () => {
    const connection = await mongoose.createConnection(database.uri).asPromise();
    const schema = new mongoose.Schema({ name: { type: String, unique: true }, tags: [String], n: Number });
    const Model = connection.model("Pet", schema);
    await Model.init();
    await connection.transaction(async (session) => {
      const [pet] = await Model.create([{ name: "a", tags: ["x"], n: 1 }], { session });
      if (pet === undefined) throw new Error("not created");
      pet.tags.push("y");
      await pet.save();
      await Model.findOneAndUpdate({ name: "a" }, { $inc: { n: 1 } }, { session });
      expect(await Model.countDocuments({ tags: "y" }).session(session)).toBe(1);
    });
    await connection
      .transaction(async (session) => {
        await Model.updateOne({ name: "a" }, { n: 100 }, { session });
        throw new Error("no");
      })
      .catch(() => undefined);
    expect(await Model.findOne({ name: "a" }).lean()).toMatchObject({ n: 2, tags: ["x", "y"] });
    await connection.dropDatabase();
    await connection.close();
  });
});
