import { EJSON } from "bson";
import fc from "fast-check";
import { BSONRegExp, type Collection, type Document } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { number, scalar } from "./generators.js";
import { startTestDatabase, type TestDatabase } from "./support.js";

/** An index may only change how fast an answer comes: every query is asked with and without indexes. */
let database: TestDatabase;
const seed = Number(process.env.PLANNER_SEED ?? 7);
const numRuns = Number(process.env.PLANNER_RUNS ?? 30);
const QUERIES = 12;

beforeAll(async () => {
  database = await startTestDatabase();
});

afterAll(() => database.close());

interface Situation {
  documents: Document[];
  indexes: Document[];
  queries: [Document, Document][];
}

/** Two fields only, so that filters, indexes and orders meet; `pairs` is an array of documents that share its elements. */
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
/** Narrow numbers, so that one element of an array meets one bound and another element the other. */
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
    // Two arrays in one compound index: nothing to compare.
    expect(error).toMatchObject({ code: 171 });
    return undefined;
  }
  return collection;
}

async function answers(collection: Collection, hint: Document | undefined, query: Document, order?: Document) {
  const cursor = collection.find(query, { promoteValues: false, ...(hint && { hint }) });
  try {
    const found = await (order === undefined ? cursor : cursor.sort(order)).toArray();
    return found.map((document) => EJSON.stringify(document, { relaxed: false }));
  } catch (error) {
    return { code: Number((error as { code: number }).code) };
  }
}

async function compareAll(all: fc.Arbitrary<Document[]>, label: string): Promise<number> {
  let throughIndex = 0;
  const situations = fc.sample(situation(all), { numRuns, seed });
  const check = async (one: Situation, at: number) => {
    const collection = await prepared(`${label}${at}`, one);
    for (const [asked, wanted] of collection === undefined ? [] : one.queries) {
      const told = EJSON.stringify({ documents: one.documents, indexes: one.indexes, asked, wanted });
      const scan = { $natural: 1 as const };
      const brute = await answers(collection as Collection, scan, asked);
      const indexed = await answers(collection as Collection, undefined, asked);
      expect(Array.isArray(indexed) ? indexed.sort() : indexed, told).toEqual(
        Array.isArray(brute) ? brute.sort() : brute,
      );
      const total = { ...wanted, _id: 1 };
      expect(await answers(collection as Collection, undefined, asked, total), told).toEqual(
        await answers(collection as Collection, scan, asked, total),
      );
      expect(await orderKept(collection as Collection, asked, wanted), told).toBe(true);
      const plan = await collection
        ?.find(asked)
        .sort(wanted)
        .explain("queryPlanner")
        .catch(() => ({}));
      throughIndex += JSON.stringify(plan).includes("IXSCAN") ? 1 : 0;
    }
  };
  for (let at = 0; at < situations.length; at += 8) {
    await Promise.all(situations.slice(at, at + 8).map((one, place) => check(one, at + place)));
  }
  return throughIndex;
}

/**
 * Without a tie-break only the order of unequal documents is fixed. Sorted by scan with `_id` up and with `_id` down, equal
 * documents are runs that hold the same members; the answer through the index must go through the runs in their order.
 */
async function orderKept(collection: Collection, query: Document, order: Document): Promise<boolean> {
  const ids = async (sort: Document, hint?: Document) => {
    const found = collection.find(query, { projection: { _id: 1 }, ...(hint && { hint }) }).sort(sort);
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

test("on scalar documents an index gives what a scan gives, in the same order", { timeout: 120_000 }, async () => {
  expect(await compareAll(scalars, "scalars")).toBeGreaterThan(numRuns);
});

test("with arrays and embedded documents too", { timeout: 120_000 }, async () => {
  expect(await compareAll(arrays, "arrays")).toBeGreaterThan(numRuns);
});
