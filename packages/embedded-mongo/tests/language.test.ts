import { type Collection, Decimal128, type Document, Double, Int32, Long, ObjectId, Timestamp } from "mongodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./support.js";

/** Tests cases that the generators produce rarely. The expected results are MongoDB's. */
let database: TestDatabase;
let things: Collection<Document & { _id: number }>;

beforeAll(async () => {
  database = await startTestDatabase();
  things = database.client.db("language").collection("things");
});
afterAll(() => database.close());
beforeEach(async () => {
  await things.deleteMany({});
});

async function evaluated(expression: unknown, document: Document = {}): Promise<unknown> {
  await things.replaceOne({ _id: 0 }, document, { upsert: true });
  const [result] = await things.aggregate([{ $project: { x: expression } }], { promoteValues: false }).toArray();
  return result?.x;
}

const code = (run: Promise<unknown>) => run.then(() => 0).catch((error: { code: number }) => Number(error.code));

test("dates and long integers are told apart to the last digit", async () => {
  const [near, next] = [Long.fromString("9007199254740992"), Long.fromString("9007199254740993")];
  await things.insertMany([
    { _id: 0, at: new Date(1000), n: near },
    { _id: 1, at: new Date(1001), n: next },
  ]);
  expect(await things.countDocuments({ at: { $gt: new Date(1000) } })).toBe(1);
  expect(await things.countDocuments({ n: next })).toBe(1);
  expect(await things.countDocuments({ n: { $lte: new Double(9007199254740992) } })).toBe(1);
});

test("decimals and doubles are in one exact order", async () => {
  const ascending = [
    Decimal128.fromString("0.1"),
    Decimal128.fromString("0.10000000000000000001"),
    new Double(0.1),
    Decimal128.fromString("0.10000000000000000556"),
    Decimal128.fromString("0.1000000000000000056"),
  ];
  await things.insertMany([3, 1, 4, 0, 2].map((_id) => ({ _id, n: ascending[_id] })));
  const ids = async (filter: Document) => (await things.find(filter).sort({ n: 1 }).toArray()).map(({ _id }) => _id);
  expect(await ids({})).toEqual([0, 1, 2, 3, 4]);
  expect(await ids({ n: { $lt: new Double(0.1) } })).toEqual([0, 1]);
});

test("an empty timestamp in a field of an inserted or replacing document becomes the present one", async () => {
  const empty = new Timestamp({ t: 0, i: 0 });
  const began = Math.floor(Date.now() / 1000);
  const ids = database.client.db("language").collection<Document & { _id: Timestamp }>("ids");
  await ids.insertOne({ _id: empty, first: empty, second: empty, inner: { at: empty }, list: [empty] });
  const [inserted] = await ids.find().toArray();
  const { first, second, ...others } = (inserted ?? {}) as Document;
  expect(others).toEqual({ _id: empty, inner: { at: empty }, list: [empty] });
  expect(first.t).toBeGreaterThanOrEqual(began);
  expect(second.toBigInt() - first.toBigInt()).toBe(1n);
  await things.replaceOne({ _id: 1 }, { at: empty }, { upsert: true });
  await things.findOneAndReplace({ _id: 1 }, { at: empty });
  expect((await things.findOne({ _id: 1 }))?.at.greaterThan(second)).toBe(true);
  // An operator stores it as it is.
  await things.updateOne({ _id: 2 }, { $set: { at: empty } }, { upsert: true });
  expect(await things.findOne({ _id: 2 })).toEqual({ _id: 2, at: empty });
});

test("text is in the order of its characters, beyond the sixteenth bit too", async () => {
  await things.insertMany(["\uff5e", "🙂", "a"].map((text, _id) => ({ _id, text })));
  expect((await things.find().sort({ text: 1 }).toArray()).map(({ _id }) => _id)).toEqual([2, 0, 1]);
  expect(await things.countDocuments({ text: { $gt: "\uff5e" } })).toBe(1);
});

test("groups are of equal values, a missing one is null", async () => {
  const keys = [1, new Double(1), Long.fromNumber(1), "1", { x: 1 }, { x: 2 }, { x: 1 }, undefined, null];
  await things.insertMany(keys.map((key, _id) => (key === undefined ? { _id } : { _id, key })));
  const groups = await things.aggregate([{ $group: { _id: "$key", n: { $sum: 1 } } }]).toArray();
  expect(groups).toEqual([
    { _id: 1, n: 3 },
    { _id: "1", n: 1 },
    { _id: { x: 1 }, n: 2 },
    { _id: { x: 2 }, n: 1 },
    { _id: null, n: 2 },
  ]);
});

