import { once } from "node:events";
import { deserialize } from "bson";
import { type Collection, DBRef, type Db, type Document, Long, MinKey } from "mongodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openSocket, opMsg } from "./messages.js";
import { refusal, startTestDatabase, type TestDatabase } from "./support.js";

/** Tests that MongoDB's errors keep their codes and that a refused command changes nothing. */
let database: TestDatabase;
let db: Db;
let things: Collection<Document & { _id: number }>;

const kept = [
  { _id: 1, a: [{ x: 1 }, { x: 2 }], n: 5 },
  { _id: 2, a: [], n: null },
];

beforeAll(async () => {
  database = await startTestDatabase();
  db = database.client.db("refusals");
  things = db.collection("things");
});
afterAll(() => database.close());
beforeEach(async () => {
  await things.drop();
  await things.insertMany(kept.map((one) => ({ ...one })));
});

/** Sends one message and returns its reply. */
async function answerTo(bytes: Buffer): Promise<Document> {
  const socket = await openSocket(database.port);
  socket.write(bytes);
  const [reply] = await once(socket, "data");
  socket.destroy();
  return deserialize(reply.subarray(21));
}

/** Returns the error code of a command or of its only write. */
const codeOf = (command: Document) =>
  refusal(async () => {
    const { writeErrors = [] } = await db.command(command);
    if (writeErrors.length > 0) throw writeErrors[0];
  });

test.each<[string, Document, number]>([
  ["removing without a filter", { delete: "things", deletes: [{ limit: 0 }] }, 40414],
  ["removing by a filter that is null", { delete: "things", deletes: [{ q: null, limit: 0 }] }, 40414],
  ["changing to nothing", { update: "things", updates: [{ q: {}, u: null }] }, 40414],
  ["changing without a filter", { update: "things", updates: [{ u: { $set: { n: 1 } }, multi: true }] }, 40414],
  [
    "a batch of which one write has an unknown field",
    {
      delete: "things",
      deletes: [
        { q: {}, limit: 0 },
        { q: {}, limit: 1, only: 1 },
      ],
    },
    40415,
  ],
  [
    "a batch of which one write has a wrong limit",
    {
      delete: "things",
      deletes: [
        { q: {}, limit: 0 },
        { q: {}, limit: 2 },
      ],
    },
    9,
  ],
  ["a number for yes or no", { insert: "things", documents: [{ _id: 3 }], ordered: 1 }, 14],
  ["an operator within an _id", { insert: "things", documents: [{ _id: { a: { $b: 1 } } }] }, 52],
  ["the word of a second member", { delete: "things", deletes: [{ q: {}, limit: 0 }], writeConcern: { w: 2 } }, 100],
  ["a snapshot", { find: "things", readConcern: { level: "snapshot" } }, 115],
  ["an order by an operator", { find: "things", sort: { $n: 1 } }, 16410],
  ["an order that is neither up nor down", { find: "things", sort: { n: 2 } }, 2],
  ["the natural order", { find: "things", sort: { $natural: -1 } }, 115],
  ["a hint that is no name", { find: "things", hint: { n: 1 } }, 115],
  ["a hint that names no index", { find: "things", hint: "n_1" }, 2],
  ["a hint for a count", { count: "things", hint: "_id_" }, 115],
  ["$all of values and conditions", { find: "things", filter: { a: { $all: [5, { $elemMatch: { x: 1 } }] } } }, 115],
  ["a comment among operators", { find: "things", filter: { n: { $gt: 1, $comment: "why" } } }, 2],
  ["$expr of an element", { find: "things", filter: { a: { $elemMatch: { $expr: { $eq: ["$x", 1] } } } } }, 2],
  ["a regular option unknown to MongoDB", { find: "things", filter: { s: { $regex: "a", $options: "g" } } }, 51108],
  ["a reference of the driver's", { find: "things", filter: { of: new DBRef("things", 1 as never) } }, 115],
  ["a limit that is no number", { count: "things", limit: "5" }, 14],
  ["a cursor's number that is none", { getMore: 5.5, collection: "things" }, 14],
  ["removing without a limit", { delete: "things", deletes: [{ q: {} }] }, 40414],
  ["a collection of the system's", { insert: "system.things", documents: [{ _id: 1 }] }, 73],
  ["the size of a collection that is not capped", { create: "sized", size: 4096 }, 115],
  ["a read concern that is none", { find: "things", readConcern: 5 }, 14],
  ["a level that no read concern has", { find: "things", readConcern: { level: "all" } }, 2],
  ["dropping no index in particular", { dropIndexes: "things" }, 40414],
  ["a repetition of repetitions", { find: "things", filter: { s: { $regex: "^(a+)+$" } } }, 51091],
  ["a random choice", { aggregate: "things", pipeline: [{ $sample: { size: 1 } }], cursor: {} }, 115],
])("%s is refused", async (_what, command, code) => {
  expect(await codeOf(command)).toBe(code);
  expect(await things.find().toArray()).toEqual(kept);
});

