import type { Collection } from "./collection.js";
import * as field from "./command-fields.js";
import { type Call, type Command, collectionName, command } from "./command-fields.js";
import { check } from "./errors.js";
import { rootScope } from "./expressions.js";
import type { Index } from "./index-specs.js";
import { compileFilter } from "./matcher.js";
import { equal } from "./ordering.js";
import { type Document, encode, isDocument } from "./values.js";

const { anything, flag, object } = field;

/** The collection named. @throws DatabaseError 26 when there is none. */
function existing({ catalog, database, body }: Call): Collection {
  const name = collectionName(body);
  const collection = catalog.find(database, name);
  check(collection !== undefined, 26, `ns does not exist: ${database}.${name}`);
  return collection;
}

/** A cursor over documents that are there already. */
function listing({ cursors, effort }: Call, namespace: string, documents: readonly Document[], cursor: Document = {}) {
  const { batchSize } = field.readFields({ batchSize: field.count }, Object.entries(cursor), "cursor");
  return cursors.start({ namespace, documents: documents.map(encode).values(), effort }, batchSize);
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

const UNSERVED = field.refused(
  "capped timeseries viewOn pipeline validator expireAfterSeconds clusteredIndex encryptedFields storageEngine",
);
const CREATE = { ...UNSERVED, size: anything, max: anything, idIndex: anything, collation: field.collation };

/** Collections, databases and indexes: making, dropping, listing. */
export const CATALOG_COMMANDS: Readonly<Record<string, Command>> = {
  create: command(CREATE, ({ catalog, database, body }) =>
    catalog.write(() => {
      const name = collectionName(body);
      check(catalog.find(database, name) === undefined, 48, `Collection ${database}.${name} already exists.`);
      catalog.findOrCreate(database, name);
      return {};
    }),
  ),

  drop: command({}, (call) =>
    call.catalog.write(() => {
      const collection = existing(call);
      call.catalog.drop(collection);
      return { nIndexesWas: collection.indexes.length, ns: collection.namespace };
    }),
  ),

  dropDatabase: command({}, ({ catalog, database }) =>
    catalog.write(() => {
      const collections = catalog.collections(database);
      for (const collection of collections) catalog.drop(collection);
      return collections.length > 0 ? { dropped: database } : {};
    }),
  ),

  listCollections: command(
    { filter: object, nameOnly: flag, authorizedCollections: flag, cursor: object },
    (call, { filter, nameOnly, cursor }) => {
      const listed = call.catalog.collections(call.database).map(({ name, uuid, indexes }) => {
        const more = { options: {}, info: { readOnly: false, uuid }, idIndex: indexes[0]?.spec };
        return { name, type: "collection", ...(!nameOnly && more) };
      });
      return listing(call, `${call.database}.$cmd.listCollections`, passing(listed, filter), cursor);
    },
  ),

  listDatabases: command(
    { filter: object, nameOnly: flag, authorizedDatabases: flag },
    ({ catalog }, { filter, nameOnly }) => {
      const more = nameOnly ? {} : { sizeOnDisk: 4096, empty: false };
      const listed = catalog.databaseNames().map((name) => ({ name, ...more }));
      const databases = passing(listed, filter);
      return { databases, ...(!nameOnly && { totalSize: databases.length * 4096 }) };
    },
  ),

  createIndexes: command(
    { indexes: field.array, commitQuorum: anything, ignoreUnknownIndexOptions: anything },
    ({ catalog, database, body }) => {
      const specs = field.arrayField(body, "indexes");
      check(specs.length > 0, 2, "Must specify at least one index to create");
      return catalog.write(() => {
        const createdCollectionAutomatically = catalog.find(database, collectionName(body)) === undefined;
        const collection = catalog.findOrCreate(database, collectionName(body));
        const numIndexesBefore = collection.indexes.length;
        catalog.createIndexes(collection, specs);
        return { numIndexesBefore, numIndexesAfter: collection.indexes.length, createdCollectionAutomatically };
      });
    },
  ),

  dropIndexes: command({ index: anything }, (call, { index }) =>
    call.catalog.write(() => {
      const collection = existing(call);
      const nIndexesWas = collection.indexes.length;
      call.catalog.dropIndexes(collection, named(collection, index));
      return { nIndexesWas };
    }),
  ),

  listIndexes: command({ cursor: object }, (call, { cursor }) => {
    const { namespace, indexes } = existing(call);
    const specs = indexes.map(({ spec }) => spec);
    return listing(call, namespace, specs, cursor);
  }),
};