test("the only field of a group's _id is null when it is missing, one of several stays missing", async () => {
  const ids = async (_id: Document) => (await things.aggregate([{ $group: { _id } }]).toArray()).map((one) => one._id);
  await things.insertOne({ _id: 1 as never });
  expect(await ids({ x: "$nothing" })).toEqual([{ x: null }]);
  expect(await ids({ x: "$nothing", y: "$nothing" })).toEqual([{}]);
});

test("an upsert sets what the filter fixes, and $setOnInsert only then", async () => {
  const update = { $set: { a: 1 }, $setOnInsert: { b: 1 } };
  await things.updateOne({ _id: 0, "of.x": "y", n: { $in: [3] }, m: { $gt: 4 } }, update, { upsert: true });
  expect(await things.findOne()).toEqual({ _id: 0, of: { x: "y" }, n: 3, a: 1, b: 1 });
  await things.updateOne({ _id: 0 }, { $set: { a: 2 }, $setOnInsert: { b: 2 } }, { upsert: true });
  expect(await things.findOne()).toMatchObject({ a: 2, b: 1 });
  expect(await code(things.updateOne({ _id: 5, $and: [{ n: 1 }, { n: 2 }] }, update, { upsert: true }))).toBe(54);
});

test("null is an _id like any other: an upsert inserts it, an update cannot change to it", async () => {
  await things.insertOne({ _id: 0 });
  expect(await code(things.updateOne({ _id: 0 }, { $set: { _id: null } } as Document))).toBe(66);
  expect(await code(things.replaceOne({ _id: 0 }, { _id: null } as Document))).toBe(66);
  await things.updateOne({ _id: null } as Document, { $set: { a: 1 } }, { upsert: true });
  expect(await things.find().sort({ _id: 1 }).toArray()).toEqual([{ _id: null, a: 1 }, { _id: 0 }]);
});

test("an array condition looks at the array, another at its elements", async () => {
  await things.insertOne({ _id: 0, a: [[1, 2], 3], b: [] });
  expect(await things.countDocuments({ a: { $size: 2 } })).toBe(1);
  await things.insertOne({ _id: 1, a: [[1, 2], 3, 4] });
  expect(await things.countDocuments({ a: { $size: 2 } })).toBe(1);
  expect(await things.countDocuments({ a: { $exists: false } })).toBe(0);
  await things.insertOne({ _id: 2, b: null });
  expect(await things.countDocuments({ b: { $exists: true } })).toBe(2);
  expect(await things.countDocuments({ a: [1, 2] })).toBe(2);
});

test("$push puts, sorts and cuts", async () => {
  await things.insertOne({ _id: 0, a: [{ n: 1 }, { n: 3 }] });
  await things.updateOne({ _id: 0 }, { $push: { a: { $each: [{ n: 2 }], $position: 0 } } } as Document);
  expect((await things.findOne())?.a.map(({ n }: Document) => n)).toEqual([2, 1, 3]);
  await things.updateOne({ _id: 0 }, { $push: { a: { $each: [{ n: 9 }], $sort: { n: -1 }, $slice: 3 } } } as Document);
  expect((await things.findOne())?.a.map(({ n }: Document) => n)).toEqual([9, 3, 2]);
});

test("$pull of fields takes documents only, of a condition arrays too, of a value its equals", async () => {
  await things.insertOne({ _id: 0, a: [{ x: 1 }, { x: 2 }, { y: 1 }, 5, [5]] });
  await things.updateOne({ _id: 0 }, { $pull: { a: { x: { $ne: 1 } } } } as Document);
  expect((await things.findOne())?.a).toEqual([{ x: 1 }, 5, [5]]);
  await things.updateOne({ _id: 0 }, { $pull: { a: { $gt: 4 } } } as Document);
  expect((await things.findOne())?.a).toEqual([{ x: 1 }]);
  await things.updateOne({ _id: 0 }, { $set: { a: [1, [1], null] } });
  await things.updateOne({ _id: 0 }, { $pull: { a: 1 } } as Document);
  expect((await things.findOne())?.a).toEqual([[1], null]);
});