test.each<[string, Document | Document[], number, Document?, Document?]>([
  ["two positions in one path", { $set: { "a.$.x.$": 9 } }, 2, { "a.x": 1 }],
  ["a position at the beginning", { $set: { "$[]": 9 } }, 2],
  ["an array entered in two ways", { $set: { "a.$[].x": 7, "a.0.y": 8 } }, 115],
  ["one path twice", { $set: { "a.$[].x": 7 }, $inc: { "a.$[].x": 8 } }, 40],
  ["array filters for a pipeline", [{ $set: { n: 1 } }], 9, {}, { arrayFilters: [{ "i.x": 1 }] }],
  ["array filters for a replacement", { n: 1 }, 9, {}, { arrayFilters: [{ "i.x": 1 }] }],
  ["$expr in an array filter", { $set: { "a.$[i].x": 1 } }, 115, {}, { arrayFilters: [{ $expr: true }] }],
  ["$expr in $pull", { $pull: { a: { x: 1, $expr: { $eq: ["$x", 1] } } } }, 224],
  ["$expr in an upsert", { $set: { n: 1 } }, 224, { _id: 9, $expr: { $eq: ["$n", 1] } }, { upsert: true }],
  ["a field fixed with one inside it", { $set: { n: 1 } }, 54, { o: { c: 1 }, "o.b": 1 }, { upsert: true }],
  ["part of an _id for a replacement", { n: 1 }, 111, { "_id.x": 1 }, { upsert: true }],
])("an update with %s is refused", async (_what, u, code, q = { _id: 1 }, options = {}) => {
  expect(await codeOf({ update: "things", updates: [{ q, u, ...options }] })).toBe(code);
  expect(await things.find().toArray()).toEqual(kept);
});

test.each<[string, Document, number]>([
  ["two operands", { $group: { _id: null, x: { $sum: ["$n", 1] } } }, 40237],
  ["one operand in a list", { $group: { _id: null, x: { $push: ["$n"] } } }, 40237],
  ["a dotted field", { $group: { _id: null, "x.y": { $sum: 1 } } }, 40235],
  ["a field named like an operator", { $group: { _id: null, $x: { $sum: 1 } } }, 40236],
  ["two accumulators for a field", { $group: { _id: null, x: { $sum: 1, $max: 1 } } }, 40238],
  ["more than a new root", { $replaceRoot: { newRoot: "$$ROOT", old: 1 } }, 40415],
  ["a dotted facet", { $facet: { "x.y": [] } }, 16412],
  ["an unwinding path that is no field's", { $unwind: "a" }, 28818],
])("a stage with %s is refused", async (_what, stage, code) => {
  expect(await codeOf({ aggregate: "things", pipeline: [stage], cursor: {} })).toBe(code);
});

test.each<[string, Document, number]>([
  ["null for an option", { key: { n: 1 }, name: "n_1", unique: null }, 14],
  ["null for what it holds", { key: { n: 1 }, name: "n_1", partialFilterExpression: null }, 14],
  ["a place in an array", { key: { "a.0": 1 }, name: "a_0" }, 115],
  ["a lifetime of _id", { key: { _id: 1 }, name: "_id_1", expireAfterSeconds: 5 }, 197],
  ["a version to come", { v: 9, key: { n: 1 }, name: "n_1" }, 67],
  ["a version that is no number", { v: "2", key: { n: 1 }, name: "n_1" }, 14],
  [
    "more fields than an index has",
    { key: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`f${at}`, 1])), name: "many" },
    13103,
  ],
  ["its own uniqueness of _id", { key: { _id: 1 }, name: "_id_1", unique: true }, 197],
])("an index with %s is refused", async (_what, index, code) => {
  expect(await codeOf({ createIndexes: "things", indexes: [index] })).toBe(code);
  expect(await things.indexes()).toHaveLength(1);
});

test("an index is another by its keys, uniqueness and filter; its lifetime is an option", async () => {
  const index = (more: Document) => codeOf({ createIndexes: "things", indexes: [{ key: { n: 1 }, ...more }] });
  expect(await index({ name: "n_1", expireAfterSeconds: 5 })).toBeUndefined();
  expect(await index({ name: "n_1", expireAfterSeconds: 5 })).toBeUndefined();
  expect(await index({ name: "n_1", expireAfterSeconds: 6 })).toBe(85);
  expect(await index({ name: "other", expireAfterSeconds: 5 })).toBe(85);
  expect(await index({ name: "n_1", sparse: true })).toBe(86);
  expect(await index({ name: "unique", unique: true })).toBeUndefined();
  expect(await things.indexes()).toHaveLength(3);
});

