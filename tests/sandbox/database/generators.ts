import fc from "fast-check";
import { Binary, BSONRegExp, Decimal128, type Document, Double, Int32, Long, ObjectId, Timestamp } from "mongodb";

/** Few names and few values, so that filters and documents meet often. */
const name = fc.constantFrom("a", "b", "c");
export const path = fc.oneof(
  { weight: 5, arbitrary: name },
  { weight: 3, arbitrary: fc.tuple(name, name).map(([outer, inner]) => `${outer}.${inner}`) },
);
const pathWithPlace = fc.oneof(
  { weight: 8, arbitrary: path },
  { weight: 1, arbitrary: name.map((outer) => `${outer}.0`) },
);

export const number = fc.oneof(
  fc.integer({ min: -2, max: 5 }).map((value) => new Int32(value)),
  fc.constantFrom(0, 1, 2, 2.5, -0.5, 3).map((value) => new Double(value)),
  fc.constantFrom(0, 1, 3, -2).map((value) => Long.fromNumber(value)),
  fc.constantFrom("1", "2.5", "-2", "0.1").map((value) => Decimal128.fromString(value)),
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

/** Leaves without arrays and documents in them. */
export const scalar = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.boolean() },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: rare },
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

const comparison = fc.tuple(fc.constantFrom("$eq", "$gt", "$gte", "$lt", "$lte", "$ne"), value);

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
    { weight: 1, arbitrary: fc.tuple(fc.constant("$mod"), fc.constant([2, 1])) },
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
  { weight: 3, arbitrary: one("$inc", number) },
  { weight: 1, arbitrary: one("$mul", number) },
  { weight: 1, arbitrary: one("$min", value) },
  { weight: 1, arbitrary: one("$max", value) },
  { weight: 1, arbitrary: one("$rename", fc.constantFrom("d", "d.e")) },
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
            $sort: fc.constantFrom<unknown>(1, -1, { a: 1 }),
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
    weight: 2,
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
      .tuple(name, value, name, number)
      .map(([x, set, y, by]) => ({ $set: { [x]: set }, $inc: { [y]: by } })),
  },
  { weight: 1, arbitrary: document },
  { weight: 1, arbitrary: fc.tuple(name, scalar).map(([field, operand]) => ({ $set: { [`${field}.$[]`]: operand } })) },
);

const fieldPath = path.map((dotted) => `$${dotted}`);

/** Operands made to fit, because engines differ in how early they refuse what they may never evaluate. */
const asNumber = (operand: unknown) => ({ $cond: [{ $isNumber: operand }, operand, 1] });
const asList = (operand: unknown) => ({ $cond: [{ $isArray: [operand] }, operand, [1, "a"]] });
const asText = (operand: unknown) => ({ $cond: [{ $eq: [{ $type: operand }, "string"] }, operand, "x"] });
const asDate = (operand: unknown) => ({
  $cond: [{ $eq: [{ $type: operand }, "date"] }, operand, new Date(86_399_999)],
});

const plain = (operand: unknown) => operand;
const UNARY: [string, (operand: unknown) => unknown][] = [
  ...["$not", "$type", "$isNumber", "$sum", "$min", "$max"].map((key): [string, typeof plain] => [key, plain]),
  ...["$abs", "$floor", "$ceil", "$round", "$trunc"].map((key): [string, typeof plain] => [key, asNumber]),
  ...["$size", "$first", "$last", "$reverseArray"].map((key): [string, typeof plain] => [key, asList]),
  ...["$toUpper", "$toLower", "$strLenCP", "$strLenBytes"].map((key): [string, typeof plain] => [key, asText]),
  ...["$year", "$month", "$dayOfMonth", "$hour", "$dayOfWeek", "$dayOfYear", "$millisecond"].map(
    (key): [string, typeof plain] => [key, asDate],
  ),
];
const BINARY: [string, (operand: unknown) => unknown][] = [
  ...["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$cmp", "$and", "$or", "$ifNull"].map(
    (key): [string, typeof plain] => [key, plain],
  ),
  ...["$add", "$subtract", "$multiply"].map((key): [string, typeof plain] => [key, asNumber]),
  ...["$concatArrays", "$setIsSubset", "$setEquals"].map((key): [string, typeof plain] => [key, asList]),
  ...["$concat", "$split", "$indexOfCP"].map((key): [string, typeof plain] => [key, asText]),
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
        .map(([[key, fit], left, right]) => ({ [key]: [fit(left), key === "$split" ? "a" : fit(right)] })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(tie("expression"), tie("expression"), tie("expression")).map((parts) => ({ $cond: parts })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          tie("expression"),
          fc.constantFrom("string", "int", "long", "double", "bool", "decimal", "date", "objectId"),
        )
        .map(([input, to]) => ({ $convert: { input, to, onError: "refused" } })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fieldPath, tie("expression")).map(([input, wanted]) => ({ $in: [wanted, asList(input)] })),
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
  .tuple(fc.constantFrom("$sum", "$avg", "$min", "$max", "$first", "$last", "$push"), fieldPath)
  .map(([key, operand]) => ({ [key]: key === "$first" || key === "$last" ? { $ifNull: [operand, null] } : operand }));

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
      $unwind: { path: `$${field}`, preserveNullAndEmptyArrays, includeArrayIndex: "at" },
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
    arbitrary: fc
      .tuple(path, path)
      .map(([localField, foreignField]) => ({ $lookup: { from: "things", localField, foreignField, as: "found" } })),
  },
);

/** Ordered by `_id` in front of the stages, so that first and last mean the same everywhere. */
export const pipeline = fc
  .array(stage, { minLength: 1, maxLength: 3 })
  .map((stages): Document[] => [{ $sort: { _id: 1 } }, ...stages]);

export const projection: fc.Arbitrary<Document> = fc.oneof(
  fc.dictionary(path, fc.constantFrom(1, true), { minKeys: 1, maxKeys: 3 }),
  fc.dictionary(path, fc.constantFrom(0, false), { minKeys: 1, maxKeys: 3 }),
  fc.tuple(name, fc.constantFrom<unknown>(1, -1, [1, 1], [-2, 1])).map(([field, $slice]) => ({ [field]: { $slice } })),
  fc.tuple(name, operator).map(([field, [key, operand]]) => ({ [field]: { $elemMatch: { [key]: operand } } })),
);