test("positions in arrays are those that matched, all, or those a filter takes", async () => {
  await things.insertOne({ _id: 0, a: [{ n: 1 }, { n: 2 }, { n: 3 }] });
  await things.updateOne({ "a.n": 2 }, { $set: { "a.$.x": 1 } } as Document);
  await things.updateOne({ _id: 0 }, { $inc: { "a.$[].n": 1 } } as Document);
  const arrayFilters = [{ "big.n": { $gt: 3 } }];
  await things.updateOne({ _id: 0 }, { $set: { "a.$[big].y": 1 } } as Document, { arrayFilters });
  expect((await things.findOne())?.a).toEqual([{ n: 2 }, { n: 3, x: 1 }, { n: 4, y: 1 }]);
  const all = { $set: { "a.$[it].n": 0, "a.$[it].z": 1 }, $push: { "a.$[].l": 1 } } as Document;
  expect(await code(things.updateOne({ _id: 0 }, all, { arrayFilters: [{ "it.n": 4 }] }))).toBe(115);
  delete all.$push;
  await things.updateOne({ _id: 0 }, all, { arrayFilters: [{ "it.n": 4 }] });
  expect((await things.findOne())?.a[2]).toEqual({ n: 0, y: 1, z: 1 });
  await things.updateOne({ _id: 0 }, { $set: { deep: [[1, 2], [3]] } });
  await things.updateOne({ _id: 0 }, { $inc: { "deep.$[].$[]": 1 } } as Document);
  expect((await things.findOne())?.deep).toEqual([[2, 3], [4]]);
  await things.updateOne({ _id: 0 }, { $set: { list: [{ b: [1] }, { b: [9] }] } });
  await things.updateOne({ "list.b": { $elemMatch: { $gt: 8 } } }, { $set: { "list.$": "outer" } } as Document);
  expect((await things.findOne())?.list).toEqual([{ b: [1] }, "outer"]);
  expect(await code(things.updateOne({ _id: 0 }, { $set: { b: 1 } }, { arrayFilters }))).toBe(9);
  expect(await code(things.updateOne({ _id: 0 }, { $set: { "a.$[one].y": 1 } } as Document))).toBe(2);
  expect(await code(things.updateOne({ _id: 0 }, { $set: { "a.$.y": 1 } } as Document))).toBe(2);
  expect(await code(things.updateOne({ _id: 0 }, { $set: { a: 1 }, $inc: { "a.n": 1 } } as Document))).toBe(40);
});

test("numbers are rounded half to even, added without loss, and never overflow unseen", async () => {
  expect(await evaluated({ $round: "$n" }, { n: 2.5 })).toEqual(new Double(2));
  expect(await evaluated({ $round: ["$n", 2] }, { n: 2.675 })).toEqual(new Double(2.68));
  expect(await evaluated({ $round: ["$n", new Double(0)] }, { n: 7 })).toEqual(new Int32(7));
  expect(await code(evaluated({ $round: ["$n", 1.5] }, { n: 2.5 }))).not.toBe(0);
  expect(await code(evaluated({ $round: ["$n", -1] }, { n: 25 }))).toBe(115);
  expect(await code(evaluated({ $subtract: [new Date(5), new Date(2)] }))).toBe(115);
  await things.deleteMany({});
  await things.insertMany(Array.from({ length: 10 }, (_, at) => ({ _id: at + 1, n: 0.1 })));
  const [{ sum }] = (await things.aggregate([{ $group: { _id: null, sum: { $sum: "$n" } } }]).toArray()) as [Document];
  expect(sum).toBe(1);
});

test("a join takes an empty array and a missing field for null, and ids for text when told so", async () => {
  const id = new ObjectId();
  await things.insertMany([{ _id: 0, of: [] }, { _id: 1 }, { _id: 2, of: 7, ref: id, text: String(id) }]);
  const join = { $lookup: { from: "things", localField: "of.x", foreignField: "nothing", as: "found" } };
  const joined = await things.aggregate([{ $sort: { _id: 1 } }, join]).toArray();
  expect(joined.map(({ found }) => found.length)).toEqual([3, 3, 3]);
  const [{ same }] = (await things
    .aggregate([{ $match: { _id: 2 } }, { $project: { same: { $eq: [{ $toObjectId: "$text" }, "$ref"] } } }])
    .toArray()) as [Document];
  expect(same).toBe(true);
});

test("an _id stays, two arrays give no order, a projection keeps or leaves out", async () => {
  await things.insertOne({ _id: 0, a: [1, 2], b: [3, 4] });
  expect(await code(things.updateOne({ _id: 0 }, { $set: { _id: 1 } }))).toBe(66);
  expect(await code(things.updateOne({ _id: 0 }, { $unset: { _id: 1 } } as Document))).toBe(66);
  expect(await code(things.updateOne({ _id: 0 }, [{ $set: { _id: 1 } }]))).toBe(66);
  expect(await code(things.find().sort({ a: 1, b: 1 }).toArray())).toBe(2);
  expect(await code(things.findOne({}, { projection: { a: 1, b: 0 } }))).not.toBe(0);
  await things.updateOne({ a: { $elemMatch: { $gt: 1 } } }, { $set: { "a.$": 9 } });
  expect((await things.findOne())?.a).toEqual([1, 9]);
});

