import fc from "fast-check";
import { Binary, BSONRegExp, Decimal128, type Document, Double, Int32, Long, ObjectId, Timestamp } from "mongodb";

/** Few names and values make filters match documents often. */
export const name = fc.constantFrom("a", "b", "c");
export const path = fc.oneof(
  { weight: 5, arbitrary: name },
  { weight: 3, arbitrary: fc.tuple(name, name).map(([outer, inner]) => `${outer}.${inner}`) },
);
const pathWithPlace = fc.oneof(
  { weight: 8, arbitrary: path },
  { weight: 1, arbitrary: name.map((outer) => `${outer}.0`) },
);

/** Decimals are stored and compared, but not used in arithmetic. */
const reckonable = fc.oneof(
  fc.integer({ min: -2, max: 5 }).map((value) => new Int32(value)),
  fc.constantFrom(0, 1, 2, 2.5, -0.5, 3, 0.1).map((value) => new Double(value)),
  fc.constantFrom(0, 1, 3, -2).map((value) => Long.fromNumber(value)),
);
export const number = fc.oneof(
  { weight: 3, arbitrary: reckonable },
  { weight: 1, arbitrary: fc.constantFrom("1", "2.5", "-2", "0.1").map((value) => Decimal128.fromString(value)) },
);

const text = fc.constantFrom("", "a", "ab", "b", "B", "é", "10");

const rare = fc.oneof(
  fc.constantFrom(new ObjectId("0123456789abcdef01234567"), new ObjectId("ff23456789abcdef0123ff67")),
  fc.constantFrom(new Date(0), new Date(1_600_000_000_000), new Date(-5)),
  fc.constantFrom("", "\u0080", "\u0081\u00ff").map((bytes) => new Binary(Buffer.from(bytes, "latin1"))),
  fc.constant(new Timestamp({ t: 1, i: 2 })),
  fc.constant(new BSONRegExp("^a", "")),
  fc.constantFrom(
    new Double(Number.POSITIVE_INFINITY),
    new Double(1e300),
    Long.fromString("9007199254740993"),
    new Double(9007199254740992),
  ),
);

/** Leaves that hold neither arrays nor documents. */
export const scalar = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.boolean() },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: rare },
);

const { value, document } = fc.letrec<{ value: unknown; document: Document }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    { weight: 6, arbitrary: scalar },
    { weight: 3, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
    { weight: 3, arbitrary: tie("document") },
  ),
  document: fc.dictionary(name, tie("value"), { maxKeys: 3 }),
}));

export { document, value };

const withIds = (documents: Document[]) => documents.map((fields, _id) => ({ _id, ...fields }));
export const documents = fc.array(document, { minLength: 1, maxLength: 12 }).map(withIds);

const inequality = fc.constantFrom("$eq", "$gt", "$gte", "$lt", "$lte", "$ne");
const comparison = fc.tuple(inequality, value);

const operator = fc.letrec<{ operator: [string, unknown] }>((tie) => ({
  operator: fc.oneof(
    { maxDepth: 2 },
    { weight: 8, arbitrary: comparison as fc.Arbitrary<[string, unknown]> },
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom("$in", "$nin"), fc.array(value, { maxLength: 3 })) },
    { weight: 2, arbitrary: fc.tuple(fc.constant("$exists"), fc.boolean()) },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constant("$type"),
        fc.constantFrom<unknown>("number", "string", "array", "null", "object", "int", 1, ["bool", "date"]),
      ),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constant("$size"), fc.integer({ min: 0, max: 2 })) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("$all"), fc.array(value, { minLength: 1, maxLength: 2 })) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("$regex"), fc.constantFrom("^a", "b$", "^$", "^A")) },
    {
      weight: 2,
      arbitrary: fc.tuple(
        fc.constant("$not"),
        tie("operator").map(([key, operand]) => ({ [key]: operand })),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(
        fc.constant("$elemMatch"),
        tie("operator").map(([key, operand]) => ({ [key]: operand })),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constant("$elemMatch"), fc.dictionary(name, scalar, { minKeys: 1, maxKeys: 2 })),
    },
  ),
})).operator;

const condition = fc.oneof(
  { weight: 3, arbitrary: value },
  { weight: 5, arbitrary: operator.map(([key, operand]) => ({ [key]: operand })) },
  { weight: 2, arbitrary: fc.tuple(inequality, rare).map(([key, operand]) => ({ [key]: operand })) },
  { weight: 2, arbitrary: fc.tuple(comparison, comparison).map((pair) => Object.fromEntries(pair)) },
);

export const filter: fc.Arbitrary<Document> = fc.letrec<{ filter: Document }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2 },
    { weight: 6, arbitrary: fc.dictionary(pathWithPlace, condition, { minKeys: 1, maxKeys: 2 }) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom("$and", "$or", "$nor"), fc.array(tie("filter"), { minLength: 1, maxLength: 2 }))
        .map(([key, branches]) => ({ [key]: branches })),
    },
  ),
})).filter;

