import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import mongoose, { type mongo } from "mongoose";
import type { Deps } from "../../src/deps.js";
import { touchCatalog } from "../../src/models/courses/catalog-revision.js";
import { makeUnrenderedDue } from "../../src/models/courses/course-queries.js";
import { allCollections } from "../../src/models/index.js";
import { giveSlugs } from "../../src/services/migrations/migrations.js";
import { useMediaAddress } from "./media-address.js";

const { EJSON } = mongoose.mongo.BSON;
type Document = mongo.BSON.Document;

const pageDocuments = 20;
const batchDocuments = 500;
const extension = ".jsonl.gz";

interface Snapshot {
  name: string;
  bytes: number;
  savedAt: string;
}

/** Lets the development console browse, reset, save and restore the database. */
export interface DatabaseTools {
  collections(): Promise<{ name: string; documents: number }[]>;
  documents(collection: string, after?: string): Promise<{ documents: unknown[]; next?: string }>;
  reset(to: "empty" | "demo"): Promise<void>;
  snapshots(): Promise<Snapshot[]>;
  save(name: string): Promise<Snapshot>;
  restore(name: string): Promise<void>;
}

/**
 * @param folder holds the snapshots. A snapshot has one line of JSON for each document.
 * @param prepare creates the indexes and the initial documents of an empty database.
 * @param load loads the demo data.
 */
export function createDatabaseTools(
  deps: Deps,
  folder: string,
  { prepare, load }: { prepare(): Promise<void>; load(): Promise<void> },
): DatabaseTools {
  const { db } = deps;
  const collections = () => new Map([...allCollections(db)].sort(([left], [right]) => (left < right ? -1 : 1)));
  /** Leaves out leases, which running instances hold. */
  const contents = (): Map<string, mongo.Collection<Document>> => {
    const all = collections();
    all.delete(db.Lease.collection.collectionName);
    return all;
  };
  const empty = async (): Promise<void> => {
    for (const collection of contents().values()) await collection.deleteMany({});
  };
  /** Makes every instance read the catalog again. */
  const invalidateCatalog = () => db.transaction((session) => touchCatalog(db, session));
  const mediaEmulator = new URL(deps.config.cloudinaryUrl).searchParams.get("upload_prefix");
  const snapshotFile = (name: string): string => join(folder, name + extension);
  const describe = async (name: string): Promise<Snapshot> => {
    const { size, mtime } = await stat(snapshotFile(name));
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
      const found = await collection.find(beyond).sort({ _id: 1 }).limit(pageDocuments).toArray();
      const last = found.length === pageDocuments ? found.at(-1) : undefined;
      return {
        documents: found.map((document) => EJSON.serialize(document, { relaxed: true })),
        ...(last ? { next: EJSON.stringify({ after: last._id }, { relaxed: false }) } : {}),
      };
    },
    async reset(to) {
      await empty();
      await prepare();
      if (to === "demo") await load();
      await invalidateCatalog();
    },
    async snapshots() {
      const files = await readdir(folder).catch(() => []);
      const names = files.filter((file) => file.endsWith(extension)).map((file) => file.slice(0, -extension.length));
      return Promise.all(names.sort().map(describe));
    },
    async save(name) {
      await mkdir(folder, { recursive: true });
      const unfinished = `${snapshotFile(name)}.tmp`;
      await pipeline(Readable.from(toLines(contents())), createGzip(), createWriteStream(unfinished));
      await rename(unfinished, snapshotFile(name));
      return describe(name);
    },
    async restore(name) {
      // Read the whole file before the deletion, so that a damaged file changes nothing.
      const stored = await readLines(snapshotFile(name), mediaEmulator);
      await empty();
      const known = contents();
      for (const [collection, documents] of stored) {
        for (let i = 0; i < documents.length; i += batchDocuments) {
          await known.get(collection)?.insertMany(documents.slice(i, i + batchDocuments));
        }
      }
      await prepare();
      await makeUnrenderedDue(db);
      await giveSlugs(db);
      db.jobWakeups.emit("Course");
      await invalidateCatalog();
    },
  };
}

async function* toLines(collections: Map<string, mongo.Collection<Document>>): AsyncGenerator<string> {
  for (const [collection, source] of collections) {
    for await (const document of source.find().sort({ _id: 1 })) {
      yield `${EJSON.stringify({ collection, document }, { relaxed: false })}\n`;
    }
  }
}

/** @param mediaEmulator its present address, because the snapshot may name another port; null for another storage. */
async function readLines(file: string, mediaEmulator: string | null): Promise<Map<string, Document[]>> {
  const found = new Map<string, Document[]>();
  const source = createGunzip();
  createReadStream(file)
    .on("error", (error) => source.destroy(error))
    .pipe(source);
  for await (const line of createInterface({ input: source })) {
    const current = mediaEmulator === null ? line : useMediaAddress(line, mediaEmulator);
    const { collection, document } = EJSON.parse(current);
    const documents = found.get(collection) ?? [];
    documents.push(document);
    found.set(collection, documents);
  }
  return found;
}
