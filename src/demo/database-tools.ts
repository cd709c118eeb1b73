import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import mongoose, { type mongo } from "mongoose";
import type { Deps } from "../deps.js";
import { touchCatalog } from "../models/courses/catalog-revision.js";
import { allCollections } from "../models/index.js";

const { EJSON } = mongoose.mongo.BSON;
type Document = mongo.BSON.Document;

/** Documents of one page of a collection. */
const pageSize = 20;
/** Documents of one insertion. */
const batchSize = 500;
const extension = ".jsonl.gz";

interface Snapshot {
  name: string;
  bytes: number;
  savedAt: string;
}

/** What the development console shows and changes of the database. */
export interface DatabaseTools {
  collections(): Promise<{ name: string; documents: number }[]>;
  documents(collection: string, after?: string): Promise<{ documents: unknown[]; next?: string }>;
  reset(to: "empty" | "demo"): Promise<void>;
  snapshots(): Promise<Snapshot[]>;
  save(name: string): Promise<Snapshot>;
  restore(name: string): Promise<void>;
}

/**
 * @param folder where snapshots are kept: one line of JSON for each document.
 * @param begin creates what an empty database needs; `load` loads the demo data.
 */
export function databaseTools(
  deps: Deps,
  folder: string,
  { begin, load }: { begin(): Promise<void>; load(): Promise<void> },
): DatabaseTools {
  const { db } = deps;
  const collections = () => new Map([...allCollections(db)].sort(([left], [right]) => (left < right ? -1 : 1)));
  /** All but what running instances hold. */
  const contents = (): Map<string, mongo.Collection<Document>> => {
    const all = collections();
    all.delete(db.Lease.collection.collectionName);
    return all;
  };
  const empty = async (): Promise<void> => {
    for (const collection of contents().values()) await collection.deleteMany({});
  };
  /** Every instance reads the catalog again. */
  const changed = () => db.transaction((session) => touchCatalog(db, session));
  const fileOf = (name: string): string => join(folder, name + extension);
  const describe = async (name: string): Promise<Snapshot> => {
    const { size, mtime } = await stat(fileOf(name));
    return { name, bytes: size, savedAt: mtime.toISOString() };
  };

  return {
    async collections() {
      const counted = [...collections()].map(async ([name, collection]) => ({
        name,
        documents: await collection.estimatedDocumentCount(),
      }));
      return Promise.all(counted);
    },
    async documents(name, after) {
      const collection = collections().get(name);
      if (!collection) throw new Error(`There is no collection ${name}`);
      const beyond = after === undefined ? {} : { _id: { $gt: EJSON.parse(after).after } };
      const found = await collection.find(beyond).sort({ _id: 1 }).limit(pageSize).toArray();
      const last = found.length === pageSize ? found.at(-1) : undefined;
      return {
        documents: found.map((document) => EJSON.serialize(document, { relaxed: true })),
        ...(last ? { next: EJSON.stringify({ after: last._id }, { relaxed: false }) } : {}),
      };
    },
    async reset(to) {
      await empty();
      await begin();
      if (to === "demo") await load();
      await changed();
    },
    async snapshots() {
      const files = await readdir(folder).catch(() => []);
      const names = files.filter((file) => file.endsWith(extension)).map((file) => file.slice(0, -extension.length));
      return Promise.all(names.sort().map(describe));
    },
    async save(name) {
      await mkdir(folder, { recursive: true });
      const unfinished = `${fileOf(name)}.tmp`;
      await pipeline(Readable.from(linesOf(contents())), createGzip(), createWriteStream(unfinished));
      await rename(unfinished, fileOf(name));
      return describe(name);
    },
    async restore(name) {
      // Read to its end before anything is removed: a damaged file changes nothing.
      const stored = await readLines(fileOf(name));
      await empty();
      const known = contents();
      for (const [collection, documents] of stored) {
        for (let i = 0; i < documents.length; i += batchSize) {
          await known.get(collection)?.insertMany(documents.slice(i, i + batchSize));
        }
      }
      await begin();
      await changed();
    },
  };
}

async function* linesOf(collections: Map<string, mongo.Collection<Document>>): AsyncGenerator<string> {
  for (const [collection, source] of collections) {
    for await (const document of source.find().sort({ _id: 1 })) {
      yield `${EJSON.stringify({ collection, document }, { relaxed: false })}\n`;
    }
  }
}

async function readLines(file: string): Promise<Map<string, Document[]>> {
  const found = new Map<string, Document[]>();
  const source = createGunzip();
  createReadStream(file)
    .on("error", (error) => source.destroy(error))
    .pipe(source);
  for await (const line of createInterface({ input: source })) {
    const { collection, document } = EJSON.parse(line);
    const documents = found.get(collection) ?? [];
    documents.push(document);
    found.set(collection, documents);
  }
  return found;
}
