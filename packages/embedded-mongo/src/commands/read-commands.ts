import { Long } from "bson";
import { check } from "../errors.js";
import { rootScope } from "../language/expressions.js";
import { integer, toInteger } from "../language/numbers.js";
import { compare, distinctValues } from "../language/ordering.js";
import { leavesAt, splitPath } from "../language/paths.js";
import { compilePipeline } from "../language/pipeline.js";
import { compileProjection, type Project } from "../language/projection.js";
import { Effort, type Prepared, prepare, prepareCount } from "../language/query.js";
import { type Document, isDocument, isNumber } from "../language/values.js";
import type { Plan } from "../store/planner.js";
import { batchSizeOf, Call, type Command, command, fieldReader, required } from "./command.js";

/**
 * Compiles a pipeline and checks every stage, even when the collection does not exist. A leading `$match`, with a
 * `$sort` and `$limit` behind it, becomes a query that can use indexes. The other stages process its result.
 */
function openAggregate(call: Call, pipeline: readonly unknown[]) {
  const scope = rootScope();
  const readWith = (effort: Effort) => (name: string, filter: Document) =>
    documentsOf(prepare(call.catalog.find(call.database, name), { filter }), effort);
  check(!isNumber(call.body.aggregate), 73, "{aggregate: 1} is not valid for this pipeline: it needs a collection.");
  const remaining = pipeline.filter(isDocument);
  const take = (stage: string) => (remaining[0]?.[stage] ? (remaining.shift()?.[stage] as Document) : undefined);
  const [filter, sort] = [take("$match"), take("$sort")];
  const limit = (sort && toInteger(remaining[0]?.$limit)) ?? 0;
  const leading = pipeline.slice(0, pipeline.length - remaining.length);
  compilePipeline(leading, { scope, read: readWith(call.effort) });
  const stages = remaining.map((stage) => {
    const effort = new Effort(undefined, call.effort);
    return { stage, effort, run: compilePipeline([stage], { scope, read: readWith(effort) }) };
  });
  const counts = Object.keys(filter ?? {}).length === 0 && sort === undefined && onlyCounts(remaining);
  const query = counts ? prepareCount(call.collection) : prepare(call.collection, { filter, sort, limit });
  const results = stages.reduce<Iterable<Document>>((input, { run }) => run(input), documentsOf(query, call.effort));
  return { query, stages, results };
}