test("an element hides an outer one of the same name, a missing value too", async () => {
  const of = (input: unknown, body: unknown) => ({ $map: { input, as: "v", in: body } });
  expect(await evaluated(of([1], of([2], "$$v")))).toEqual([[new Int32(2)]]);
  expect(await evaluated(of([[1]], { $type: "$$v.none" }))).toEqual(["array"]);
  expect(await code(evaluated({ $map: { input: [], as: "V", in: 1 } }))).toBe(16867);
  expect(await code(evaluated({ $map: { input: [], as: null, in: 1 } }))).toBe(16867);
});

test("a join takes a regular expression for itself, not for a pattern, and an empty array in between for nothing", async () => {
  await things.insertMany([
    { _id: 0, a: /^a/, b: "abc" },
    { _id: 1, a: "x", b: /^a/ },
  ]);
  const join = { $lookup: { from: "things", localField: "a", foreignField: "b", as: "found" } };
  const [first] = await things.aggregate([{ $match: { _id: 0 } }, join]).toArray();
  expect(first?.found.map(({ _id }: Document) => _id)).toEqual([1]);
});

test("a union adds what its pipeline makes of the other collection, through an index", async () => {
  await things.insertMany([
    { _id: 0, n: 1 },
    { _id: 1, n: 2 },
    { _id: 2, n: 0 },
  ]);
  const sum = { $group: { _id: null, n: { $sum: "$n" } } };
  const union = (spec: unknown) => things.aggregate([{ $match: { _id: 0 } }, { $unionWith: spec }]).toArray();
  expect(await union("things")).toHaveLength(4);
  expect(await union("nothing")).toEqual([{ _id: 0, n: 1 }]);
  expect(await union({ coll: "things", pipeline: [{ $match: { n: { $gt: 0 } } }, sum] })).toEqual([
    { _id: 0, n: 1 },
    { _id: null, n: 3 },
  ]);
  expect(await union({ coll: "things", pipeline: [{ $limit: 1 }] })).toHaveLength(2);
  expect(await code(union({ coll: 1 }))).toBe(9);
  expect(await code(union({ coll: "things", pipeline: {} }))).toBe(10065);
  expect(await code(union({ coll: "things", let: {} }))).toBe(115);
});

test("a date is written, and taken apart, in UTC only", async () => {
  const at = new Date("2024-07-01T02:05:09.007Z");
  const written = (more: Document) => evaluated({ $dateToString: { date: "$at", ...more } }, { at });
  expect(await written({})).toBe("2024-07-01T02:05:09.007Z");
  expect(await written({ format: "%d.%m.%Y %H:%M:%S,%L" })).toBe("01.07.2024 02:05:09,007");
  expect(await written({ format: "$none" })).toBe(null);
  expect(await written({ date: "$none", onNull: "never" })).toBe("never");
  expect(await code(written({ timezone: "+01:00" }))).toBe(9);
  expect(await code(written({ date: new Date(-1e14) }))).toBe(115);
  expect(await code(written({ format: "%V" }))).toBe(115);
  expect(await code(written({ format: "100%%" }))).toBe(115);
  expect(await evaluated({ $dayOfWeek: "$at" }, { at })).toEqual(new Int32(2));
  expect(await evaluated({ $month: { date: "$at" } }, { at })).toEqual(new Int32(7));
  expect(await evaluated({ $year: "$none" })).toBe(null);
  expect(await code(evaluated({ $dayOfWeek: { date: "$at", timezone: "-05" } }, { at }))).toBe(9);
  expect(await code(evaluated({ $year: "2024-07-01" }))).toBe(16006);
});

test("texts are cut by characters, never within one", async () => {
  expect(await evaluated({ $substrCP: ["aé🙂b", 1, 2] })).toBe("é🙂");
});

