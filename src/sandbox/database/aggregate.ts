import { arrayField, type Call, collectionName, hintOf, scopeOf } from "./command-fields.js";
import { DatabaseError } from "./errors.js";
import type { Scope } from "./expressions.js";
import { compileFilter } from "./matcher.js";
import { compilePipeline } from "./pipeline.js";
import { Effort, type Prepared, prepare } from "./query.js";
import { compileSort } from "./sorting.js";
import { takenBy } from "./stages.js";
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
  let effort = new Effort();
  const read = (name: string, filter: Document, inner: Scope) => {
    const collection = catalog.find(database, name);
    return documents(collection && prepare(collection, { filter: compileFilter(filter, inner) }), effort);
  };
  compilePipeline(pipeline, { scope, read });
  if (body.aggregate !== undefined && typeof body.aggregate !== "string") {
    throw new DatabaseError(73, "{aggregate: 1} is not valid for this pipeline: it needs a collection.");
  }
  const name = collectionName(body);
  const { filter, sort, rest } = leading(pipeline);
  const run = compilePipeline(rest, { scope, read });
  const collection = catalog.find(database, name);
  const taken = takenBy(rest[0]);
  const query = {
    filter: compileFilter(filter, scope),
    sort: sort === undefined ? undefined : compileSort(sort),
    limit: sort !== undefined && Number.isFinite(taken) ? taken : 0,
    hint: hintOf(body),
  };
  const prepared = collection && prepare(collection, query);
  return {
    namespace: `${database}.${name}`,
    prepared,
    remaining: rest.filter(isDocument),
    open: function* open(given) {
      effort = given;
      for (const document of run(documents(prepared, given))) yield encode(document);
    },
  };
}

function* documents(prepared: Prepared | undefined, effort: Effort): Iterable<Document> {
  for (const { document } of prepared?.run(effort) ?? []) yield document;
}

/** The `$match` stages at the front, as one filter, and the `$sort` behind them. */
function leading(pipeline: readonly unknown[]): { filter: Document; sort: unknown; rest: unknown[] } {
  const stages = pipeline.filter(isDocument);
  const end = stages.findIndex((stage) => !isDocument(stage.$match));
  const filters = stages.slice(0, end < 0 ? undefined : end).map((stage) => stage.$match);
  const [first, ...others] = filters;
  const filter = isDocument(first) && others.length === 0 ? first : filters.length > 0 ? { $and: filters } : {};
  const sort = stages[filters.length]?.$sort;
  return { filter, sort, rest: pipeline.slice(filters.length + (sort === undefined ? 0 : 1)) };
}
