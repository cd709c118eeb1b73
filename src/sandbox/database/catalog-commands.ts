import { Binary, Int32, Long } from "bson";
import type { Collection, Index } from "./collection.js";
import { arrayField, collectionName, countField, documentField, flagField } from "./command-fields.js";
import type { Call, Command } from "./commands.js";
import { DatabaseError, notSupported } from "./errors.js";
import { rootScope } from "./expressions.js";
import { compileFilter } from "./matcher.js";
import { toNumber } from "./numbers.js";
import { equal } from "./ordering.js";
import { Effort } from "./query.js";
import { type Document, encode, isDocument, isNumber } from "./values.js";

const notFound = (call: Call, name: string) => new DatabaseError(26, `ns does not exist: ${call.database}.${name}`);

function existing(call: Call): Collection {
  const name = collectionName(call.body);
  const collection = call.catalog.find(call.database, name);
  if (collection === undefined) {
    throw notFound(call, name);
  }
  return collection;
}

async function create(call: Call): Promise<Document> {
  const name = collectionName(call.body);
  const refused = [
    "capped",
    "timeseries",
    "viewOn",
    "validator",
    "expireAfterSeconds",
    "clusteredIndex",
    "encryptedFields",
  ].find((option) => call.body[option] !== undefined && call.body[option] !== false);
  if (refused !== undefined) {
    throw notSupported(`the collection option ${refused}`);
  }
  await call.catalog.write(() => {
    if (call.catalog.find(call.database, name) !== undefined) {
      throw new DatabaseError(48, `Collection ${call.database}.${name} already exists.`);
    }
    call.catalog.create(call.database, name);
  });
  return {};
}

async function drop(call: Call): Promise<Document> {
  const collection = existing(call);
  const nIndexesWas = new Int32(collection.indexes.length);
  await call.catalog.write(() => call.catalog.drop(call.database, collection.name));
  return { nIndexesWas, ns: collection.namespace };
}

async function dropDatabase(call: Call): Promise<Document> {
  const collections = call.catalog.collections(call.database);
  if (collections.length === 0) {
    return {};
  }
  await call.catalog.write(() => collections.map(({ name }) => call.catalog.drop(call.database, name)));
  return { dropped: call.database };
}

async function renameCollection(call: Call): Promise<Document> {
  const { renameCollection: from, to } = call.body;
  const [source, target] = [from, to].map((value) => {
    const dot = typeof value === "string" ? value.indexOf(".") : -1;
    if (typeof value !== "string" || dot < 1) {
      throw new DatabaseError(73, `Invalid namespace specified '${String(value)}'`);
    }
    return { database: value.slice(0, dot), name: value.slice(dot + 1) };
  });
  await call.catalog.write(() => {
    const collection = source && call.catalog.find(source.database, source.name);
    if (collection === undefined || target === undefined) {
      throw new DatabaseError(26, `Source collection ${String(from)} does not exist`);
    }
    if (call.catalog.find(target.database, target.name) !== undefined) {
      if (!flagField(call.body, "dropTarget")) {
        throw new DatabaseError(48, "target namespace exists");
      }
      call.catalog.drop(target.database, target.name);
    }
    call.catalog.rename(collection, target.database, target.name);
  });
  return {};
}

/** A reply with all documents in one batch; catalogs are small. */
function listing(call: Call, namespace: string, documents: Document[]): Buffer {
  const results = { namespace, documents: documents.map(encode).values(), effort: new Effort(), noTimeout: false };
  const cursor = documentField(call.body, "cursor") ?? {};
  return call.cursors.start(results, countField(cursor, "batchSize"), false);
}

function listCollections(call: Call): Buffer {
  const filter = compileFilter(documentField(call.body, "filter") ?? {}, rootScope());
  const nameOnly = flagField(call.body, "nameOnly");
  const listed = call.catalog.collections(call.database).map(({ name, uuid, namespace }) => ({
    name,
    type: "collection",
    ...(!nameOnly && {
      options: {},
      info: { readOnly: false, uuid: new Binary(uuid, Binary.SUBTYPE_UUID) },
      idIndex: { v: new Int32(2), key: { _id: new Int32(1) }, name: "_id_", ns: namespace },
    }),
  }));
  return listing(
    call,
    `${call.database}.$cmd.listCollections`,
    listed.filter((document) => filter.test(document)),
  );
}

function listDatabases(call: Call): Document {
  const filter = compileFilter(documentField(call.body, "filter") ?? {}, rootScope());
  const databases = call.catalog
    .databaseNames()
    .map(
      (name): Document =>
        flagField(call.body, "nameOnly") ? { name } : { name, sizeOnDisk: Long.fromNumber(4096), empty: false },
    )
    .filter((document) => filter.test(document));
  return flagField(call.body, "nameOnly")
    ? { databases }
    : { databases, totalSize: Long.fromNumber(databases.length * 4096) };
}

