import { EJSON } from "bson";
import fc from "fast-check";
import { type Collection, Decimal128, type Document } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documents, filter, indexKeys, scalarDocuments, sort } from "./generators.js";
import { startTestDatabase, type TestDatabase } from "./support.js";

/** An index may only change how fast an answer comes: every query is asked with and without indexes. */
let database: TestDatabase;
const seed = Number(process.env.PLANNER_SEED ?? 7);
const numRuns = Number(process.env.PLANNER_RUNS ?? 25);
const QUERIES = 8;

beforeAll(async () => {
  database = await startTestDatabase();
});

afterAll(() => database.close());

interface Situation {
  documents: Document[];
  indexes: Document[];
  queries: [Document, Document][];
}

const situation = (all: fc.Arbitrary<Document[]>): fc.Arbitrary<Situation> =>
  fc.record({
    documents: all,
    indexes: fc.uniqueArray(indexKeys, { minLength: 1, maxLength: 3, selector: (keys) => JSON.stringify(keys) }),
    queries: fc.array(fc.tuple(filter, sort), { minLength: QUERIES, maxLength: QUERIES }),
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
    for (const [query, order] of collection === undefined ? [] : one.queries) {
      const told = EJSON.stringify({ documents: one.documents, indexes: one.indexes, query, order });
      const scan = { $natural: 1 as const };
      const brute = await answers(collection as Collection, scan, query);
      const indexed = await answers(collection as Collection, undefined, query);
      expect(Array.isArray(indexed) ? indexed.sort() : indexed, told).toEqual(
        Array.isArray(brute) ? brute.sort() : brute,
      );
      const total = { ...order, _id: 1 };
      expect(await answers(collection as Collection, undefined, query, total), told).toEqual(
        await answers(collection as Collection, scan, query, total),
      );
      expect(await keyOrder(collection as Collection, query, order, undefined), told).toEqual(
        await keyOrder(collection as Collection, query, order, scan),
      );
      const plan = await collection
        ?.find(query)
        .sort(order)
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

/** The sort fields alone, in the order of the answer: without a tie-break only these are fixed. */
async function keyOrder(collection: Collection, query: Document, order: Document, hint: Document | undefined) {
  const found = await collection
    .find(query, { ...(hint && { hint }) })
    .sort(order)
    .toArray()
    .catch(() => []);
  return found.map((document) =>
    EJSON.stringify(
      Object.keys(order).map((path) => leafOf(document, path)),
      { relaxed: false },
    ),
  );
}

/** Missing equals null in an order; documents with arrays are left to the total order. */
function leafOf(document: Document, path: string): unknown {
  let value: unknown = document;
  for (const name of path.split(".")) {
    if (Array.isArray(value)) {
      return "array";
    }
    value = typeof value === "object" && value !== null ? (value as Document)[name] : undefined;
  }
  if (value instanceof Decimal128) {
    return Number(value.toString());
  }
  return Array.isArray(value) ? "array" : (value ?? null);
}

test("on scalar documents an index gives what a scan gives, in the same order", { timeout: 120_000 }, async () => {
  expect(await compareAll(scalarDocuments, "scalars")).toBeGreaterThan(numRuns);
});

test("with arrays and embedded documents too", { timeout: 120_000 }, async () => {
  expect(await compareAll(documents, "arrays")).toBeGreaterThan(numRuns);
});
