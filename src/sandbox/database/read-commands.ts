import { Int32 } from "bson";
import { openAggregate } from "./aggregate.js";
import * as field from "./command-fields.js";
import { type Call, type Command, collectionName, command, hintOf, scopeOf } from "./command-fields.js";
import { check } from "./errors.js";
import type { Scope } from "./expressions.js";
import { compileFilter } from "./matcher.js";
import { integer, toInteger } from "./numbers.js";
import { compare, distinctValues } from "./ordering.js";
import { reach, splitPath } from "./paths.js";
import { compileProjection, type Project } from "./projection.js";
import { type Found, orderOf, prepare } from "./query.js";
import { type Document, encode, fieldsOf, isNumber } from "./values.js";

const { anything, array, collation, count, flag, object, text } = field;
const UNSERVED = field.refused("min max returnKey showRecordId tailable awaitData oplogReplay");
const ALLOWED = {
  allowDiskUse: anything,
  allowPartialResults: anything,
  bypassDocumentValidation: anything,
  hint: anything,
  collation,
};
const PAGED = { skip: count, limit: count, batchSize: count, singleBatch: flag, noCursorTimeout: flag };
const FIND = { ...UNSERVED, ...ALLOWED, ...PAGED, filter: object, sort: object, projection: object, let: object };

interface QueryFields {
  filter?: Document | undefined;
  sort?: Document | undefined;
  skip?: number | undefined;
  limit?: number | undefined;
}

/** Compiles a command's query, whether or not its collection is there; if not, there is nothing to run. */
export function openQuery(call: Call, { filter: given = {}, sort: order, skip, limit }: QueryFields) {
  const filter = compileFilter(given, scopeOf(call.body));
  const [sort, hint] = [orderOf(order), hintOf(call.body)];
  const collection = call.catalog.find(call.database, collectionName(call.body));
  return collection && prepare(collection, { filter, sort, skip, limit, hint });
}

/** What a projection of find or findAndModify makes of a document. */
export function projectionOf(spec: Document = {}, scope: Scope): Project | undefined {
  return Object.keys(spec).length > 0 ? compileProjection(spec, scope, true) : undefined;
}

function* encoded(found: Iterable<Found>, project: Project | undefined): Generator<Buffer> {
  for (const { document, bytes } of found) {
    yield project === undefined ? bytes : encode(project(document));
  }
}

function cursorId(id: unknown): bigint {
  check(isNumber(id), 14, "a cursor id must be a long");
  return BigInt(id.toString());
}

/** Queries and their cursors. */
export const READ_COMMANDS: Readonly<Record<string, Command>> = {
  find: command(FIND, (call, { projection, batchSize, singleBatch, noCursorTimeout: noTimeout, ...query }) => {
    const { cursors, database, body, effort } = call;
    const project = projectionOf(projection, scopeOf(body));
    const documents = encoded(openQuery(call, query)?.run(effort) ?? [], project);
    const namespace = `${database}.${collectionName(body)}`;
    return cursors.start({ namespace, documents, effort, noTimeout }, batchSize, singleBatch);
  }),

  getMore: command({ collection: text, batchSize: count }, ({ body, database, cursors }, { collection, batchSize }) => {
    check(collection !== undefined, 40414, "BSON field 'getMore.collection' is missing but a required field");
    return cursors.next(cursorId(body.getMore), `${database}.${collection}`, batchSize || undefined);
  }),

  killCursors: command({ cursors: array }, ({ cursors }, { cursors: ids = [] }) => {
    const cursorsKilled = ids.filter((id) => cursors.kill(cursorId(id)));
    const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
    return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
  }),

  aggregate: command({ ...ALLOWED, pipeline: array, cursor: object, let: object }, (call, { cursor }) => {
    const { namespace, open } = openAggregate(call);
    check(cursor !== undefined, 9, "The 'cursor' option is required, except for aggregate with the explain argument");
    const { batchSize } = field.readFields({ batchSize: count }, fieldsOf(cursor), "cursor");
    return call.cursors.start({ namespace, documents: open(call.effort), effort: call.effort }, batchSize);
  }),

  count: command(
    { query: object, limit: anything, skip: count, hint: anything, collation, fields: anything, let: object },
    (call, { query = {}, skip = 0, limit: most = new Int32(0) }) => {
      const limit = Math.abs(toInteger(most) ?? 0);
      const prepared = openQuery(call, { filter: query, skip, limit });
      if (Object.keys(query).length > 0) return { n: integer([...(prepared?.run(call.effort) ?? [])].length) };
      const all = call.catalog.find(call.database, collectionName(call.body))?.count() ?? 0;
      return { n: integer(Math.min(Math.max(0, all - skip), limit || all)) };
    },
  ),

  distinct: command({ key: text, query: object, collation, hint: anything }, (call, { key = "", query }) => {
    check(key !== "" && !key.includes("\0"), 14, "BSON field 'distinct.key' must be a non-empty string");
    const values: unknown[] = [];
    for (const { document } of openQuery(call, { filter: query })?.run(call.effort) ?? []) {
      reach(document, splitPath(key), (value, element) => {
        if (value !== undefined && (element || !Array.isArray(value))) values.push(value);
        return false;
      });
    }
    return { values: distinctValues(values).sort(compare) };
  }),
};
