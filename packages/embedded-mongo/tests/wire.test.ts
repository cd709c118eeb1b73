import { once } from "node:events";
import { deserialize, serialize } from "bson";
import fc from "fast-check";
import { type Document, Long, MongoClient, MongoServerError } from "mongodb";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Cursors } from "../src/commands/cursors.js";
import { Effort } from "../src/language/query.js";
import { message, openSocket, opMsg } from "./messages.js";
import { refusal, startTestDatabase, type TestDatabase } from "./support.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase();
});

afterAll(() => database.close());

const open = () => openSocket(database.port);

/** Sends bytes. It resolves when the server has closed the connection. */
async function closedAfter(bytes: Uint8Array): Promise<void> {
  const socket = await open();
  socket.resume();
  const closed = once(socket, "close");
  socket.write(bytes);
  await closed;
}

/** Builds a command in the format of old drivers. */
const legacy = (command: Document) =>
  Buffer.concat([Buffer.alloc(4), Buffer.from("admin.$cmd\0"), Buffer.alloc(8), serialize(command)]);

const alive = async () => expect(await database.client.db("admin").command({ ping: 1 })).toMatchObject({ ok: 1 });

test("malformed bytes end their connection alone", async () => {
  const body = Buffer.concat([Buffer.alloc(5), serialize({ ping: 1, $db: "admin" })]);
  const broken = Buffer.from(body);
  broken.writeInt32LE(1_000_000, 5);
  const malformed = [
    Buffer.from("GET / HTTP/1.1\r\n\r\n"),
    message(2013, body, 3),
    message(2013, body, 60_000_000),
    message(2013, body, -1),
    message(4242, body),
    message(2013, broken),
    message(2013, Buffer.concat([Buffer.from([0, 0, 0, 0, 9]), serialize({ ping: 1 })])),
    message(2013, Buffer.concat([Buffer.from([8, 0, 0, 0, 0]), serialize({ ping: 1 })])),
    message(2013, Buffer.alloc(4)),
    message(2013, Buffer.alloc(0)),
    message(2004, Buffer.alloc(3)),
    message(2004, legacy({ insert: "things", documents: [{}] })),
    message(2012, Buffer.alloc(30)),
  ];
  await Promise.all(malformed.map(closedAfter));
  await alive();
});

test("random bytes and random changes of a message never take the server down", async () => {
  const valid = opMsg({ find: "things", filter: { a: 1 }, $db: "wire" });
  const changed = fc
    .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    .map((changes) => {
      const copy = Buffer.from(valid);
      for (const [at, byte] of changes) {
        copy[at] = byte;
      }
      return copy;
    });
  const any = fc.oneof(fc.uint8Array({ maxLength: 300 }), changed);
  const send = async (bytes: Uint8Array) => {
    const socket = await open();
    socket.resume();
    socket.end(bytes);
    await once(socket, "close");
  };
  const samples = fc.sample(any, { numRuns: 300, seed: 11 });
  for (let at = 0; at < samples.length; at += 30) {
    await Promise.all(samples.slice(at, at + 30).map(send));
  }
  await alive();
});

test("commands sent at once are answered in their order, to a client too that says no more", async () => {
  const socket = await open();
  const count = opMsg({ count: "ordered", $db: "wire" });
  const insert = opMsg({ insert: "ordered", documents: [{ _id: 1 }], $db: "wire" });
  socket.end(Buffer.concat([count, insert, count, opMsg({ noSuchCommand: 1, $db: "wire" })]));
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) bytes = Buffer.concat([bytes, chunk]);
  const replies: unknown[] = [];
  for (; bytes.length > 0; bytes = bytes.subarray(bytes.readInt32LE())) {
    const { n, code } = deserialize(bytes.subarray(21, bytes.readInt32LE()));
    replies.push(n ?? code);
  }
  expect(replies).toEqual([0, 1, 1, 59]);
});

test("the end waits for no client that takes no reply", async () => {
  const other = await startTestDatabase();
  await other.client
    .db("wire")
    .collection("large")
    .insertMany(Array.from({ length: 9 }, () => ({ x: "x".repeat(1e6) })));
  const socket = await openSocket(other.port);
  const find = opMsg({ find: "large", $db: "wire" });
  socket.pause();
  socket.write(Buffer.concat(Array.from({ length: 5 }, () => find)));
  await other.client.db("wire").command({ ping: 1 });
  await other.close();
  socket.destroy();
});