/** True when the stages count documents and read no field, as those of `countDocuments`. */
function onlyCounts(stages: readonly Document[]): boolean {
  const stage = stages.find(({ $skip, $limit }) => $skip === undefined && $limit === undefined);
  const readsField = /[:[,]"\$/.test(JSON.stringify(stage?.$group ?? "") ?? "");
  return stage?.$count !== undefined || (stage?.$group !== undefined && !readsField);
}

function* documentsOf(query: Prepared, effort: Effort, project: Project = (document) => document) {
  for (const { document } of query.run(effort)) yield project(document);
}

/** Creates the function that projects a document of find or findAndModify. */
export function projectionOf(spec: Document = {}): Project | undefined {
  return Object.keys(spec).length > 0 ? compileProjection(spec, rootScope(), true) : undefined;
}

function cursorId(id: unknown): bigint {
  check(id instanceof Long, 14, "a cursor id must be a long");
  return id.toBigInt();
}

const EXPLAINED = /^(find|aggregate|count|distinct|update|delete|findAndModify)$/;
const readExplained = fieldReader({ object: "filter sort", count: "skip limit", any: "hint" });

/**
 * Returns the query that explain describes: the command's own, or the filter of its first write. A pipeline has more
 * stages.
 */
function queryToExplain(call: Call): { query: Prepared } & Partial<ReturnType<typeof openAggregate>> {
  const { command: name, body } = call;
  check(EXPLAINED.test(name), 59, `Explain failed due to unknown command: ${name}`);
  if (Array.isArray(body.pipeline)) return openAggregate(call, body.pipeline);
  // Without a filter the storage counts the documents and examines none.
  if (name === "count" && Object.keys(body.query ?? {}).length === 0) return { query: prepareCount(call.collection) };
  const [write = {}] = [body.updates, body.deletes].flat().filter(isDocument);
  const { filter = write.q ?? body.query, sort, skip, limit, hint } = body;
  const distinct = name === "distinct" ? { distinct: String(body.key) } : {};
  return {
    query: prepare(call.collection, { ...readExplained({ filter, sort, skip, limit, hint }, name), ...distinct }),
  };
}

function describePlan({ stage, index, branches, reverse }: Plan): Document {
  if (stage === "OR") return { stage: "FETCH", inputStage: { stage, inputStages: branches.map(describePlan) } };
  if (index === undefined) return { stage };
  const { name: indexName, spec, multikey: isMultiKey } = index;
  const direction = reverse ? "backward" : "forward";
  return { stage: "FETCH", inputStage: { stage, keyPattern: spec.key, indexName, isMultiKey, direction } };
}

/** Handles queries and their cursors. */
export const READ_COMMANDS: Readonly<Record<string, Command>> = {
  find: command(
    { object: "filter sort projection", count: "skip limit batchSize", bool: "singleBatch", any: "hint" },
    (call, { projection, batchSize, singleBatch, ...asked }) => {
      const query = prepare(call.collection, asked);
      const documents = documentsOf(query, call.effort, projectionOf(projection));
      return call.startCursor(documents, query.stores, batchSize, singleBatch);
    },
  ),
  getMore: command({ text: "collection", count: "batchSize" }, (call, { collection, batchSize }) => {
    const name = required(collection, "getMore.collection");
    const { stores = [] } = call.catalog.find(call.database, name) ?? {};
    const namespace = `${call.database}.${name}`;
    return call.cursors.next(cursorId(call.body.getMore), namespace, stores, batchSize || undefined, call.view);
  }),
  killCursors: command({ array: "cursors" }, (call, { cursors: ids = [] }) => {
    const cursorsKilled = ids.filter((id) => call.cursors.kill(cursorId(id)));
    const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
    return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
  }),
  aggregate: command({ array: "pipeline", object: "cursor" }, (call, { pipeline, cursor }) => {
    const { query, results } = openAggregate(call, required(pipeline, "pipeline"));
    check(cursor !== undefined, 9, "The 'cursor' option is required, except for aggregate with explain");
    return call.startCursor(results, query.stores, batchSizeOf(cursor));
  }),
  count: command({ object: "query", count: "skip limit" }, (call, { query: filter = {}, skip = 0, limit = 0 }) => {
    const query = prepare(call.collection, { filter, skip, limit });
    if (Object.keys(filter).length > 0) return { n: integer([...query.run(call.effort)].length) };
    const all = call.collection?.count() ?? 0;
    return { n: integer(Math.min(Math.max(0, all - skip), limit || all)) };
  }),
  distinct: command({ text: "key", object: "query" }, (call, { key = "", query: filter }) => {
    check(key !== "" && !key.includes("\0"), 14, "BSON field 'distinct.key' must be a non-empty string");
    const values: unknown[] = [];
    for (const { document } of prepare(call.collection, { filter, distinct: key }).run(call.effort)) {
      values.push(...leavesAt(document, splitPath(key)).filter((value) => value !== undefined));
    }
    return { values: distinctValues(values).sort(compare) };
  }),
  /** Explains a query or a write. It always plans the query and counts its matches, and writes nothing. */
  explain: command({ object: "explain", text: "verbosity" }, (call, { verbosity = "allPlansExecution" }) => {
    const command = required(call.body.explain, "explain") as Document;
    check(/^(queryPlanner|executionStats|allPlansExecution)$/.test(verbosity), 9, "there is no such verbosity");
    const inner = new Call(call.server, { ...command, $db: call.database }, call.connection);
    const { query, stages = [], results } = queryToExplain(inner);
    const { plan, blocking, run } = query;
    const winningPlan = blocking ? { stage: "SORT", inputStage: describePlan(plan) } : describePlan(plan);
    const queryPlanner = { namespace: inner.namespace, winningPlan };
    const nReturned = [...run(inner.effort)].length;
    const { keysExamined: totalKeysExamined, docsExamined: totalDocsExamined } = inner.effort;
    const executionStats = { executionSuccess: true, nReturned, totalKeysExamined, totalDocsExamined };
    // The whole pipeline shows what its stages read of other collections.
    for (const _ of results ?? []);
    const joined = stages.map(({ stage, effort }) => {
      return { ...stage, totalKeysExamined: effort.keysExamined, totalDocsExamined: effort.docsExamined };
    });
    return { explainVersion: "1", queryPlanner, executionStats, ...(joined.length > 0 && { stages: joined }), command };
  }),
};