test("a cursor whose collection or index is dropped says so, and does not end as if it had read all", async () => {
  const many = db.collection("many");
  await many.insertMany(Array.from({ length: 300 }, (_, n) => ({ n })));
  await many.createIndex({ n: 1 });
  const rest = (id: unknown) => refusal(() => db.command({ getMore: id, collection: "many" }));
  const opened = async (filter: Document) => {
    const { cursor } = await db.command({ find: "many", filter, batchSize: 10 }, { promoteLongs: false });
    expect(cursor.id).not.toEqual(Long.ZERO);
    return cursor.id;
  };
  const [byIndex, byScan] = [await opened({ n: { $gte: 0 } }), await opened({})];
  await many.dropIndex("n_1");
  expect(await rest(byIndex)).toBe(175);
  await many.drop();
  await many.insertOne({ n: 1 });
  expect(await rest(byScan)).toBe(175);
});

test("an index given twice in one command is refused, one that is there is not", async () => {
  const indexes = [{ key: { n: 1 }, name: "n_1" }];
  expect(await codeOf({ createIndexes: "things", indexes: [...indexes, ...indexes] })).toBe(68);
  expect(await things.indexes()).toHaveLength(1);
  for (const _ of "12") expect(await codeOf({ createIndexes: "things", indexes })).toBeUndefined();
});

test("a collection is made and dropped once, however often it is asked for", async () => {
  for (const _ of "12") expect(await codeOf({ create: "things" })).toBeUndefined();
  expect(await things.countDocuments()).toBe(2);
  for (const _ of "12") expect(await codeOf({ drop: "things" })).toBeUndefined();
});

test("a refused document makes no collection", async () => {
  expect(await codeOf({ insert: "unmade", documents: [{ _id: [1] }] })).toBe(53);
  expect(await db.listCollections({ name: "unmade" }).toArray()).toEqual([]);
});

test("a date that JavaScript cannot hold is refused, not stored as another", async () => {
  const bytes = opMsg({ insert: "things", documents: [{ _id: 3, d: Long.MAX_VALUE }], $db: "refusals" });
  bytes[bytes.indexOf("\x12d\0", "latin1")] = 9;
  expect((await answerTo(bytes)).writeErrors).toMatchObject([{ code: 115 }]);
  expect(await things.find().toArray()).toEqual(kept);
});

test("a database's name has no dot, so that none reaches into another's collections", async () => {
  await db.collection("b.c").insertOne({});
  for (const $db of ["refusals.b", "", "a/b", "x".repeat(64)]) {
    expect((await answerTo(opMsg({ find: "c", $db }))).code, $db).toBe(73);
  }
});

test("a sparse unique index holds no element without the field", async () => {
  await things.createIndex({ "a.y": 1 }, { unique: true, sparse: true });
  await things.insertMany([
    { _id: 3, a: [{}, { y: 1 }] },
    { _id: 4, a: [{}, { y: 2 }] },
  ]);
  expect(await refusal(() => things.insertOne({ _id: 5, a: [{ y: 2 }] }))).toBe(11000);
  expect(await things.countDocuments({ "a.y": { $gte: 1 } })).toBe(2);
});

