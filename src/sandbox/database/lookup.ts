import { BSONRegExp } from "bson";
import { DatabaseError } from "./errors.js";
import { checkFieldPath, compileExpression, type Evaluate, type Scope } from "./expressions.js";
import { reach } from "./paths.js";
import { compilePipeline, type PipelineContext, type Stage, stageOf } from "./pipeline.js";
import { compileAddFields } from "./projection.js";
import { type Document, fieldsOf, isDocument, kindOf } from "./values.js";

const OPTIONS = new Set(["from", "as", "localField", "foreignField", "let", "pipeline"]);

/** `$lookup` by equal fields, by a pipeline with `let`, or by both. @throws DatabaseError 9 for a malformed specification. */
export function compileLookup(spec: unknown, context: PipelineContext): Stage {
  if (!isDocument(spec)) {
    throw new DatabaseError(9, `the $lookup specification must be an Object, but found ${kindOf(spec)}`);
  }
  const unknown = Object.keys(spec).find((name) => !OPTIONS.has(name));
  const { from, as, localField, foreignField, let: bindings = {}, pipeline } = spec;
  if (unknown !== undefined) {
    throw new DatabaseError(9, `unknown argument to $lookup: ${unknown}`);
  }
  if (typeof from !== "string" || typeof as !== "string") {
    throw new DatabaseError(9, "$lookup needs 'from' and 'as', both strings");
  }
  if (
    (localField === undefined) !== (foreignField === undefined) ||
    (localField === undefined && pipeline === undefined)
  ) {
    throw new DatabaseError(9, "$lookup requires both 'localField' and 'foreignField', or 'pipeline'");
  }
  if (!isDocument(bindings) || (pipeline !== undefined && !Array.isArray(pipeline))) {
    throw new DatabaseError(9, "$lookup's 'let' must be an object and its 'pipeline' an array");
  }
  const join = joinFilter(localField, foreignField);
  const variables = fieldsOf(bindings).map(([name, value]): [string, Evaluate] => [
    name,
    compileExpression(value, context.scope),
  ]);
  const stages = pipeline ?? [];
  innerPipeline(stages, lookupScope(context.scope, variables, undefined), context);

  const put = (document: Document, found: Document[]) =>
    compileAddFields({ [as]: { $literal: found } }, context.scope)(document);
  checkFieldPath(as);
  return function* lookup(input) {
    for (const document of input) {
      const scope = lookupScope(context.scope, variables, document);
      const { filter, run } = innerPipeline(stages, scope, context);
      const joined = join === undefined ? filter : { $and: [join(document), filter] };
      yield put(document, [...run(context.read(from, joined, scope))]);
    }
  };
}

/** `$unionWith`: everything so far, then another collection through a pipeline. */
export function compileUnionWith(spec: unknown, context: PipelineContext): Stage {
  const { coll, pipeline = [] } = isDocument(spec) ? spec : { coll: spec };
  if (typeof coll !== "string" || !Array.isArray(pipeline)) {
    throw new DatabaseError(9, "$unionWith takes a collection name, or 'coll' and 'pipeline'");
  }
  const { filter, run } = innerPipeline(pipeline, context.scope, context);
  return function* union(input) {
    yield* input;
    yield* run(context.read(coll, filter, context.scope));
  };
}

function lookupScope(outer: Scope, variables: readonly [string, Evaluate][], document: Document | undefined): Scope {
  const values: Record<string, unknown> = { ...outer.values };
  for (const [name, evaluate] of variables) {
    values[name] = document === undefined ? null : evaluate({ root: document, variables: outer.values });
  }
  return { names: new Set([...outer.names, ...Object.keys(values)]), values };
}

/** The leading `$match` goes to the collection's indexes, the rest runs on what it finds. */
function innerPipeline(
  stages: readonly unknown[],
  scope: Scope,
  context: PipelineContext,
): { filter: Document; run: Stage } {
  const [first, ...rest] = stages;
  const leading = first === undefined ? undefined : stageOf(first);
  if (leading?.[0] === "$match" && isDocument(leading[1])) {
    return { filter: leading[1], run: compilePipeline(rest, { ...context, scope, nested: true }) };
  }
  return { filter: {}, run: compilePipeline(stages, { ...context, scope, nested: true }) };
}

/** What the foreign documents must equal: each element of a local array, null for a missing local field. */
function joinFilter(localField: unknown, foreignField: unknown): ((document: Document) => Document) | undefined {
  if (localField === undefined) {
    return undefined;
  }
  if (typeof localField !== "string" || typeof foreignField !== "string") {
    throw new DatabaseError(9, "$lookup's 'localField' and 'foreignField' must be strings");
  }
  const path = checkFieldPath(localField);
  checkFieldPath(foreignField);
  return (document) => {
    const values: unknown[] = [];
    reach(document, path, (value, element) => {
      if (element || !Array.isArray(value)) {
        values.push(value ?? null);
      }
      return false;
    });
    const wanted = values.length > 0 ? values : [null];
    return wanted.some((value) => value instanceof BSONRegExp)
      ? { $or: wanted.map((value) => ({ [foreignField]: { $eq: value } })) }
      : { [foreignField]: { $in: wanted } };
  };
}
