import { EJSON } from "bson";
import fc from "fast-check";
import { BSON, BSONRegExp, type ClientSession, type Collection, type Document } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { identity } from "../src/language/ordering.js";
import { decode } from "../src/language/values.js";
import { number, scalar } from "./generators/generators.js";
import { startTestDatabase, type TestDatabase } from "./support.js";

/** Runs every query with and without indexes and compares the results. */
let database: TestDatabase;
const seed = Number(process.env.PLANNER_SEED ?? 7);
const numRuns = Number(process.env.PLANNER_RUNS ?? 6);
const QUERIES = 12;
const timeout = 120_000 + numRuns * 4_000;

beforeAll(async () => {
  database = await startTestDatabase();
});

afterAll(() => database.close());

interface Situation {
  documents: Document[];
  indexes: Document[];
  queries: [Document, Document][];
}

/**
 * Two fields make filters, indexes and sorts overlap. `pairs` is an array of documents whose fields share its elements.
 */
const field = fc.constantFrom("a", "b");
const indexed = fc.constantFrom("a", "b", "pairs.x", "pairs.y");
const leaf = fc.oneof({ weight: 3, arbitrary: number }, { weight: 2, arbitrary: scalar });
const operand = fc.oneof({ weight: 8, arbitrary: leaf }, { weight: 1, arbitrary: fc.array(leaf, { maxLength: 2 }) });
const comparison = fc.tuple(
  fc.constantFrom("$eq", "$gt", "$gte", "$lt", "$lte"),
  leaf.filter((one) => !(one instanceof BSONRegExp)),
);
const condition: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: operand },
  { weight: 6, arbitrary: comparison.map((one) => Object.fromEntries([one])) },
  { weight: 4, arbitrary: fc.tuple(comparison, comparison).map((both) => Object.fromEntries(both)) },
  { weight: 2, arbitrary: fc.array(leaf, { maxLength: 3 }).map(($in) => ({ $in })) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(/^a/, { $exists: true }, { $exists: false }, { $ne: null }, null) },
  { weight: 1, arbitrary: fc.tuple(comparison, comparison).map((both) => ({ $elemMatch: Object.fromEntries(both) })) },
);
/** Few numbers, so that different elements of an array satisfy different bounds. */
const small = fc.integer({ min: -1, max: 5 });
const between = fc
  .tuple(fc.constantFrom("$gt", "$gte"), small, fc.constantFrom("$lt", "$lte"), small)
  .map(([low, from, high, to]): unknown => ({ [low]: from, [high]: to }));
const simple = fc.dictionary(indexed, fc.oneof(condition, between), { minKeys: 1, maxKeys: 2 });
const query = fc.oneof(
  { weight: 6, arbitrary: simple },
  { weight: 1, arbitrary: fc.array(simple, { minLength: 1, maxLength: 2 }).map(($or) => ({ $or })) },
  { weight: 1, arbitrary: fc.tuple(number, number).map(([x, y]) => ({ pairs: { $elemMatch: { x, y } } })) },
);
const order = fc.dictionary(indexed, fc.constantFrom(1, -1), { minKeys: 1, maxKeys: 2 });
const keys = fc.dictionary(indexed, fc.constantFrom(1, -1), { minKeys: 1, maxKeys: 2 });

const numbered = (fields: fc.Arbitrary<Document>) =>
  fc.array(fields, { minLength: 5, maxLength: 25 }).map((all) => all.map((one, _id): Document => ({ _id, ...one })));