test("a pattern means what MongoDB's means, or is refused", async () => {
  await things.insertMany(
    ["é", "🙂", "abc\n", "a\rb", "a-b", "a@b", "x\ny", "x\u2028y", "x\u00a0y", "ſ"].map((s, at) => ({
      _id: 10 + at,
      s,
    })),
  );
  const matching = async ($regex: string, $options = "") =>
    (await things.find({ s: { $regex, $options } }).toArray()).map(({ s }) => s);
  expect(await matching("^\\p{L}$")).toEqual(["é", "ſ"]);
  expect(await matching("^É$", "i")).toEqual(["é"]);
  expect(await matching("^.$")).toEqual(["é", "🙂", "ſ"]);
  expect(await matching("c$")).toEqual(["abc\n"]);
  expect(await matching("a.b")).toEqual(["a\rb", "a-b", "a@b"]);
  expect(await matching("^a\\-b$")).toEqual(["a-b"]);
  expect(await matching("^a[\\@_]b$")).toEqual(["a@b"]);
  expect(await matching("^a[-(*)+@]+b$")).toEqual(["a-b", "a@b"]);
  expect(await matching("^(a)(?:-|\\)){1}b{1,}$")).toEqual(["a-b"]);
  // `\s` is ASCII, and only `\n` ends a line: the start and a line feed before more text begin one.
  expect(await matching("^[a-z]\\s[a-z]$")).toEqual(["a\rb", "x\ny"]);
  expect(await matching("^[a-z][\\s-][a-z]$")).toEqual(["a\rb", "a-b", "x\ny"]);
  expect(await matching("^x\\Sy$")).toEqual(["x\u2028y", "x\u00a0y"]);
  expect(await matching("^x[\\S]y$")).toEqual(["x\u2028y", "x\u00a0y"]);
  expect(await matching("^[by]", "m")).toEqual(["x\ny"]);
  expect(await matching("[ax]$", "m")).toEqual(["x\ny"]);
  expect(await matching("[cy]$", "m")).toEqual(["abc\n", "x\ny", "x\u2028y", "x\u00a0y"]);
  expect(await matching("^$", "m")).toEqual([]);
  expect(await matching("(?<=x\\s|a.{2})[cy]")).toEqual(["x\ny"]);
  expect(await matching("(?<!a|x.)[by]$")).toEqual(["a\rb", "a-b", "a@b", "x\ny"]);
  // JavaScript would take the letter for an s when it ignores case.
  expect(await matching("^\\w$")).toEqual([]);
  expect(await matching("^[a-z]$", "i")).toEqual(["ſ"]);
  expect(await refusal(() => matching("^\\w$", "i"))).toBe(115);
  expect(await matching("\\w\\B")).toEqual(["abc\n"]);
  expect(await matching("^\\B")).toEqual(["é", "🙂", "ſ"]);
  expect(await refusal(() => matching("^+a", "m"))).toBe(51091);
  for (const pattern of ["\\p{L}", "(?i:a)"]) expect(await refusal(() => matching(pattern, "i"))).toBe(51091);
  for (const pattern of [
    "(?<=a+)b",
    "(?<=a?)b",
    "(?<!a{1,2})b",
    "(?<=x(a|bc))b",
    "(a)?\\1b",
    "(?<n>a)b",
    "[\\u0061]",
    "[\\v]",
    "[[:digit:]x[y]",
    "[!-\\s]",
    "\\p{Letter}",
    "\\Aabc",
    "\\Qa\\E",
    "[[:alpha:]]",
    "a\\hb",
    "\\u0061",
    "[]a]",
    "a++",
    "(?>a)",
    "(a|a)*$",
    "((a+))+$",
    "(?:a{2,}b){3,}",
    "(?:(a)b)*",
    "((a)(b)c)+",
    "[a",
    "a\\",
    // The check of a pattern takes time in proportion to its length.
    `[${"\\\\".repeat(40)}`,
    `(${"(a".repeat(20_000)}`,
  ]) {
    expect(await refusal(() => matching(pattern)), pattern).toBe(51091);
  }
});

test("the driver is told how many writes a command takes, and of each refusal among more", async () => {
  const text = "x".repeat(1800);
  await things.createIndex({ text: 1 }, { unique: true, sparse: true });
  await things.updateOne({ _id: 1 }, { $set: { text } });
  const documents = Array.from({ length: 2500 }, () => ({ text }));
  expect(await codeOf({ insert: "things", documents })).toBe(16);
  const inserted = db.collection("things").insertMany(documents, { ordered: false });
  const { writeErrors } = (await inserted.catch((error: unknown) => error)) as Document;
  expect(writeErrors).toHaveLength(2500);
});

test("a document of the largest size is given back by the write that changed it", async () => {
  const text = "x".repeat(16 * 1024 * 1024 - 60);
  await things.insertOne({ _id: 3, text });
  const changed = await things.findOneAndUpdate({ _id: 3 }, { $set: { n: 1 } }, { returnDocument: "after" });
  expect(changed?.n).toBe(1);
});

test("a condition in $pull may join filters on the elements' fields", async () => {
  await things.updateOne({ _id: 1 }, { $pull: { a: { $or: [{ x: 2 }, { x: 3 }] } } } as Document);
  expect((await things.findOne({ _id: 1 }))?.a).toEqual([{ x: 1 }]);
});

test("what is not in an array's element is not null there, and whatever is no number is beyond MinKey", async () => {
  await things.deleteMany({});
  const values = [[null], [1], [{}], [[]], Number.NaN, null];
  await things.insertMany([...values.map((v, _id) => ({ _id, v })), { _id: values.length }]);
  const ids = async (filter: Document) => (await things.find(filter).toArray()).map(({ _id }) => _id);
  expect(await ids({ "v.0.x": null })).toEqual([2, 4, 5, 6]);
  expect(await ids({ v: { $gt: new MinKey() } })).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test("a section sent twice is no message", async () => {
  const socket = await openSocket(database.port);
  const message = opMsg({ insert: "things", $db: "refusals" });
  const section = Buffer.concat([Buffer.from([1, 14, 0, 0, 0]), Buffer.from("documents\0")]);
  const doubled = Buffer.concat([message, section, section]);
  doubled.writeInt32LE(doubled.length);
  socket.write(doubled);
  const answered = once(socket, "data").then(() => "answered");
  expect(await Promise.race([answered, once(socket, "close").then(() => "closed")])).toBe("closed");
});
