import type { Call } from "./call.js";
import { check } from "./errors.js";
import type { Scope } from "./expressions.js";
import { compileFilter } from "./matcher.js";
import { toInteger } from "./numbers.js";
import { compilePipeline } from "./pipeline.js";
import { type Prepared, prepare } from "./query.js";
import { compileSort } from "./sorting.js";
import { type Document, encode, isDocument } from "./values.js";

/** An aggregation, split into what the collection's indexes serve and the stages that remain. */
interface Aggregation {
  query: Prepared;
  remaining: Document[];
  run: () => Generator<Buffer>;
}

/**
 * Compiles a pipeline; every stage is checked, whether or not the collection is there. Indexes serve a `$match` in front, and
 * a `$sort` and its `$limit` behind it.
 */
export function openAggregate(call: Call, pipeline: readonly unknown[], hint: unknown): Aggregation {
  const { body, scope, database, engine, effort } = call;
  const read = (name: string, filter: Document, inner: Scope) =>
    documents(prepare(engine.catalog.find(database, name), { filter: compileFilter(filter, inner) }));
  function* documents(query: Prepared): Iterable<Document> {
    for (const { document } of query.run(effort)) yield document;
  }
  compilePipeline(pipeline, { scope, read });
  const named = body.aggregate === undefined || typeof body.aggregate === "string";
  check(named, 73, "{aggregate: 1} is not valid for this pipeline: it needs a collection.");
  const remaining = pipeline.filter(isDocument);
  const take = (stage: string) => (remaining[0]?.[stage] === undefined ? undefined : remaining.shift()?.[stage]);
  const filter = compileFilter(take("$match") ?? {}, scope);
  const order = take("$sort");
  const sort = order === undefined ? undefined : compileSort(order);
  const limit = (sort && toInteger(remaining[0]?.$limit)) ?? 0;
  const query = prepare(call.collection, { filter, sort, limit, hint });
  const rest = compilePipeline(remaining, { scope, read });
  return {
    query,
    remaining,
    run: function* run() {
      for (const document of rest(documents(query))) yield encode(document);
    },
  };
}
