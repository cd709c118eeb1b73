import { type Collection, Decimal128, type Document, Double, Int32, Long, ObjectId } from "mongodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "./support.js";

/** What generated cases meet too rarely; the answers are MongoDB's. */
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

test("an array condition looks at the array, another at its elements", async () => {
  await things.insertOne({ _id: 0, a: [[1, 2], 3], b: [] });
  expect(await things.countDocuments({ a: { $size: 2 } })).toBe(1);
  await things.insertOne({ _id: 1, a: [[1, 2], 3, 4] });
  expect(await things.countDocuments({ a: { $size: 2 } })).toBe(1);
  expect(await things.countDocuments({ a: { $exists: false } })).toBe(0);
  expect(await things.countDocuments({ a: [1, 2] })).toBe(2);
});

test("$push puts, sorts and cuts", async () => {
  await things.insertOne({ _id: 0, a: [{ n: 1 }, { n: 3 }] });
  await things.updateOne({ _id: 0 }, { $push: { a: { $each: [{ n: 2 }], $position: 0 } } } as Document);
  expect((await things.findOne())?.a.map(({ n }: Document) => n)).toEqual([2, 1, 3]);
  await things.updateOne({ _id: 0 }, { $push: { a: { $each: [{ n: 9 }], $sort: { n: -1 }, $slice: 3 } } } as Document);
  expect((await things.findOne())?.a.map(({ n }: Document) => n)).toEqual([9, 3, 2]);
});

test("numbers are rounded half to even, added without loss, and never overflow unseen", async () => {
  expect(await evaluated({ $round: "$n" }, { n: 2.5 })).toEqual(new Double(2));
  expect(await evaluated({ $round: ["$n", 2] }, { n: 2.675 })).toEqual(new Double(2.68));
  expect(await evaluated({ $toInt: "$n" }, { n: "2147483647" })).toEqual(new Int32(2147483647));
  expect(await code(evaluated({ $toInt: "$n" }, { n: "2147483648" }))).toBe(241);
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

test("malformed operands are refused, not read as something else", async () => {
  expect(await code(evaluated({ $map: ["$a", "$$this"] }))).toBe(9);
  expect(await code(evaluated({ $reduce: { input: [], initialValue: 0, in: 1, as: "x" } }))).toBe(9);
  expect(await code(evaluated({ $cond: [true, 1] }))).not.toBe(0);
  expect(await code(evaluated({ $ifNull: ["$a"] }))).not.toBe(0);
  expect(await code(evaluated({ $map: { input: "$a", as: "It", in: "$$It" } }))).toBe(16867);
  expect(await code(evaluated("$$unknown"))).toBe(17276);
});

test("what is left out is refused as unsupported, what MongoDB does not know as unknown", async () => {
  const group = (accumulator: Document) => things.aggregate([{ $group: { _id: null, x: accumulator } }]).toArray();
  expect(await code(evaluated({ $sin: 1 }))).toBe(115);
  expect(await code(evaluated({ $sinus: 1 }))).toBe(168);
  expect(await code(group({ $stdDevPop: "$a" }))).toBe(115);
  expect(await code(group({ $deviation: "$a" }))).toBe(15952);
  expect(await code(things.aggregate([{ $bucket: {} }]).toArray())).toBe(115);
  expect(await code(things.aggregate([{ $buckets: {} }]).toArray())).toBe(40324);
  expect(await code(things.updateOne({}, { $rename: { a: "b" } }))).toBe(115);
  expect(await code(things.updateOne({}, { $renamed: { a: "b" } } as never))).toBe(9);
  expect(await code(things.findOne({ a: { $bitsAllSet: 1 } }))).toBe(115);
  expect(await code(things.findOne({ a: { $bits: 1 } }))).toBe(2);
  expect(await code(things.findOne({ a: 1 }, { projection: { "a.$": 1 } }))).toBe(115);
});
