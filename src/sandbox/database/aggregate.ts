import type { Collection } from "./collection.js";
import { arrayField, type Call, collectionName, hintOf, scopeOf } from "./command-fields.js";
import { DatabaseError } from "./errors.js";
import type { Scope } from "./expressions.js";
import { compileFilter } from "./matcher.js";
import { compilePipeline, type PipelineContext, stageOf } from "./pipeline.js";
import { Effort, type Prepared, prepare } from "./query.js";
import { compileSort } from "./sorting.js";
import { takenAfter } from "./stages.js";
import { type Document, encode, isDocument } from "./values.js";

/** An aggregation, split into what the collection's indexes serve and the stages that remain. */
export interface Aggregation {
  namespace: string;
  prepared: Prepared | undefined;
  remaining: Document[];
  open: (effort: Effort) => Iterator<Buffer>;
}

/** Compiles the `aggregate` of a call; every stage is checked, whether or not the collection is there. */
export function openAggregate({ catalog, database, body }: Call): Aggregation {
  const pipeline = arrayField(body, "pipeline");
  const scope = scopeOf(body);
  const read = (effort: () => Effort) => (name: string, filter: Document, inner: Scope) =>
    documentsOf(catalog.find(database, name), filter, inner, effort());
  let effort = new Effort();
  const context: PipelineContext = { scope, read: read(() => effort), nested: false };
  if (body.aggregate !== undefined && typeof body.aggregate !== "string") {
    return refuseDatabaseLevel(pipeline, context);
  }
  const name = collectionName(body);
  compilePipeline(pipeline, context);
  const { filter, sort, rest } = leading(pipeline);
  const run = compilePipeline(rest, context);
  const collection = catalog.find(database, name);
  const order = sort === undefined ? undefined : compileSort(sort);
  const taken = sort === undefined ? 0 : takenAfter(rest);
  const limit = Number.isFinite(taken) ? taken : 0;
  const prepared =
    collection && prepare(collection, { filter: compileFilter(filter, scope), sort: order, limit, hint: hintOf(body) });
  return {
    namespace: `${database}.${name}`,
    prepared,
    remaining: rest.filter(isDocument),
    open: function* open(given) {
      effort = given;
      for (const document of run(documents(prepared, given))) {
        yield encode(document);
      }
    },
  };
}

/** @throws DatabaseError always: a change stream, an unknown stage, or a stage that needs a collection. */
function refuseDatabaseLevel(pipeline: readonly unknown[], context: PipelineContext): never {
  compilePipeline(pipeline, context);
  throw new DatabaseError(73, "{aggregate: 1} is not valid for this pipeline: it needs a collection.");
}

function* documents(prepared: Prepared | undefined, effort: Effort): Iterable<Document> {
  for (const { document } of prepared?.run(effort) ?? []) {
    yield document;
  }
}

function documentsOf(
  collection: Collection | undefined,
  filter: Document,
  scope: Scope,
  effort: Effort,
): Iterable<Document> {
  return documents(collection && prepare(collection, { filter: compileFilter(filter, scope) }), effort);
}

/** The `$match` stages at the front, as one filter, and the `$sort` behind them. */
function leading(pipeline: readonly unknown[]): { filter: Document; sort: unknown; rest: unknown[] } {
  const filters: Document[] = [];
  let at = 0;
  for (; at < pipeline.length; at += 1) {
    const [name, spec] = stageOf(pipeline[at]);
    if (name !== "$match" || !isDocument(spec)) {
      break;
    }
    filters.push(spec);
  }
  const next = at < pipeline.length ? stageOf(pipeline[at]) : undefined;
  const filter = filters.length === 1 ? (filters[0] ?? {}) : filters.length === 0 ? {} : { $and: filters };
  return next?.[0] === "$sort"
    ? { filter, sort: next[1], rest: pipeline.slice(at + 1) }
    : { filter, sort: undefined, rest: pipeline.slice(at) };
}