test("long replies on one connection leave no listeners behind", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const client = await new MongoClient(database.uri, { maxPoolSize: 1 }).connect();
  onTestFinished(() => client.close());
  const long = client.db("wire").collection("long");
  // More than the system takes at once.
  await long.insertMany(Array.from({ length: 9 }, () => ({ text: "x".repeat(1e6) })));
  for (let n = 0; n < 12; n += 1) expect(await long.find().toArray()).toHaveLength(9);
  expect(warnings).toEqual([]);
});

test("half a message waits, and its other half completes it", async () => {
  const socket = await open();
  const bytes = opMsg({ ping: 1, $db: "admin" });
  for (const byte of bytes.subarray(0, -1)) {
    socket.write(Buffer.from([byte]));
  }
  await alive();
  socket.write(bytes.subarray(-1));
  const [reply] = await once(socket, "data");
  expect(reply.readInt32LE(8)).toBe(7);
  socket.destroy();
});

test("a thousand connections are served, and gone when closed", async () => {
  const sockets = await Promise.all(Array.from({ length: 1000 }, open));
  const bytes = opMsg({ ping: 1, $db: "admin" });
  await Promise.all(
    sockets.map(async (socket) => {
      const answered = once(socket, "data");
      socket.write(bytes);
      await answered;
    }),
  );
  for (const socket of sockets) {
    socket.destroy();
  }
  await alive();
});

test("nesting deeper than MongoDB takes is refused, however deep", async () => {
  const things = database.client.db("wire").collection("deep");
  const nested = (depth: number) => Array.from({ length: depth }).reduce<Document>((inner) => ({ a: inner }), {});
  expect(await refusal(() => things.insertOne(nested(100)))).toBeUndefined();
  expect(await refusal(() => things.insertOne(nested(300)))).toBe(15);
  const depth = 100_000;
  const deep = Buffer.concat([
    ...Array.from({ length: depth }, (_, at) => {
      const level = Buffer.from([0, 0, 0, 0, 3, 97, 0]);
      level.writeInt32LE((depth - at) * 8 + 5);
      return level;
    }),
    Buffer.from([5, 0, 0, 0, 0]),
    Buffer.alloc(depth),
  ]);
  const filter = Buffer.concat([
    Buffer.from("\x02find\0\x02\0\0\0x\0\x02$db\0\x02\0\0\0w\0\x03filter\0", "latin1"),
    deep,
    Buffer.from([0]),
  ]);
  const length = Buffer.alloc(4);
  length.writeInt32LE(filter.length + 4);
  const socket = await open();
  const answered = Promise.race([once(socket, "data"), once(socket, "close")]);
  socket.write(message(2013, Buffer.concat([Buffer.alloc(5), length, filter])));
  await answered;
  socket.destroy();
  await alive();
});

test("the checksum behind a message is no part of it", async () => {
  const body = serialize({ ping: 1, $db: "admin" });
  const socket = await open();
  const answered = once(socket, "data");
  socket.write(
    message(2013, Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), body, Buffer.from([0xde, 0xad, 0xbe, 0xef])])),
  );
  const [reply] = await answered;
  expect(deserialize(reply.subarray(21))).toMatchObject({ ok: 1 });
  socket.destroy();
});

test("commands without a reply are carried out", async () => {
  const socket = await open();
  socket.write(opMsg({ insert: "silent", documents: [{ _id: 1 }], $db: "wire" }, 2));
  socket.write(opMsg({ ping: 1, $db: "admin" }));
  const [reply] = await once(socket, "data");
  expect(reply.includes("ok")).toBe(true);
  expect(await database.client.db("wire").collection("silent").countDocuments()).toBe(1);
  socket.destroy();
});