const scalars = numbered(fc.dictionary(field, leaf, { maxKeys: 2 }));
const arrays = numbered(
  fc.record(
    {
      a: fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.array(small, { minLength: 2, maxLength: 3 })),
      b: leaf,
      pairs: fc.array(fc.record({ x: number, y: number }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  ),
);

const situation = (all: fc.Arbitrary<Document[]>): fc.Arbitrary<Situation> =>
  fc.record({
    documents: all,
    indexes: fc.uniqueArray(keys, { minLength: 1, maxLength: 2, selector: (one) => JSON.stringify(one) }),
    queries: fc.array(fc.tuple(query, order), { minLength: QUERIES, maxLength: QUERIES }),
  });

async function prepared(name: string, { documents: all, indexes }: Situation): Promise<Collection | undefined> {
  const collection = database.client.db("planner").collection(name);
  await collection.insertMany(all);
  try {
    await collection.createIndexes(indexes.map((key, at) => ({ key: key as Record<string, 1>, name: `index${at}` })));
  } catch (error) {
    // Two arrays in one compound index are refused, so there is no result to compare.
    expect(error).toMatchObject({ code: 171 });
    return undefined;
  }
  return collection;
}

/** Runs a query, in a transaction when there is a session. */
interface Asked {
  collection: Collection;
  session?: ClientSession | undefined;
}

async function answers({ collection, session }: Asked, hint: Document | undefined, query: Document, order?: Document) {
  const cursor = collection.find(query, { promoteValues: false, ...(hint && { hint }), ...(session && { session }) });
  try {
    const found = await (order === undefined ? cursor : cursor.sort(order)).toArray();
    return found.map((document) => EJSON.stringify(document, { relaxed: false }));
  } catch (error) {
    return { code: Number((error as { code: number }).code) };
  }
}

/** Runs every query of a situation through the indexes and by a scan. */
async function compare(asking: Asked, { documents, indexes, queries }: Situation): Promise<void> {
  for (const [asked, wanted] of queries) {
    const told = EJSON.stringify({ documents, indexes, asked, wanted });
    const scan = { $natural: 1 as const };
    const brute = await answers(asking, scan, asked);
    const indexed = await answers(asking, undefined, asked);
    expect(Array.isArray(indexed) ? indexed.sort() : indexed, told).toEqual(
      Array.isArray(brute) ? brute.sort() : brute,
    );
    const total = { ...wanted, _id: 1 };
    expect(await answers(asking, undefined, asked, total), told).toEqual(await answers(asking, scan, asked, total));
    expect(await orderKept(asking, asked, wanted), told).toBe(true);
    if (Array.isArray(brute)) expect(await distinctValues(asking, asked, "a"), told).toEqual([]);
  }
}

const keyOf = (value: unknown) => identity(decode(BSON.serialize({ value })).value);

/** Returns the values of a field that `distinct` has more or less than a scan. */
async function distinctValues({ collection, session }: Asked, query: Document, field: string): Promise<string[]> {
  const options = { promoteValues: false, bsonRegExp: true, ...(session && { session }) };
  const found = await collection.find(query, { ...options, hint: { $natural: 1 } }).toArray();
  const expected = new Set(found.flatMap((one) => one[field] ?? (field in one ? [null] : [])).map(keyOf));
  const given = (await collection.distinct(field, query, options)).map(keyOf);
  return [...given.filter((value) => !expected.delete(value)), ...expected];
}

/** Runs `check` on all situations, eight at a time, and sums its results. */
async function each(all: fc.Arbitrary<Document[]>, check: (one: Situation, at: number) => Promise<number>) {
  const situations = fc.sample(situation(all), { numRuns, seed });
  let sum = 0;
  for (let at = 0; at < situations.length; at += 8) {
    const counts = await Promise.all(situations.slice(at, at + 8).map((one, place) => check(one, at + place)));
    sum += counts.reduce((one, other) => one + other, 0);
  }
  return sum;
}

/** @returns the number of queries that used an index. */
function compareAll(all: fc.Arbitrary<Document[]>, label: string): Promise<number> {
  return each(all, async (one, at) => {
    const collection = await prepared(`${label}${at}`, one);
    if (collection === undefined) return 0;
    await compare({ collection }, one);
    const plans = one.queries.map(([asked, wanted]) =>
      collection
        .find(asked)
        .sort(wanted)
        .explain("queryPlanner")
        .catch(() => ({})),
    );
    return (await Promise.all(plans)).filter((plan) => JSON.stringify(plan).includes("IXSCAN")).length;
  });
}

/**
 * Repeats the comparison in a transaction that has inserted, removed and replaced documents, and after its end. No
 * other client sees its changes before the commit.
 * @returns the number of situations.
 */
function compareInTransactions(all: fc.Arbitrary<Document[]>, label: string): Promise<number> {
  return each(all, async (one, at) => {
    const { documents } = one;
    const half = Math.floor(documents.length / 2);
    const collection = await prepared(`${label}${at}`, { ...one, documents: documents.slice(0, half) });
    const committed = await collection?.find().toArray();
    const session = database.client.startSession();
    try {
      if (collection === undefined) return 0;
      // A refused query would end the transaction, so no query sorts by two arrays.
      const found = await Promise.all(one.queries.map(([asked]) => answers({ collection }, undefined, asked)));
      const queries = one.queries
        .filter((_, place) => Array.isArray(found[place]))
        .map(([asked, wanted]): [Document, Document] => [
          asked,
          Object.fromEntries(Object.entries(wanted).slice(0, 1)),
        ]);
      const asking = { ...one, queries };
      session.startTransaction();
      await collection.insertMany(documents.slice(half), { session });
      for (const [place, { _id, ...fields }] of documents.entries()) {
        const other = documents[(place * 7 + 3) % documents.length];
        if (place % 4 === 0) await collection.deleteOne({ _id }, { session });
        if (place % 4 === 1) await collection.replaceOne({ _id }, { ...other, _id }, { session });
        if (place % 4 === 2) await collection.updateOne({ _id }, { $set: { a: fields.b ?? 1 } }, { session });
      }
      await compare({ collection, session }, asking);
      expect(await collection.find().toArray()).toEqual(committed);
      if (at % 2 === 0) await session.commitTransaction();
      else await session.abortTransaction();
      await compare({ collection }, asking);
      return 1;
    } catch (error) {
      if ((error as { code?: unknown }).code === 171) return 0; // two arrays in one compound index
      throw error;
    } finally {
      await session.endSession();
    }
  });
}

/**
 * Without a tie-break only the order of unequal documents is defined. Scans with ascending and descending `_id` give
 * the runs of equal documents; the result through the index must follow these runs.
 */
async function orderKept({ collection, session }: Asked, query: Document, order: Document): Promise<boolean> {
  const ids = async (sort: Document, hint?: Document) => {
    const found = collection
      .find(query, { projection: { _id: 1 }, ...(hint && { hint }), ...(session && { session }) })
      .sort(sort);
    return await found
      .map(({ _id }) => Number(_id))
      .toArray()
      .catch(() => []);
  };
  const up = await ids({ ...order, _id: 1 }, { $natural: 1 });
  const down = await ids({ ...order, _id: -1 }, { $natural: 1 });
  const run = new Map<number, number>();
  const open = new Set<number>();
  let runs = 0;
  for (const [at, id] of up.entries()) {
    run.set(id, runs);
    for (const one of [id, down[at] ?? -1]) {
      open.has(one) ? open.delete(one) : open.add(one);
    }
    runs += open.size === 0 ? 1 : 0;
  }
  const through = (await ids(order)).map((id) => run.get(id) ?? -1);
  return through.length === up.length && through.every((one, at) => at === 0 || one >= (through[at - 1] ?? 0));
}

test("on scalar documents an index gives what a scan gives, in the same order", { timeout }, async () => {
  expect(await compareAll(scalars, "scalars")).toBeGreaterThan(numRuns);
});

test("with arrays and embedded documents too", { timeout }, async () => {
  expect(await compareAll(arrays, "arrays")).toBeGreaterThan(numRuns);
});

test("so it does within a transaction, on what that alone has written", { timeout }, async () => {
  expect(await compareInTransactions(scalars, "transactions")).toBeGreaterThan(numRuns / 2);
  expect(await compareInTransactions(arrays, "transactions_of_arrays")).toBeGreaterThan(numRuns / 3);
});