async function createIndexes(call: Call): Promise<Document> {
  const name = collectionName(call.body);
  const specs = arrayField(call.body, "indexes");
  if (specs.length === 0) {
    throw new DatabaseError(2, "Must specify at least one index to create");
  }
  return await call.catalog.write(() => {
    const createdCollectionAutomatically = call.catalog.find(call.database, name) === undefined;
    const collection = call.catalog.find(call.database, name);
    const before = collection?.indexes.length ?? 1;
    const target = collection ?? call.catalog.create(call.database, name);
    try {
      call.catalog.createIndexes(target, specs);
    } catch (error) {
      if (createdCollectionAutomatically) {
        call.catalog.forget(target);
      }
      throw error;
    }
    const after = target.indexes.length;
    return {
      numIndexesBefore: new Int32(before),
      numIndexesAfter: new Int32(after),
      createdCollectionAutomatically,
      ...(before === after && { note: "all indexes already exist" }),
    };
  });
}

async function dropIndexes(call: Call): Promise<Document> {
  const collection = existing(call);
  const nIndexesWas = new Int32(collection.indexes.length);
  const { index: wanted } = call.body;
  await call.catalog.write(() => {
    for (const index of named(collection, wanted)) {
      call.catalog.dropIndex(collection, index);
    }
  });
  return { nIndexesWas };
}

function named(collection: Collection, wanted: unknown): Index[] {
  if (wanted === "*") {
    return collection.indexes.filter(({ name }) => name !== "_id_");
  }
  return (Array.isArray(wanted) ? wanted : [wanted]).map((one) => {
    const found = collection.indexes.find(({ name, spec }) => (isDocument(one) ? equal(spec.key, one) : name === one));
    if (found === undefined) {
      throw new DatabaseError(27, `index not found with name [${isDocument(one) ? JSON.stringify(one) : String(one)}]`);
    }
    if (found.name === "_id_") {
      throw new DatabaseError(72, "cannot drop _id index");
    }
    return found;
  });
}

function listIndexes(call: Call): Buffer {
  const collection = existing(call);
  return listing(
    call,
    collection.namespace,
    collection.indexes.map(({ spec }) => spec),
  );
}

/** Only the two changes an index can take: `expireAfterSeconds` and `hidden`. */
async function collMod(call: Call): Promise<Document> {
  const collection = existing(call);
  const change = documentField(call.body, "index");
  if (change === undefined) {
    return {};
  }
  const { name, keyPattern, expireAfterSeconds, hidden } = change;
  const [index] = named(collection, name ?? keyPattern);
  if (index === undefined || (expireAfterSeconds === undefined && hidden === undefined)) {
    throw new DatabaseError(72, "no expireAfterSeconds or hidden field");
  }
  if (expireAfterSeconds !== undefined && !(isNumber(expireAfterSeconds) && toNumber(expireAfterSeconds) >= 0)) {
    throw new DatabaseError(14, "expireAfterSeconds must be a number of at least 0");
  }
  const changes = Object.fromEntries(
    Object.entries({ expireAfterSeconds, hidden }).filter(([, value]) => value !== undefined),
  );
  await call.catalog.write(() => call.catalog.changeIndex(collection, index, changes));
  return {};
}

function collStats(call: Call): Document {
  const name = collectionName(call.body);
  const collection = call.catalog.find(call.database, name);
  return {
    ns: `${call.database}.${name}`,
    count: new Int32(collection?.count() ?? 0),
    nindexes: new Int32(collection?.indexes.length ?? 0),
  };
}

function dbStats(call: Call): Document {
  const collections = call.catalog.collections(call.database);
  return {
    db: call.database,
    collections: new Int32(collections.length),
    objects: Long.fromNumber(collections.reduce((sum, collection) => sum + collection.count(), 0)),
    indexes: new Int32(collections.reduce((sum, { indexes }) => sum + indexes.length, 0)),
  };
}

/** Collections, databases and indexes: making, dropping, listing. */
export const CATALOG_COMMANDS: readonly [string, Command][] = [
  ["create", { run: create }],
  ["drop", { run: drop, fields: [] }],
  ["dropDatabase", { run: dropDatabase, fields: [] }],
  ["renameCollection", { run: renameCollection, fields: ["to", "dropTarget"] }],
  ["listCollections", { run: listCollections, fields: ["filter", "nameOnly", "authorizedCollections", "cursor"] }],
  ["listDatabases", { run: listDatabases, fields: ["filter", "nameOnly", "authorizedDatabases"] }],
  ["createIndexes", { run: createIndexes, fields: ["indexes", "commitQuorum", "ignoreUnknownIndexOptions"] }],
  ["dropIndexes", { run: dropIndexes, fields: ["index"] }],
  ["listIndexes", { run: listIndexes, fields: ["cursor"] }],
  ["collMod", { run: collMod, fields: ["index"] }],
  ["collStats", { run: collStats, fields: ["scale"] }],
  ["dbStats", { run: dbStats, fields: ["scale", "freeStorage"] }],
];
