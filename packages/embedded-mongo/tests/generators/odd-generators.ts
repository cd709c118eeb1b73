import fc from "fast-check";
import type { Document } from "mongodb";
import { document, name, path, scalar } from "./generators.js";

/** Paths that the filter of an upsert may fix. */
const fixing = fc.oneof(
  fc.dictionary(path, fc.oneof(scalar, document), { minKeys: 1, maxKeys: 2 }),
  fc.tuple(path, fc.constantFrom("$eq", "$gt", "$ne"), scalar).map(([key, of, to]) => ({ [key]: { [of]: to } })),
  fc
    .tuple(path, fc.constantFrom("$in", "$all"), fc.array(scalar, { minLength: 1, maxLength: 2 }))
    .map(([key, of, all]) => ({ [key]: { [of]: all } })),
  fc.tuple(path, scalar).map(([key, $eq]) => ({ [key]: { $elemMatch: { $eq } } })),
);
export const upsertFilter: fc.Arbitrary<Document> = fc
  .tuple(fixing, fixing, fc.constantFrom("", "$and", "$or"))
  .map(([one, other, joined]) => (joined === "" ? { ...one, ...other } : { ...one, [joined]: [other] }));

/** Valid and invalid values of an `_id`. */
const identity = fc.constantFrom<unknown>(null, 0, -0, 1, 2.5, "", "a", false, {}, { x: null }, [1], { $x: 1 });
/** Filters and updates with equal or different `_id`s. */
export const identityUpdate: fc.Arbitrary<[Document, Document]> = fc.tuple(
  fc.oneof(
    identity.map((_id) => ({ _id: { $eq: _id } })),
    identity.map((x) => ({ "_id.x": x })),
    fc.constant({ a: "none" }),
  ),
  fc.oneof(
    identity.map((_id) => ({ $set: { _id } })),
    identity.map((_id) => ({ $setOnInsert: { _id } })),
    identity.map((_id) => ({ _id, a: 1 })),
    identity.map((x) => ({ $set: { "_id.x": x } })),
    fc.constantFrom({ $unset: { _id: "" } }, { $set: { b: 1 } }, { b: 1 }),
  ),
);

/** Unusual names for fields, paths and operators. */
const oddName = fc.constantFrom(
  "",
  "$a",
  "a.",
  ".a",
  "a..b",
  "a.$b",
  "__proto__",
  "constructor",
  "toString.x",
  "$",
  "a.$",
);
export const oddUpdate: fc.Arbitrary<Document> = fc.oneof(
  fc
    .tuple(fc.constantFrom("$set", "$unset", "$inc", "$push", "$pull", "$max"), oddName)
    .map(([key, field]) => ({ [key]: { [field]: 1 } })),
  fc.tuple(oddName, oddName).map(([field, inner]) => ({ [field]: { [inner]: 1 } })),
  fc
    .tuple(fc.constantFrom("$set", "$inc", "$push", "$addToSet", "$pull", "$pop", "$min", "$unset"), oddName)
    .map(([key]): Document => ({ [key]: null })),
  fc.tuple(fc.constantFrom("$inc", "$mul", "$pop", "$push", "$pullAll", "$addToSet"), name).map(([key, field]) => ({
    [key]: { [field]: key === "$push" || key === "$addToSet" ? { $each: null } : null },
  })),
);

const COMMANDS: Document[] = [
  { insert: "things", documents: [{ _id: 50, a: 1 }, { _id: 51 }], ordered: true },
  { update: "things", updates: [{ q: { a: { $gt: 0 } }, u: { $set: { b: 1 } }, multi: true, upsert: false }] },
  { update: "things", updates: [{ q: { _id: 90 }, u: { $inc: { n: 1 } }, upsert: true }], ordered: true },
  { delete: "things", deletes: [{ q: { a: { $gt: 1 } }, limit: 0 }], ordered: true },
  { findAndModify: "things", query: { a: { $ne: 1 } }, update: { $set: { b: 1 } }, sort: { _id: 1 }, new: true },
  { findAndModify: "things", query: { a: 1 }, sort: { _id: 1 }, remove: true, fields: { a: 1 } },
  {
    find: "things",
    filter: { a: { $in: [1, 2] } },
    sort: { _id: -1 },
    projection: { a: 1 },
    skip: 1,
    singleBatch: true,
  },
  { count: "things", query: { a: 1 }, skip: 0 },
  { distinct: "things", key: "a", query: { b: { $exists: true } } },
  { aggregate: "things", pipeline: [{ $match: { a: 1 } }, { $count: "n" }], cursor: {} },
];

/** Lists the paths inside a value, outermost first. */
const placesIn = (whole: unknown): (string | number)[][] =>
  Object.entries(Object(typeof whole === "object" ? whole : undefined)).flatMap(([key, part]) => [
    [key],
    ...placesIn(part).map((rest) => [key, ...rest]),
  ]);

const ABSENT = Symbol("absent");
function changed(whole: unknown, [key = "", ...rest]: (string | number)[], by: unknown): unknown {
  const parts = Object.entries(Object(whole)).flatMap(([one, part]): [string, unknown][] => {
    if (one !== key) return [[one, part]];
    const next = rest.length > 0 ? changed(part, rest, by) : by;
    return next === ABSENT ? [] : [[one, next]];
  });
  return Array.isArray(whole) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

/** Generates a command with one part missing, null or of a wrong type. */
export const brokenCommand: fc.Arbitrary<Document> = fc
  .constantFrom(
    ...COMMANDS.flatMap((command) =>
      placesIn(command)
        .slice(1)
        .map((place) => ({ command, place })),
    ),
  )
  .chain(({ command, place }) =>
    fc
      .constantFrom<unknown>(ABSENT, ABSENT, null, 5, -1, "x", "", [], {}, true, { $x: 1 })
      .map((by) => changed(command, place, by) as Document),
  );

const field = fc.oneof(scalar, fc.constantFrom<unknown>(null, 0, -0, 1, {}, { a: 1 }, { b: null }));
/**
 * Generates an index with documents that may violate it. For the other engine, documents without a field are never
 * equal.
 */
export const indexed = fc.tuple(
  fc.record({
    key: fc.dictionary(name, fc.constantFrom(1, -1), { minKeys: 1, maxKeys: 2 }),
    sparse: fc.boolean(),
    partial: fc.option(
      fc.tuple(name, fc.constantFrom<unknown>({ $exists: true }, { $gt: 0 }, { $in: [1, null] }, null, 1)),
    ),
  }),
  fc.array(fc.tuple(fc.nat(3), fc.record({ a: field, b: field, c: field })), { minLength: 3, maxLength: 10 }),
);
