import { rmSync } from "node:fs";
import fc from "fast-check";
import { type Collection, type Db, type Document, MongoClient, MongoServerError } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbeddedDatabase } from "../src/index.js";
import { Catalog } from "../src/store/catalog.js";
import { documentKeys, MAX_KEY_BYTES } from "../src/store/keys.js";
import { Storage } from "../src/store/storage.js";
import { number, scalar } from "./generators/generators.js";
import { temporaryFolder } from "./support.js";

/** Runs commands of several connections at once and checks their results and the stored data. */
let dataDir: string;
let embedded: Awaited<ReturnType<typeof startEmbeddedDatabase>>;
let client: MongoClient;
let db: Db;
const numRuns = Number(process.env.HISTORIES ?? 20);
const seed = Number(process.env.HISTORIES_SEED ?? 5);

beforeAll(async () => {
  dataDir = temporaryFolder();
  embedded = await startEmbeddedDatabase({ dataDir });
  client = await new MongoClient(embedded.uri).connect();
  db = client.db("interleaving");
});
afterAll(async () => {
  await client.close();
  await embedded.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("a cursor shows what there is when it goes on, not what there was", async () => {
  for (const hint of [{ $natural: 1 }, "n_1"]) {
    const things = db.collection("shown");
    await things.deleteMany({});
    await things.createIndex({ n: 1 });
    await things.insertMany(Array.from({ length: 60 }, (_, n) => ({ n, state: "old" })));
    const cursor = things.find({ n: { $gte: 0 } }, { hint }).batchSize(1);
    await cursor.next();
    await things.deleteMany({ n: { $gt: 5, $lt: 55 } });
    await things.updateMany({}, { $set: { state: "new" } });
    const rest = await cursor.toArray();
    expect(rest).toHaveLength(10);
    expect(new Set(rest.map(({ state }) => state))).toEqual(new Set(["new"]));
  }
});

test("who looks for documents while their collection is dropped finds all or none", async () => {
  for (let round = 0; round < 30; round += 1) {
    const things = db.collection("dropped");
    await things.insertMany(Array.from({ length: 20 }, (_, n) => ({ n })));
    let dropped = false;
    const found: Document[][] = [];
    const looking = async () => {
      while (!dropped) found.push(await things.find().toArray());
    };
    const dropping = things.drop().then(() => {
      dropped = true;
    });
    await Promise.all([dropping, looking(), looking(), looking()]);
    for (const documents of found) expect([0, 20]).toContain(documents.length);
  }
});

const field = fc.constantFrom("a", "b", "list.x");
const leaf = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 6 }) },
  { weight: 3, arbitrary: number },
  { weight: 2, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constantFrom("y".repeat(MAX_KEY_BYTES + 5), `${"y".repeat(MAX_KEY_BYTES + 4)}z`) },
);
const value: fc.Arbitrary<unknown> = fc.oneof({ weight: 5, arbitrary: leaf }, fc.array(leaf, { maxLength: 3 }));
const _id = fc.integer({ min: 0, max: 30 });
const fields = fc.record(
  { a: value, b: value, list: fc.array(fc.record({ x: leaf }, { requiredKeys: [] }), { maxLength: 3 }) },
  { requiredKeys: [] },
);
const stored = fc.tuple(_id, fields).map(([id, rest]): Document => ({ _id: id, ...rest }));
const filter: fc.Arbitrary<Document> = fc.oneof(
  _id.map((id) => ({ _id: id })),
  fc.tuple(fc.constantFrom("a", "b"), fc.integer({ min: 0, max: 6 })).map(([name, n]) => ({ [name]: { $gte: n } })),
);
const change: fc.Arbitrary<Document> = fc.oneof(
  fc.tuple(fc.constantFrom("a", "b"), value).map(([name, to]) => ({ $set: { [name]: to } })),
  fc.constantFrom("a", "b").map((name) => ({ $inc: { [name]: 1 } })),
  leaf.map((x) => ({ $push: { list: { x } } })),
  fc.constantFrom("a", "list").map((name) => ({ $unset: { [name]: 1 } })),
);
const index = fc.record(
  {
    key: fc.dictionary(field, fc.constantFrom(1, -1), { minKeys: 1, maxKeys: 2 }),
    unique: fc.boolean(),
    more: fc.constantFrom<Document>({}, {}, { sparse: true }, { partialFilterExpression: { b: { $gt: 1 } } }),
  },
  { requiredKeys: ["key", "more"] },
);
const specification = index.map(({ key, more, ...unique }) => ({
  ...{ key, ...unique, ...more },
  name: JSON.stringify([key, unique, more]),
}));
const flag = fc.boolean();
const commands: fc.Arbitrary<Document>[] = [
  fc
    .tuple(fc.array(stored, { minLength: 1, maxLength: 8 }), flag)
    .map(([documents, ordered]) => ({ insert: "", documents, ordered })),
  fc
    .tuple(fc.array(fc.tuple(filter, change, flag, flag), { minLength: 1, maxLength: 3 }), flag)
    .map(([all, ordered]) => ({
      update: "",
      updates: all.map(([q, u, multi, upsert]) => ({ q, u, multi, upsert })),
      ordered,
    })),
  fc.tuple(stored, flag).map(([u, upsert]) => ({ update: "", updates: [{ q: { _id: u._id }, u, upsert }] })),
  fc.tuple(filter, fc.constantFrom(0, 1)).map(([q, limit]) => ({ delete: "", deletes: [{ q, limit }] })),
  fc.tuple(filter, change).map(([query, update]) => ({ findAndModify: "", query, update, upsert: true, new: true })),
  fc.array(specification, { minLength: 1, maxLength: 2 }).map((indexes) => ({ createIndexes: "", indexes })),
];
const command = fc.oneof(
  ...commands.map((arbitrary, at) => ({ weight: at === commands.length - 1 ? 2 : 4, arbitrary })),
  { weight: 1, arbitrary: fc.constantFrom<Document>({ dropIndexes: "", index: "*" }, { drop: "" }) },
  { weight: 3, arbitrary: fc.constant<Document>({ find: "", filter: { a: { $gte: 0 } }, batchSize: 2 }) },
);
/** Sends the commands of each inner list at once. */
const history = fc.array(fc.array(command, { minLength: 1, maxLength: 6 }), { minLength: 5, maxLength: 25 });

