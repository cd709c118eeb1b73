import { arrayField, type Call, collectionName, hintOf, scopeOf } from "./command-fields.js";
import { check } from "./errors.js";
import type { Scope } from "./expressions.js";
import { compileFilter } from "./matcher.js";
import { toInteger } from "./numbers.js";
import { compilePipeline } from "./pipeline.js";
import { Effort, type Prepared, prepare } from "./query.js";
import { compileSort } from "./sorting.js";
import { type Document, encode, isDocument } from "./values.js";

/** An aggregation, split into what the collection's indexes serve and the stages that remain. */
export interface Aggregation {
  namespace: string;
  prepared: Prepared | undefined;
  remaining: Document[];
  open: (effort: Effort) => Iterator<Buffer>;
}

/**
 * Compiles the `aggregate` of a call; every stage is checked, whether or not the collection is there. Indexes serve a `$match`
 * in front, and a `$sort` and its `$limit` behind it.
 */
export function openAggregate({ catalog, database, body }: Call): Aggregation {
  const rest = [...arrayField(body, "pipeline")];
  const scope = scopeOf(body);
  let effort = new Effort();
  const read = (name: string, filter: Document, inner: Scope) => {
    const collection = catalog.find(database, name);
    return documents(collection && prepare(collection, { filter: compileFilter(filter, inner) }), effort);
  };
  compilePipeline(rest, { scope, read });
  const named = body.aggregate === undefined || typeof body.aggregate === "string";
  check(named, 73, "{aggregate: 1} is not valid for this pipeline: it needs a collection.");
  const name = collectionName(body);
  const peek = (stage: string) => (isDocument(rest[0]) ? rest[0][stage] : undefined);
  const take = (stage: string) => {
    const spec = peek(stage);
    if (spec !== undefined) rest.shift();
    return spec;
  };
  const filter = compileFilter(take("$match") ?? {}, scope);
  const order = take("$sort");
  const sort = order === undefined ? undefined : compileSort(order);
  const limit = (sort && toInteger(peek("$limit"))) ?? 0;
  const collection = catalog.find(database, name);
  const prepared = collection && prepare(collection, { filter, sort, limit, hint: hintOf(body) });
  const run = compilePipeline(rest, { scope, read });
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
