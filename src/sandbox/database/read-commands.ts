import { Int32 } from "bson";
import { openAggregate } from "./aggregate.js";
import { type Call, type Command, command } from "./call.js";
import { check } from "./errors.js";
import type { Scope } from "./expressions.js";
import { required } from "./fields.js";
import { compileFilter } from "./matcher.js";
import { integer, toInteger } from "./numbers.js";
import { compare, distinctValues } from "./ordering.js";
import { reach, splitPath } from "./paths.js";
import { compileProjection, type Project } from "./projection.js";
import { orderOf, type Prepared, prepare } from "./query.js";
import { type Document, encode, isNumber } from "./values.js";

interface Asked {
  filter?: Document | undefined;
  sort?: Document | undefined;
  skip?: number | undefined;
  limit?: number | undefined;
  hint?: unknown;
}

/** Compiles what a command looks for; `$natural` as a sort amounts to a hint. */
export function openQuery(call: Call, { filter = {}, sort = {}, hint, ...page }: Asked, scope = call.scope): Prepared {
  const order = Object.hasOwn(sort, "$natural") ? { hint: sort } : { hint, sort: orderOf(sort) };
  return prepare(call.collection, { filter: compileFilter(filter, scope), ...order, ...page });
}

/** What a projection of find or findAndModify makes of a document. */
export function projectionOf(spec: Document = {}, scope: Scope): Project | undefined {
  return Object.keys(spec).length > 0 ? compileProjection(spec, scope, true) : undefined;
}

function* encoded(query: Prepared, { effort }: Call, project: Project | undefined): Generator<Buffer> {
  for (const { document, bytes } of query.run(effort)) yield project === undefined ? bytes : encode(project(document));
}

function cursorId(id: unknown): bigint {
  check(isNumber(id), 14, "a cursor id must be a long");
  return BigInt(id.toString());
}

/** Queries and their cursors. */
export const READ_COMMANDS: Readonly<Record<string, Command>> = {
  find: command(
    {
      ...{ object: "filter sort projection let", count: "skip limit batchSize", flag: "singleBatch noCursorTimeout" },
      ...{ any: "hint allowDiskUse allowPartialResults", simple: "collation" },
      refused: "min max returnKey showRecordId tailable awaitData oplogReplay",
    },
    (call, { projection, batchSize, singleBatch, noCursorTimeout: noTimeout, ...asked }) => {
      const { engine, namespace, effort } = call;
      const project = projectionOf(projection, call.scope);
      const documents = encoded(openQuery(call, asked), call, project);
      return engine.cursors.start({ namespace, documents, effort, noTimeout }, batchSize, singleBatch);
    },
  ),

  getMore: command({ text: "collection", count: "batchSize" }, (call, { collection, batchSize }) => {
    const namespace = `${call.database}.${required(collection, "getMore.collection")}`;
    return call.engine.cursors.next(cursorId(call.body.getMore), namespace, batchSize || undefined);
  }),

  killCursors: command({ array: "cursors" }, ({ engine }, { cursors: ids = [] }) => {
    const cursorsKilled = ids.filter((id) => engine.cursors.kill(cursorId(id)));
    const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
    return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
  }),

  aggregate: command(
    {
      ...{ array: "pipeline", object: "cursor let", simple: "collation" },
      any: "hint allowDiskUse bypassDocumentValidation",
    },
    (call, { pipeline, cursor, hint }) => {
      const { run } = openAggregate(call, required(pipeline, "pipeline"), hint);
      check(cursor !== undefined, 9, "The 'cursor' option is required, except for aggregate with explain");
      return call.startCursor(run(), cursor);
    },
  ),

  count: command(
    { object: "query let", any: "limit hint fields", count: "skip", simple: "collation" },
    (call, { query = {}, skip = 0, limit: most = new Int32(0), hint }) => {
      const limit = Math.abs(toInteger(most) ?? 0);
      const prepared = openQuery(call, { filter: query, skip, limit, hint });
      if (Object.keys(query).length > 0) return { n: integer([...prepared.run(call.effort)].length) };
      const all = call.collection?.count() ?? 0;
      return { n: integer(Math.min(Math.max(0, all - skip), limit || all)) };
    },
  ),

  distinct: command(
    { text: "key", object: "query", simple: "collation", any: "hint" },
    (call, { key = "", query, hint }) => {
      check(key !== "" && !key.includes("\0"), 14, "BSON field 'distinct.key' must be a non-empty string");
      const values: unknown[] = [];
      for (const { document } of openQuery(call, { filter: query, hint }).run(call.effort)) {
        reach(document, splitPath(key), (value, element) => {
          if (value !== undefined && (element || !Array.isArray(value))) values.push(value);
          return false;
        });
      }
      return { values: distinctValues(values).sort(compare) };
    },
  ),
};