/** Sends a command and reads its cursor to the end. An error is a result too. */
async function send(name: string, given: Document, reads: unknown[]): Promise<void> {
  const [verb = ""] = Object.keys(given);
  try {
    const { cursor } = await db.command({ ...given, [verb]: name }, { promoteLongs: false });
    if (cursor) reads.push(cursor.id);
    const open = reads.shift();
    if (open !== undefined) await db.command({ getMore: open, collection: name, batchSize: 3 });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code === 1) throw error;
  }
}

/** Reads the whole collection through each index that holds all of it. */
async function differences(things: Collection): Promise<string[]> {
  const ids = async (hint: Document | string) =>
    (await things.find({}, { hint }).toArray()).map(({ _id: id }) => String(id)).sort();
  const all = await ids({ $natural: 1 });
  const whole = (await things.indexes().catch(() => [])).filter((one) => !one.sparse && !one.partialFilterExpression);
  const found = await Promise.all(whole.map(async ({ name = "" }) => ({ name, given: await ids(name) })));
  return found.filter(({ given }) => given.join() !== all.join()).map(({ name }) => name);
}

/** Lists index entries without documents, documents without entries, and stores without owners. */
async function disorder(dataDir: string): Promise<string[]> {
  const storage = await Storage.open(dataDir, (message) => expect.fail(message));
  const catalog = new Catalog(storage);
  const collections = catalog.collections();
  const found: string[] = [];
  for (const collection of collections) {
    for (const { name, store, fields, unique, partial, spec, multikey } of collection.indexes) {
      const wanted = [...collection.scan()].flatMap(({ record, document }) => {
        if (partial?.test(document) === false) return [];
        const { keys, multikey: many } = documentKeys(document, fields, { sparse: spec.sparse === true });
        const told = (multikey || !many) && keys.every((key) => key.length <= 1900);
        if (!told) found.push(`${collection.namespace} ${name} has forgotten what it learned`);
        return keys.map((key) => Buffer.concat([key, unique ? Buffer.alloc(0) : record, record]));
      });
      const held = [...storage.range(store)].map(({ key, value }) => Buffer.concat([key, value]));
      const [a, b] = [wanted, held].map((all) => all.map((one) => one.toString("hex")).sort());
      if (a?.join() !== b?.join())
        found.push(`${collection.namespace} ${name}: ${a?.length} wanted, ${b?.length} held`);
    }
  }
  const owned = new Set([0, ...collections.flatMap(({ stores }) => stores)]);
  for (let store = 0; store < 5000; store += 1) {
    if (!owned.has(store) && storage.count(store) > 0) found.push(`store ${store} belongs to nothing`);
  }
  await storage.close();
  return found;
}

test("after any history, refused and abandoned writes included, indexes hold their documents and nothing else", {
  timeout: 60_000 + numRuns * 2000,
}, async () => {
  let written = 0;
  for (const [at, steps] of fc.sample(history, { numRuns, seed }).entries()) {
    const reads: unknown[] = [];
    for (const step of steps) await Promise.all(step.map((one) => send(`history${at}`, one, reads)));
    expect(await differences(db.collection(`history${at}`)), `history ${at}`).toEqual([]);
    written += await db.collection(`history${at}`).countDocuments();
  }
  expect(written).toBeGreaterThan(numRuns);
  await embedded.close();
  expect(await disorder(dataDir)).toEqual([]);
});
