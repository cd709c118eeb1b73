import { check, notSupported } from "../errors.js";
import { compileFilter } from "../language/matcher.js";
import type { Collection } from "../store/catalog.js";
import { batchSizeOf, type Call, type Command, checkDatabaseName, command, required, writing } from "./command.js";

/** Finds a collection. @throws DatabaseError 26 when it does not exist. */
function requireCollection({ collection, namespace }: Call): Collection {
  check(collection !== undefined, 26, `ns does not exist: ${namespace}`);
  return collection;
}

/** Handles the commands that create, drop and list collections, databases and indexes. */
export const CATALOG_COMMANDS: Readonly<Record<string, Command>> = {
  /** Does nothing when the collection exists. */
  create: writing({ any: "idIndex" }, (call) => {
    call.catalog.findOrCreate(call.database, call.name);
    return {};
  }),
  /** Does nothing when there is no such collection. */
  drop: writing({}, ({ catalog, collection }) => {
    if (collection === undefined) return {};
    catalog.drop(collection);
    return { nIndexesWas: collection.indexes.length, ns: collection.namespace };
  }),
  dropDatabase: writing({}, ({ catalog, database }) => {
    const collections = catalog.collections(database);
    for (const collection of collections) catalog.drop(collection);
    return collections.length > 0 ? { dropped: database } : {};
  }),
  /** Copies a database within this server, as MongoDB did until 4.2. */
  copydb: writing({ text: "fromdb todb" }, ({ catalog, database }, { fromdb, todb }) => {
    check(database === "admin", 13, "copydb may only be run against the admin database.");
    const [from, to] = [required(fromdb, "copydb.fromdb"), required(todb, "copydb.todb")];
    checkDatabaseName(to);
    check(from !== to, 72, "a database cannot be copied into itself");
    catalog.copyDatabase(from, to);
    return {};
  }),
  listCollections: command({ object: "filter cursor", bool: "nameOnly" }, (call, { filter = {}, nameOnly, cursor }) => {
    const listed = call.catalog.collections(call.database).map(({ definition: { name }, indexes }) => {
      const more = { options: {}, info: { readOnly: false }, idIndex: indexes[0]?.spec };
      return { name, type: "collection", ...(!nameOnly && more) };
    });
    const { test } = compileFilter(filter);
    const passing = listed.filter((one) => test(one));
    const namespace = `${call.database}.$cmd.listCollections`;
    const { effort } = call;
    return call.cursors.start({ namespace, documents: passing.values(), effort, stores: [] }, batchSizeOf(cursor));
  }),
  listDatabases: command({ bool: "nameOnly" }, ({ catalog }, { nameOnly }) => {
    const names = new Set(catalog.collections().map(({ definition }) => definition.database));
    const databases = [...names].sort().map((name) => ({ name, ...(!nameOnly && { sizeOnDisk: 4096, empty: false }) }));
    return { databases, ...(!nameOnly && { totalSize: databases.length * 4096 }) };
  }),
  createIndexes: writing({ array: "indexes", any: "commitQuorum" }, (call, { indexes: specs }) => {
    check(required(specs, "indexes").length > 0, 2, "Must specify at least one index to create");
    const createdCollectionAutomatically = call.collection === undefined;
    const collection = call.catalog.findOrCreate(call.database, call.name);
    const numIndexesBefore = collection.indexes.length;
    call.catalog.createIndexes(collection, specs ?? []);
    return { numIndexesBefore, numIndexesAfter: collection.indexes.length, createdCollectionAutomatically };
  }),
  dropIndexes: writing({ any: "index" }, (call, { index }) => {
    const collection = requireCollection(call);
    const wanted = required(index, "dropIndexes.index");
    if (typeof wanted !== "string") throw notSupported("dropping indexes by their keys, or several at once");
    check(wanted !== "_id_", 72, "cannot drop _id index");
    const dropped = collection.indexes.filter(({ name }) => name !== "_id_" && (wanted === "*" || name === wanted));
    check(wanted === "*" || dropped.length > 0, 27, `index not found with name [${wanted}]`);
    const nIndexesWas = collection.indexes.length;
    call.catalog.dropIndexes(collection, dropped);
    return { nIndexesWas };
  }),
  listIndexes: command({ object: "cursor" }, (call, { cursor }) => {
    const specs = requireCollection(call).indexes.map(({ spec }) => spec);
    return call.startCursor(specs, [], batchSizeOf(cursor));
  }),
};