test("what converts keeps its value, what does not is refused", async () => {
  expect(await evaluated({ $toString: "$none" })).toBe(null);
  expect(await evaluated({ $toString: "$n" }, { n: Long.fromString("9007199254740993") })).toBe("9007199254740993");
  expect(await evaluated({ $toDate: "$n" }, { n: new Double(-7.9) })).toEqual(new Date(-7));
  expect(await evaluated({ $toDate: new ObjectId("65e0000000000000000000ff") })).toEqual(new Date(0x65e00000 * 1000));
  expect(await code(evaluated({ $toDate: "2024-02-29" }))).toBe(115);
  expect(await code(evaluated({ $toDate: "$n" }, { n: 1e300 }))).toBe(14);
  for (const refused of [{ $toDate: new Int32(5) }, { $toDate: true }, { $toObjectId: "12" }, { $toString: [[]] }]) {
    expect(await code(evaluated(refused)), JSON.stringify(refused)).toBe(14);
  }
});

test("malformed operands are refused, not read as something else", async () => {
  expect(await code(evaluated({ $map: ["$a", "$$this"] }))).toBe(9);
  expect(await code(evaluated({ $map: [] }))).toBe(9);
  expect(await code(evaluated({ $filter: { input: [] } }))).toBe(9);
  expect(await code(evaluated({ $cond: [true, 1] }))).not.toBe(0);
  expect(await code(evaluated({ $ifNull: ["$a"] }))).not.toBe(0);
  expect(await code(evaluated({ $map: { input: "$a", as: "It", in: "$$It" } }))).toBe(16867);
  expect(await code(evaluated("$$unknown"))).toBe(17276);
  expect(await code(evaluated({ $add: ["x", null] }))).toBe(14);
  expect(await code(evaluated({ $size: "$a" }))).not.toBe(0);
  expect(await code(evaluated({ $slice: [[1, 2], 0, 0] }))).not.toBe(0);
  expect(await code(evaluated({ $filter: { input: [], cond: true, of: 1 } }))).toBe(9);
  expect(await code(evaluated({ $divide: [1, 0] }))).toBe(2);
});

test("what is left out is refused as unsupported, what MongoDB does not know as unknown", async () => {
  const group = (accumulator: Document) => things.aggregate([{ $group: { _id: null, x: accumulator } }]).toArray();
  expect(await code(evaluated({ $sin: 1 }))).toBe(115);
  expect(await code(evaluated({ $let: { vars: {}, in: 1 } }))).toBe(115);
  expect(await code(evaluated({ $sinus: 1 }))).toBe(168);
  expect(await code(group({ $stdDevPop: "$a" }))).toBe(115);
  expect(await code(group({ $deviation: "$a" }))).toBe(15952);
  expect(await code(group({ $count: "$a" }))).toBe(9);
  expect(await code(things.aggregate([{ $bucket: {} }]).toArray())).toBe(115);
  expect(await code(things.aggregate([{ $buckets: {} }]).toArray())).toBe(40324);
  expect(await code(things.updateOne({}, { $rename: { a: "b" } }))).toBe(115);
  expect(await code(things.updateOne({}, { $renamed: { a: "b" } } as never))).toBe(9);
  expect(await code(evaluated({ $convert: { input: 1, to: "int" } }))).toBe(115);
  expect(await code(things.aggregate([{ $sample: { size: 1 } }]).toArray())).toBe(115);
  const lookup = { from: "things", localField: "a", foreignField: "a", pipeline: [], as: "found" };
  expect(await code(things.aggregate([{ $lookup: lookup }]).toArray())).toBe(115);
  expect(await code(things.aggregate([{ $unwind: { path: "$a", includeArrayIndex: "at" } }]).toArray())).toBe(115);
  expect(await code(things.findOne({ a: { $regex: "a b", $options: "x" } }))).toBe(115);
  expect(await code(things.updateOne({}, { $currentDate: { a: { $type: "timestamp" } } }))).toBe(115);
  expect(await code(things.findOne({ a: { $mod: [2, 0] } }))).toBe(115);
  expect(await code(things.findOne({ a: { $bitsAllSet: 1 } }))).toBe(115);
  expect(await code(things.findOne({ a: { $bits: 1 } }))).toBe(2);
  expect(await code(things.findOne({ a: { $all: [{ $elemMatch: { x: 1 } }] } }))).toBe(115);
  expect(await code(things.findOne({ a: 1 }, { projection: { "a.$": 1 } }))).toBe(115);
  expect(await code(things.findOne({ a: 1 }, { projection: { a: { $elemMatch: { $gt: 1 } } } }))).toBe(115);
});

test("paths of a projection that collide are refused by which of them comes later", async () => {
  const projected = (projection: Document) => code(things.find({}, { projection }).toArray());
  expect(await projected({ "a.a": 1, "a.b": 1, a: 1 })).toBe(31250);
  expect(await projected({ a: 1, "a.a": 1, "a.b": 1 })).toBe(31249);
});