export const sort: fc.Arbitrary<Document> = fc.dictionary(path, fc.constantFrom(1, -1), { minKeys: 1, maxKeys: 2 });

const one = <T>(key: string, fields: fc.Arbitrary<T>) =>
  fc.tuple(pathWithPlace, fields).map(([field, operand]) => ({ [key]: { [field]: operand } }));

export const update: fc.Arbitrary<Document> = fc.oneof(
  { weight: 4, arbitrary: one("$set", value) },
  { weight: 2, arbitrary: one("$unset", fc.constant("")) },
  { weight: 3, arbitrary: one("$inc", reckonable) },
  { weight: 1, arbitrary: one("$mul", reckonable) },
  { weight: 1, arbitrary: one("$min", value) },
  { weight: 1, arbitrary: one("$max", value) },
  { weight: 2, arbitrary: one("$push", value) },
  {
    weight: 2,
    arbitrary: one(
      "$push",
      fc
        .record(
          {
            $each: fc.array(value, { maxLength: 3 }),
            $slice: fc.constantFrom(-2, 0, 2),
            $sort: fc.constantFrom<unknown>(1, -1, { a: 1 }, { a: -1, b: 1 }),
            $position: fc.constantFrom(0, 1, -1),
          },
          { requiredKeys: ["$each"] },
        )
        .map((modifiers): unknown => modifiers),
    ),
  },
  { weight: 2, arbitrary: one("$addToSet", value) },
  {
    weight: 1,
    arbitrary: one(
      "$addToSet",
      fc.array(value, { maxLength: 3 }).map(($each) => ({ $each })),
    ),
  },
  {
    weight: 4,
    arbitrary: one(
      "$pull",
      fc.oneof(
        value,
        operator.map(([key, operand]) => ({ [key]: operand })),
      ),
    ),
  },
  { weight: 1, arbitrary: one("$pullAll", fc.array(value, { maxLength: 2 })) },
  { weight: 1, arbitrary: one("$pop", fc.constantFrom(1, -1)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(name, value, name, reckonable)
      .map(([x, set, y, by]) => ({ $set: { [x]: set }, $inc: { [y]: by } })),
  },
  { weight: 1, arbitrary: document },
  { weight: 1, arbitrary: fc.tuple(name, scalar).map(([field, operand]) => ({ $set: { [`${field}.$[]`]: operand } })) },
);

const fieldPath = path.map((dotted) => `$${dotted}`);

/** Operands have valid types, because engines differ in when they refuse an operand that is never evaluated. */
const when = (operand: unknown, types: string[], otherwise: unknown) => ({
  $cond: [{ $in: [{ $type: operand }, types] }, operand, otherwise],
});
type Fit = (operand: unknown) => unknown;
const plain: Fit = (operand) => operand;
const asNumber: Fit = (operand) => when(operand, ["int", "long", "double"], 2.5);
const asSmall: Fit = (operand) => when(operand, ["int"], 2);
const asList: Fit = (operand) => when(operand, ["array"], [1, "a", 1]);
const asText: Fit = (operand) => when(operand, ["string"], " x ab ");
const asDate: Fit = (operand) => when(operand, ["date"], new Date(951_868_799_999));
const asObject: Fit = (operand) => when(operand, ["object"], { z: 1 });

const each = (names: string[], fit: Fit): [string, Fit][] => names.map((key) => [key, fit]);
const UNARY: [string, Fit][] = [
  ...each(["$not", "$type", "$isArray", "$min", "$max"], (operand) => [operand]),
  ...each(["$round", "$sum"], asNumber),
  ...each(["$size", "$first", "$last"], (operand) => [asList(operand)]),
  ...each(["$toUpper", "$toLower", "$strLenCP"], asText),
  ...each(["$mergeObjects"], asObject),
  ...each(["$year", "$month", "$dayOfMonth", "$hour", "$minute", "$second", "$millisecond"], asDate),
  ...each(["$dayOfWeek"], (operand) => ({ date: asDate(operand) })),
  ...each(["$dateToString"], (operand) => ({ date: asDate(operand), format: "%d.%m.%Y %H:%M:%S.%L" })),
  ...each(["$toString"], (operand) => when(operand, ["string", "bool", "int", "long", "date", "objectId"], 2.5)),
  ...each(["$toDate"], (operand) => when(operand, ["date", "objectId", "timestamp"], new Date(5))),
  ...each(["$toObjectId"], (operand) => when(operand, ["objectId"], "0123456789abcdef01234567")),
];
const BINARY: [string, Fit, Fit][] = [
  ...["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$cmp", "$and", "$or", "$ifNull"].map((key): [string, Fit, Fit] => [
    key,
    plain,
    plain,
  ]),
  ...["$add", "$subtract", "$multiply", "$avg"].map((key): [string, Fit, Fit] => [key, asNumber, asNumber]),
  ...["$divide", "$round"].map((key): [string, Fit, Fit] => [key, asNumber, () => 2]),
  ...["$concatArrays"].map((key): [string, Fit, Fit] => [key, asList, asList]),
  ...["$arrayElemAt", "$slice"].map((key): [string, Fit, Fit] => [key, asList, asSmall]),
  ["$in", plain, asList],
  ["$concat", asText, asText],
  ["$split", asText, () => "a"],
];

export const expression: fc.Arbitrary<unknown> = fc.letrec<{ expression: unknown }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 2 },
    { weight: 6, arbitrary: fieldPath },
    {
      weight: 3,
      arbitrary: scalar.filter((item) => !(item instanceof BSONRegExp)).map((item) => ({ $literal: item })),
    },
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom(...UNARY), tie("expression"))
        .map(([[key, fit], operand]) => ({ [key]: fit(operand) })),
    },
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom(...BINARY), tie("expression"), tie("expression"))
        .map(([[key, fit, fitRight], left, right]) => ({ [key]: [fit(left), fitRight(right)] })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(tie("expression"), tie("expression"), tie("expression")).map((parts) => ({ $cond: parts })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie("expression"), fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 3 }))
        .map(([input, from, count]) => ({ $substrCP: [asText(input), from, count] })),
    },
    {
      weight: 1,
      arbitrary: tie("expression").map((input) => ({
        $map: { input: ["$a", "$b"], as: "it", in: { $ifNull: ["$$it", input] } },
      })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fieldPath, tie("expression"))
        .map(([input, cond]) => ({ $filter: { input: asList(input), cond } })),
    },
    { weight: 1, arbitrary: tie("expression").map((input) => ({ x: input, y: "$$ROOT.a" })) },
  ),
})).expression;

