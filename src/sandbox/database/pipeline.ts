import { BSONRegExp } from "bson";
import { check, notSupported } from "./errors.js";
import { compileExpression, onRoot, type Scope } from "./expressions.js";
import { fieldPath, reach } from "./paths.js";
import { compileAddFields } from "./projection.js";
import { STAGES, type Stage } from "./stages.js";
import { type Document, documentOf, fieldsOf, isDocument, kindOf } from "./values.js";

export interface PipelineContext {
  scope: Scope;
  /** Reads the documents of a collection of the same database that a filter takes, through its indexes. */
  read: (collection: string, filter: Document, scope: Scope) => Iterable<Document>;
}

const NOT_SERVED =
  /^\$(out|merge|graphLookup|geoNear|setWindowFields|densify|fill|bucket(Auto)?|redact|documents|(coll|index)Stats|unionWith|sortByCount)$/;

/** The name and the specification of one stage. @throws DatabaseError 40323 when it is not a document with one field. */
function stageOf(stage: unknown): [string, unknown] {
  check(isDocument(stage), 14, `Each element of the 'pipeline' array must be an object, not ${kindOf(stage)}`);
  const [first, ...others] = fieldsOf(stage);
  const single = first !== undefined && others.length === 0;
  check(single, 40323, "A pipeline stage specification object must contain exactly one field.");
  return first;
}

/** @throws DatabaseError 40324 for an unknown stage, 40573 for a change stream, 115 for one that is not served here. */
export function compilePipeline(pipeline: readonly unknown[], context: PipelineContext): Stage {
  const stages = pipeline.map((item) => {
    const [name, spec] = stageOf(item);
    if (name === "$facet") return compileFacet(spec, context);
    if (name === "$lookup") return compileLookup(spec, context);
    if (NOT_SERVED.test(name)) throw notSupported(name);
    check(name !== "$changeStream", 40573, "The $changeStream stage is only supported on replica sets");
    const compile = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
    check(compile !== undefined, 40324, `Unrecognized pipeline stage name: '${name}'`);
    return compile(spec, context.scope);
  });
  return (input) => stages.reduce((documents, stage) => stage(documents), input);
}

/** The pipeline form of an update: one document in, one out. @throws DatabaseError 72 for stages that updates do not take. */
export function compileUpdatePipeline(pipeline: readonly unknown[], scope: Scope): (document: Document) => Document {
  const run = compilePipeline(pipeline, { scope, read: () => [] });
  const allowed = /^\$(set|addFields|unset|project|replace(Root|With))$/;
  const fits = pipeline.every((stage) => allowed.test(stageOf(stage)[0]));
  check(fits, 72, "a stage is not allowed to be used within an update");
  return (document) => [...run([document])][0] ?? document;
}

function compileFacet(spec: unknown, context: PipelineContext): Stage {
  check(isDocument(spec) && Object.keys(spec).length > 0, 40169, "$facet needs a non-empty object");
  const facets = fieldsOf(spec).map(([name, stages]) => {
    check(Array.isArray(stages), 40170, `arguments to $facet must be arrays, ${name} is type ${kindOf(stages)}`);
    check(!stages.some((stage) => stageOf(stage)[0] === "$facet"), 40600, "$facet is not allowed within $facet");
    return [name, compilePipeline(stages, context)] as const;
  });
  return (input) => {
    const documents = [...input];
    return [documentOf(facets.map(([name, run]) => [name, [...run(documents)]] as const))];
  };
}

/** By equal fields, by a pipeline with `let`, or by both. @throws DatabaseError 9 for a malformed specification. */
function compileLookup(spec: unknown, context: PipelineContext): Stage {
  check(isDocument(spec), 9, "the $lookup specification must be an Object");
  const { from, as, localField, foreignField, let: bindings = {}, pipeline = [], ...others } = spec;
  check(Object.keys(others).length === 0, 9, `unknown argument to $lookup: ${Object.keys(others)[0]}`);
  check(typeof from === "string" && typeof as === "string", 9, "$lookup needs 'from' and 'as', both strings");
  check(isDocument(bindings) && Array.isArray(pipeline), 9, "$lookup's 'let' is an object, its 'pipeline' an array");
  const byFields = localField !== undefined || foreignField !== undefined;
  check(byFields || spec.pipeline !== undefined, 9, "$lookup needs 'localField' and 'foreignField', or a 'pipeline'");
  const join = byFields ? joinFilter(localField, foreignField) : () => ({});
  const variables = compileExpression(bindings, context.scope);
  const names = Object.keys(bindings);
  const inner = (bound: unknown): PipelineContext => ({
    ...context,
    scope: { ...context.scope, ...Object.fromEntries(names.map((name) => [name, undefined])), ...(bound as Document) },
  });
  compilePipeline(pipeline, inner({}));
  fieldPath(as);
  // A `$match` in front goes to the indexes.
  const [first, ...rest] = pipeline;
  const leading = isDocument(first) && isDocument(first.$match) ? first.$match : undefined;
  return function* (input) {
    for (const document of input) {
      const local = inner(variables(onRoot(context.scope, document)));
      const filter = leading ? { $and: [join(document), leading] } : join(document);
      const found = compilePipeline(leading ? rest : pipeline, local)(context.read(from, filter, local.scope));
      yield compileAddFields({ [as]: { $literal: [...found] } }, context.scope)(document);
    }
  };
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
    if (values.length === 0) values.push(null);
    const patterns = values.some((value) => value instanceof BSONRegExp);
    return patterns ? { $or: values.map(($eq) => ({ [foreignField]: { $eq } })) } : { [foreignField]: { $in: values } };
  };
}
