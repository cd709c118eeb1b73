import { Int32 } from "bson";
import { distinctValues } from "./accumulators.js";
import { openAggregate } from "./aggregate.js";
import type { Collection } from "./collection.js";
import {
  arrayField,
  collectionName,
  countField,
  documentField,
  flagField,
  hintOf,
  scopeOf,
  sortField,
} from "./command-fields.js";
import type { Call, Command } from "./commands.js";
import { DatabaseError, notSupported } from "./errors.js";
import { explain } from "./explain.js";
import { compileFilter } from "./matcher.js";
import { integer, toInteger } from "./numbers.js";
import { compare } from "./ordering.js";
import { reach, splitPath } from "./paths.js";
import { compileProjection } from "./projection.js";
import { type Effort, type Prepared, prepare } from "./query.js";
import { type Document, encode, isNumber } from "./values.js";

const UNSERVED = ["min", "max", "returnKey", "showRecordId", "tailable", "awaitData"];

/** A find on a collection that may not be there. */
export interface Find {
  namespace: string;
  prepared: Prepared | undefined;
  open: (effort: Effort) => Iterator<Buffer>;
}

/** Compiles everything a find says, whether or not there is anything to find. */
export function openFind(collection: Collection | undefined, namespace: string, body: Document): Find {
  const unserved = UNSERVED.find((name) => body[name] !== undefined && body[name] !== false);
  if (unserved !== undefined) {
    throw notSupported(`the find option ${unserved}`);
  }
  const scope = scopeOf(body);
  const filter = compileFilter(documentField(body, "filter") ?? {}, scope);
  const [sort, skip, limit] = [sortField(body), countField(body, "skip"), countField(body, "limit")];
  const spec = documentField(body, "projection");
  const project = spec && Object.keys(spec).length > 0 ? compileProjection(spec, scope, true) : undefined;
  const hint = hintOf(body);
  const prepared = collection && prepare(collection, { filter, sort, skip: skip ?? 0, limit: limit ?? 0, hint });
  return {
    namespace,
    prepared,
    open: function* open(effort) {
      for (const { document, bytes, details } of prepared?.run(effort) ?? []) {
        yield project === undefined ? bytes : encode(project(document, details));
      }
    },
  };
}

function find(call: Call): Buffer {
  const { body, effort } = call;
  const name = collectionName(body);
  const found = openFind(call.catalog.find(call.database, name), `${call.database}.${name}`, body);
  const results = {
    namespace: found.namespace,
    documents: found.open(effort),
    effort,
    noTimeout: flagField(body, "noCursorTimeout"),
  };
  return call.cursors.start(results, countField(body, "batchSize"), flagField(body, "singleBatch"));
}

function getMore({ body, database, cursors }: Call): Buffer {
  const { collection } = body;
  const id = body.getMore;
  if (!isNumber(id) || typeof collection !== "string") {
    throw new DatabaseError(14, "getMore needs a cursor id and a collection name");
  }
  return cursors.next(BigInt(id.toString()), `${database}.${collection}`, countField(body, "batchSize") || undefined);
}

function killCursors({ body, cursors }: Call): Document {
  const killed: unknown[] = [];
  const missing: unknown[] = [];
  for (const id of arrayField(body, "cursors")) {
    (isNumber(id) && cursors.kill(BigInt(id.toString())) ? killed : missing).push(id);
  }
  return { cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [] };
}

function aggregate(call: Call): Buffer {
  const { body, effort } = call;
  const cursor = documentField(body, "cursor");
  const opened = openAggregate(call);
  if (cursor === undefined) {
    throw new DatabaseError(9, "The 'cursor' option is required, except for aggregate with the explain argument");
  }
  const results = { namespace: opened.namespace, documents: opened.open(effort), effort, noTimeout: false };
  return call.cursors.start(results, countField(cursor, "batchSize"), false);
}

function count(call: Call): Document {
  const { body, effort } = call;
  const collection = call.catalog.find(call.database, collectionName(body));
  const query = documentField(body, "query") ?? {};
  const filter = compileFilter(query, scopeOf(body));
  const [skip, limit] = [countField(body, "skip") ?? 0, Math.abs(toInteger(body.limit ?? new Int32(0)) ?? 0)];
  if (collection === undefined) {
    return { n: new Int32(0) };
  }
  if (Object.keys(query).length === 0) {
    const all = Math.max(0, collection.count() - skip);
    return { n: integer(limit === 0 ? all : Math.min(all, limit)) };
  }
  let n = 0;
  for (const _ of prepare(collection, { filter, skip, limit, hint: hintOf(body) }).run(effort)) {
    n += 1;
  }
  return { n: integer(n) };
}

function distinct(call: Call): Document {
  const { body, effort } = call;
  const { key } = body;
  if (typeof key !== "string" || key.includes("\0")) {
    throw new DatabaseError(14, "BSON field 'distinct.key' must be a string");
  }
  const path = splitPath(key);
  const filter = compileFilter(documentField(body, "query") ?? {}, scopeOf(body));
  const collection = call.catalog.find(call.database, collectionName(body));
  const values: unknown[] = [];
  for (const { document } of collection === undefined ? [] : prepare(collection, { filter }).run(effort)) {
    reach(document, path, (value, element) => {
      if (value !== undefined && (element || !Array.isArray(value))) {
        values.push(value);
      }
      return false;
    });
  }
  return { values: distinctValues(values).sort(compare) };
}

const FIND = [
  "filter",
  "sort",
  "projection",
  "hint",
  "skip",
  "limit",
  "batchSize",
  "singleBatch",
  "max",
  "min",
  "returnKey",
  "showRecordId",
  "tailable",
  "oplogReplay",
  "noCursorTimeout",
  "awaitData",
  "allowPartialResults",
  "collation",
  "allowDiskUse",
  "let",
];

/** Queries and their cursors. */
export const READ_COMMANDS: readonly [string, Command][] = [
  ["find", { run: find, fields: FIND }],
  ["getMore", { run: getMore, fields: ["collection", "batchSize"] }],
  ["killCursors", { run: killCursors, fields: ["cursors"] }],
  [
    "aggregate",
    {
      run: aggregate,
      fields: ["pipeline", "explain", "allowDiskUse", "cursor", "bypassDocumentValidation", "collation", "hint", "let"],
    },
  ],
  ["count", { run: count, fields: ["query", "limit", "skip", "hint", "collation", "fields"] }],
  ["distinct", { run: distinct, fields: ["key", "query", "collation", "hint"] }],
  ["explain", { run: explain, fields: ["verbosity"] }],
];
