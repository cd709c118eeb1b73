import { type Call, type Command, command } from "./call.js";
import type { Collection } from "./collection.js";
import { check } from "./errors.js";
import { rootScope } from "./expressions.js";
import { required } from "./fields.js";
import type { Index } from "./indexes.js";
import { compileFilter } from "./matcher.js";
import { equal } from "./ordering.js";
import { type Document, encode, isDocument } from "./values.js";

/** The collection named. @throws DatabaseError 26 when there is none. */
function existing({ collection, namespace }: Call): Collection {
  check(collection !== undefined, 26, `ns does not exist: ${namespace}`);
  return collection;
}

function passing<T extends Document>(documents: readonly T[], filter: Document = {}): T[] {
  const { test } = compileFilter(filter, rootScope());
  return documents.filter((document) => test(document));
}

/** The indexes that dropIndexes means: `*`, names, or keys. @throws DatabaseError 27 for unknown ones, 72 for `_id_`. */
function named({ indexes }: Collection, wanted: unknown): Index[] {
  if (wanted === "*") return indexes.filter(({ name }) => name !== "_id_");
  return [wanted].flat().map((one) => {
    const found = indexes.find(({ name, spec }) => (isDocument(one) ? equal(spec.key, one) : name === one));
    check(found !== undefined, 27, `index not found with name [${JSON.stringify(one)}]`);
    check(found.name !== "_id_", 72, "cannot drop _id index");
    return found;
  });
}

const UNSERVED =
  "capped timeseries viewOn pipeline validator expireAfterSeconds clusteredIndex encryptedFields storageEngine";

/** Collections, databases and indexes: making, dropping, listing. */
export const CATALOG_COMMANDS: Readonly<Record<string, Command>> = {
  create: command({ any: "size max idIndex", simple: "collation", refused: UNSERVED }, (call) =>
    call.engine.catalog.write(() => {
      check(call.collection === undefined, 48, `Collection ${call.namespace} already exists.`);
      call.ensureCollection();
      return {};
    }),
  ),

  drop: command({}, (call) =>
    call.engine.catalog.write(() => {
      const collection = existing(call);
      call.engine.catalog.drop(collection);
      return { nIndexesWas: collection.indexes.length, ns: collection.namespace };
    }),
  ),

  dropDatabase: command({}, ({ engine: { catalog }, database }) =>
    catalog.write(() => {
      const collections = catalog.collections(database);
      for (const collection of collections) catalog.drop(collection);
      return collections.length > 0 ? { dropped: database } : {};
    }),
  ),

  listCollections: command(
    { object: "filter cursor", flag: "nameOnly authorizedCollections" },
    (call, { filter, nameOnly, cursor }) => {
      const listed = call.engine.catalog.collections(call.database).map(({ name, uuid, indexes }) => {
        const more = { options: {}, info: { readOnly: false, uuid }, idIndex: indexes[0]?.spec };
        return { name, type: "collection", ...(!nameOnly && more) };
      });
      const documents = passing(listed, filter).map(encode).values();
      return call.startCursor(documents, cursor, `${call.database}.$cmd.listCollections`);
    },
  ),

  listDatabases: command(
    { object: "filter", flag: "nameOnly authorizedDatabases" },
    ({ engine: { catalog } }, { filter, nameOnly }) => {
      const names = new Set(catalog.collections().map(({ database }) => database));
      const listed = [...names].sort().map((name) => ({ name, ...(!nameOnly && { sizeOnDisk: 4096, empty: false }) }));
      const databases = passing(listed, filter);
      return { databases, ...(!nameOnly && { totalSize: databases.length * 4096 }) };
    },
  ),

  createIndexes: command(
    { array: "indexes", any: "commitQuorum ignoreUnknownIndexOptions" },
    (call, { indexes: specs }) => {
      check(required(specs, "indexes").length > 0, 2, "Must specify at least one index to create");
      return call.engine.catalog.write(() => {
        const createdCollectionAutomatically = call.collection === undefined;
        const collection = call.ensureCollection();
        const numIndexesBefore = collection.indexes.length;
        call.engine.catalog.createIndexes(collection, specs ?? []);
        return { numIndexesBefore, numIndexesAfter: collection.indexes.length, createdCollectionAutomatically };
      });
    },
  ),

  dropIndexes: command({ any: "index" }, (call, { index }) =>
    call.engine.catalog.write(() => {
      const collection = existing(call);
      const nIndexesWas = collection.indexes.length;
      call.engine.catalog.dropIndexes(collection, named(collection, index));
      return { nIndexesWas };
    }),
  ),

  listIndexes: command({ object: "cursor" }, (call, { cursor }) => {
    const specs = existing(call).indexes.map(({ spec }) => encode(spec));
    return call.startCursor(specs.values(), cursor);
  }),
};