const accumulator = fc
  .tuple(
    fc.constantFrom("$sum", "$avg", "$min", "$max", "$first", "$last", "$push", "$mergeObjects", "$count"),
    fieldPath,
  )
  .map(([key, operand]) => {
    if (key === "$count") return { $count: {} };
    if (key === "$mergeObjects") return { $mergeObjects: asObject(operand) };
    if (key === "$sum" || key === "$avg") return { [key]: when(operand, ["int", "long", "double", "string"], 2.5) };
    return { [key]: key === "$first" || key === "$last" ? { $ifNull: [operand, null] } : operand };
  });

const stage: fc.Arbitrary<Document> = fc.oneof(
  { weight: 3, arbitrary: filter.map(($match) => ({ $match })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom("x", "a", "a.b"), expression)
      .map(([field, operand]) => ({ $addFields: { [field]: operand } })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom("x", "b", "c.d"), expression)
      .map(([field, operand]) => ({ $project: { a: 1, [field]: operand } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .dictionary(path, fc.constantFrom(0, false), { minKeys: 1, maxKeys: 2 })
      .map(($project) => ({ $project })),
  },
  {
    weight: 1,
    arbitrary: fc
      .dictionary(path, fc.constantFrom(1, true), { minKeys: 1, maxKeys: 2 })
      .map(($project) => ({ $project })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.oneof(
          fieldPath.map((operand) => ({ $ifNull: [operand, null] })),
          fc.constant(null),
        ),
        accumulator,
        accumulator,
      )
      .map(([_id, x, y]) => ({ $group: { _id, x, y } })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(path, fc.boolean()).map(([field, preserveNullAndEmptyArrays]) => ({
      $unwind: { path: `$${field}`, preserveNullAndEmptyArrays },
    })),
  },
  { weight: 1, arbitrary: path.map(($unset) => ({ $unset })) },
  { weight: 1, arbitrary: fc.constant({ $count: "n" }) },
  {
    weight: 1,
    arbitrary: expression.map((newRoot) => ({
      $replaceRoot: { newRoot: { $mergeObjects: [{ _id: "$_id" }, { v: newRoot }] } },
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(path, path).map(([localField, foreignField]) => ({
      $lookup: { from: "things", localField, foreignField, as: "found" },
    })),
  },
  {
    weight: 1,
    arbitrary: filter.map(($match) => ({
      $facet: { all: [{ $project: { a: 1 } }], some: [{ $match }, { $skip: 1 }] },
    })),
  },
);

/** Sorts by `_id` before the stages, so that first and last are the same on every engine. */
export const pipeline = fc
  .tuple(
    fc.constantFrom<Document[]>([], [], [{ $skip: 1 }], [{ $limit: 2 }]),
    fc.array(stage, { minLength: 1, maxLength: 3 }),
  )
  .map(([part, stages]): Document[] => [{ $sort: { _id: 1 } }, ...part, ...stages]);

export const projection: fc.Arbitrary<Document> = fc.oneof(
  fc.dictionary(path, fc.constantFrom(1, true), { minKeys: 1, maxKeys: 3 }),
  fc.dictionary(path, fc.constantFrom(0, false), { minKeys: 1, maxKeys: 3 }),
  fc.tuple(name, fc.constantFrom<unknown>(1, -1, [1, 1], [-2, 1])).map(([field, $slice]) => ({ [field]: { $slice } })),
);