test("cursors give batches, can be killed, and belong to their collection", async () => {
  const db = database.client.db("wire");
  const many = db.collection("many");
  await many.insertMany(Array.from({ length: 500 }, (_, at) => ({ _id: at as never })));
  expect((await many.find().batchSize(7).toArray()).map(({ _id }) => _id)).toEqual(
    Array.from({ length: 500 }, (_, at) => at),
  );
  const first = await db.command({ find: "many", batchSize: 2 }, { promoteLongs: false });
  expect(first.cursor.firstBatch).toHaveLength(2);
  expect(await refusal(() => db.command({ getMore: first.cursor.id, collection: "other" }))).toBe(13);
  expect(await db.command({ killCursors: "many", cursors: [first.cursor.id] })).toMatchObject({
    cursorsKilled: [first.cursor.id.toNumber ? expect.anything() : 0],
  });
  expect(await refusal(() => db.command({ getMore: first.cursor.id, collection: "many" }))).toBe(43);
  const empty = await db.command({ find: "many", batchSize: 0 });
  expect(empty.cursor.firstBatch).toEqual([]);
  const single = await db.command({ find: "many", batchSize: 3, singleBatch: true });
  expect([single.cursor.firstBatch.length, Number(single.cursor.id)]).toEqual([3, 0]);
  const text = "x".repeat(3_000_000);
  await db.collection("large").insertMany(Array.from({ length: 8 }, () => ({ text })));
  const large = await db.command({ find: "large" });
  expect(large.cursor.firstBatch).toHaveLength(5);
  expect(await db.collection("large").find().toArray()).toHaveLength(8);
});

test("a cursor goes on while documents come and go", async () => {
  const many = database.client.db("wire").collection("moving");
  await many.insertMany(Array.from({ length: 300 }, (_, at) => ({ _id: at as never })));
  const cursor = many.find().batchSize(10);
  const seen: unknown[] = [];
  for await (const { _id } of cursor) {
    seen.push(_id);
    if (seen.length === 10) {
      await many.deleteMany({ _id: { $gte: 100, $lt: 200 } as never });
    }
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => Number(id) < 100 || Number(id) >= 200)).toHaveLength(200);
});

test("a cursor that is not used is given up after ten minutes", () => {
  const cursors = new Cursors();
  const documents = Array.from({ length: 3 }, () => ({})).values();
  const { cursor } = cursors.start({ namespace: "a.b", documents, effort: new Effort(), stores: [] }, 1);
  const id = BigInt(String((cursor as Document).id));
  cursors.expire(Date.now() + 9 * 60_000);
  expect(cursors.next(id, "a.b", [], 1)).toMatchObject({ cursor: { nextBatch: [{}] } });
  cursors.expire(Date.now() + 11 * 60_000);
  expect(() => cursors.next(id, "a.b", [], 1)).toThrow(expect.objectContaining({ code: 43 }));
  cursors.close();
});

test("time limits and size limits are kept", async () => {
  const db = database.client.db("wire");
  await db
    .collection("slow")
    .insertMany(Array.from({ length: 2000 }, (_, at) => ({ at, list: Array.from({ length: 50 }, (__, n) => n) })));
  const pipeline = [{ $lookup: { from: "slow", localField: "at", foreignField: "at", as: "same" } }];
  expect(await refusal(() => db.collection("slow").aggregate(pipeline, { maxTimeMS: 5 }).toArray())).toBe(50);
  const updates = [{ q: { list: { $all: [0, 49, -1] } }, u: { $set: { late: true } }, multi: true }];
  expect(await refusal(() => db.command({ update: "slow", updates, ordered: false, maxTimeMS: 1 }))).toBe(50);
  const doubled = Array.from({ length: 15 }, () => ({ $set: { list: { $concatArrays: ["$list", "$list"] } } }));
  expect(await refusal(() => db.collection("slow").updateOne({ at: 1 }, doubled))).toBe(10334);
  expect(await db.collection("slow").countDocuments({ at: 1, list: { $size: 50 } })).toBe(1);
});

