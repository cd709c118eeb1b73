import { BSONRegExp } from "bson";
import { check } from "./errors.js";
import { compileExpression, type Scope, withValues } from "./expressions.js";
import { fieldPath, reach } from "./paths.js";
import type { PipelineContext, Stage } from "./pipeline.js";
import { compileAddFields } from "./projection.js";
import { type Document, fieldsOf, isDocument } from "./values.js";

/** `$lookup` by equal fields, by a pipeline with `let`, or by both. @throws DatabaseError 9 for a malformed specification. */
export function compileLookup(spec: unknown, context: PipelineContext): Stage {
  check(isDocument(spec), 9, "the $lookup specification must be an Object");
  const { from, as, localField, foreignField, let: bindings = {}, pipeline = [], ...others } = spec;
  check(Object.keys(others).length === 0, 9, `unknown argument to $lookup: ${Object.keys(others)[0]}`);
  check(typeof from === "string" && typeof as === "string", 9, "$lookup needs 'from' and 'as', both strings");
  const fields = localField !== undefined && foreignField !== undefined;
  const complete = fields || (localField ?? foreignField ?? spec.pipeline) === spec.pipeline;
  check(complete && (fields || spec.pipeline !== undefined), 9, "$lookup needs both its fields, or a pipeline");
  check(isDocument(bindings) && Array.isArray(pipeline), 9, "$lookup's 'let' is an object, its 'pipeline' an array");
  const join = fields ? joinFilter(localField, foreignField) : () => ({});
  const variables = fieldsOf(bindings).map(([name, value]) => [name, compileExpression(value, context.scope)] as const);
  const bound = (root?: Document) => {
    const frame = { root, variables: context.scope.values };
    return withValues(
      context.scope,
      Object.fromEntries(variables.map(([name, value]) => [name, root && value(frame)])),
    );
  };
  inner(pipeline, context, bound());
  fieldPath(as);
  return function* (input) {
    for (const document of input) {
      const { filter, run, scope } = inner(pipeline, context, bound(document));
      const found = [...run(context.read(from, { $and: [join(document), filter] }, scope))];
      yield compileAddFields({ [as]: { $literal: found } }, context.scope)(document);
    }
  };
}

/** `$unionWith`: everything so far, then another collection through a pipeline. */
export function compileUnionWith(spec: unknown, context: PipelineContext): Stage {
  const { coll, pipeline = [] } = isDocument(spec) ? spec : { coll: spec };
  const valid = typeof coll === "string" && Array.isArray(pipeline);
  check(valid, 9, "$unionWith takes a collection name, or 'coll' and 'pipeline'");
  const { filter, run, scope } = inner(pipeline, context, context.scope);
  return function* (input) {
    yield* input;
    yield* run(context.read(coll, filter, scope));
  };
}

/** The leading `$match` goes to the collection's indexes, the rest runs on what it finds. */
function inner(stages: readonly unknown[], context: PipelineContext, scope: Scope) {
  const [first, ...rest] = stages;
  const filter = isDocument(first) && isDocument(first.$match) ? first.$match : undefined;
  return { scope, filter: filter ?? {}, run: context.compile(filter ? rest : stages, { ...context, scope }) };
}

/** What the foreign documents must equal: each element of a local array, null for a missing local field. */
function joinFilter(localField: unknown, foreignField: unknown): (document: Document) => Document {
  check(typeof localField === "string" && typeof foreignField === "string", 9, "$lookup's fields must be strings");
  const path = fieldPath(localField);
  fieldPath(foreignField);
  return (document) => {
    const values: unknown[] = [];
    reach(document, path, (value, element) => {
      if (element || !Array.isArray(value)) values.push(value ?? null);
      return false;
    });
    const wanted = values.length > 0 ? values : [null];
    return wanted.some((value) => value instanceof BSONRegExp)
      ? { $or: wanted.map((value) => ({ [foreignField]: { $eq: value } })) }
      : { [foreignField]: { $in: wanted } };
  };
}