test.each<[string, Document, number]>([
  ["an unknown command", { noSuchCommand: 1 }, 59],
  ["a command of MongoDB's that is not served", { renameCollection: "a.b", to: "a.c" }, 115],
  ["a change of an index", { collMod: "x", index: { name: "a_1", hidden: true } }, 115],
  ["a hidden index", { createIndexes: "x", indexes: [{ key: { a: 1 }, name: "a_1", hidden: true }] }, 115],
  ["an unknown index option", { createIndexes: "x", indexes: [{ key: { a: 1 }, name: "a_1", uniq: true }] }, 197],
  ["an unknown field of one update", { update: "x", updates: [{ q: {}, u: { $set: { a: 1 } }, mult: true }] }, 40415],
  ["a filter of the wrong type", { find: "x", filter: 1 }, 14],
  ["a negative skip", { find: "x", skip: -1 }, 51024],
  ["an unknown field of a command", { find: "x", fliter: {} }, 40415],
  ["an unknown top-level operator", { find: "x", filter: { $foo: 1 } }, 2],
  ["an unknown operator", { find: "x", filter: { a: { $foo: 1 } } }, 2],
  ["an unknown stage", { aggregate: "x", pipeline: [{ $foo: 1 }], cursor: {} }, 40324],
  ["an unknown expression", { aggregate: "x", pipeline: [{ $project: { a: { $foo: 1 } } }], cursor: {} }, 168],
  [
    "an unknown accumulator",
    { aggregate: "x", pipeline: [{ $group: { _id: null, a: { $foo: 1 } } }], cursor: {} },
    15952,
  ],
  ["an unknown modifier", { update: "x", updates: [{ q: {}, u: { $foo: { a: 1 } } }] }, 9],
  ["an unknown variable", { aggregate: "x", pipeline: [{ $project: { a: "$$foo" } }], cursor: {} }, 17276],
  ["a change stream", { aggregate: "x", pipeline: [{ $changeStream: {} }], cursor: {} }, 40573],
  ["a collation", { find: "x", collation: { locale: "en" } }, 115],
  ["$where", { find: "x", filter: { $where: "true" } }, 2],
  ["$text", { find: "x", filter: { $text: { $search: "a" } } }, 27],
  ["$out", { aggregate: "x", pipeline: [{ $out: "y" }], cursor: {} }, 115],
  ["$merge", { aggregate: "x", pipeline: [{ $merge: "y" }], cursor: {} }, 115],
  ["a retryable write", { insert: "x", documents: [{}], txnNumber: new Long(1), lsid: {} }, 20],
  ["a statement of a transaction that never began", { find: "x", txnNumber: new Long(1), autocommit: false }, 251],
  ["a capped collection", { create: "c", capped: true, size: 1 }, 115],
  ["a missing cursor option", { aggregate: "x", pipeline: [] }, 9],
  ["a bad namespace", { find: "" }, 73],
  ["an empty batch", { insert: "x", documents: [] }, 16],
])("%s is refused with MongoDB's code", async (_what, command, code) => {
  const db = database.client.db("wire");
  const reply = await db.command(command).catch((error: unknown) => error);
  const shown = reply instanceof MongoServerError ? reply.code : (reply as Document).writeErrors?.[0]?.code;
  expect(shown).toBe(code);
});

test("it presents a MongoDB 7 replica set of one member to driver and legacy handshakes", async () => {
  const me = `127.0.0.1:${database.port}`;
  const hello = await database.client.db("admin").command({ hello: 1 });
  expect(hello).toMatchObject({ isWritablePrimary: true, maxWireVersion: 21, maxBsonObjectSize: 16_777_216, ok: 1 });
  expect(hello).toMatchObject({ setName: "rs0", setVersion: 1, hosts: [me], primary: me, me, secondary: false });
  expect(hello.topologyVersion).toBeUndefined();
  for (const host of [me, `localhost:${database.port}`]) {
    const named = await new MongoClient(`mongodb://${host}/?replicaSet=rs0&retryWrites=false`).connect();
    expect(await named.db("wire").collection("named").insertOne({})).toMatchObject({ acknowledged: true });
    await named.close();
  }
  const bare = await new MongoClient(`mongodb://127.0.0.1:${database.port}`).connect();
  expect((await bare.db("admin").command({ buildInfo: 1 })).version).toMatch(/^7\./);
  await expect(bare.db("wire").collection("retried").insertOne({})).rejects.toThrow(/retryWrites=false/);
  const { authInfo } = await bare.db("admin").command({ connectionStatus: 1, showPrivileges: true });
  expect(authInfo.authenticatedUsers).toEqual([]);
  await bare.close();
  const socket = await open();
  socket.write(message(2004, legacy({ isMaster: 1 })));
  const [reply] = await once(socket, "data");
  expect(reply.readInt32LE(12)).toBe(1);
  expect(reply.includes("ismaster")).toBe(true);
  socket.destroy();
});

test("set-up tools learn that the replica set is initialized, and read its configuration", async () => {
  const admin = database.client.db("admin");
  expect(await refusal(() => admin.command({ replSetInitiate: {} }))).toBe(23);
  const { config } = await admin.command({ replSetGetConfig: 1 });
  expect(config).toMatchObject({ _id: "rs0", members: [{ host: `127.0.0.1:${database.port}` }] });
  expect(await admin.command({ replSetReconfig: config, force: true })).toMatchObject({ ok: 1 });
});
