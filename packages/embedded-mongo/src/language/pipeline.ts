import { check, lookUp, notSupported } from "../errors.js";
import { accumulatorOf } from "./accumulators.js";
import { compileExpression, onRoot, type Scope } from "./expressions.js";
import { compileFilter } from "./matcher.js";
import { toInteger } from "./numbers.js";
import { compileSort, equal, identity, part, sorted } from "./ordering.js";
import { changeAt, fieldPath, leavesAt, valueAt } from "./paths.js";
import { compileAddFields, compileProjection } from "./projection.js";
import { type Document, documentOf, fieldsOf, isDocument, isNullish, kindOf } from "./values.js";

type Stage = (input: Iterable<Document>) => Iterable<Document>;

export interface PipelineContext {
  scope: Scope;
  /** Reads the documents of a collection of the same database that match a filter. It uses indexes. */
  read: (collection: string, filter: Document) => Iterable<Document>;
}

const NOT_SERVED = `$bucket $bucketAuto $changeStreamSplitLargeEvent $collStats $currentOp $densify $documents $fill $geoNear
  $graphLookup $indexStats $listLocalSessions $listSampledQueries $listSessions $merge $out $planCacheStats $redact $sample
  $setWindowFields $sortByCount`;

function object(spec: unknown): Document {
  check(isDocument(spec), 14, `the specification of a stage must be an object, not ${kindOf(spec)}`);
  return spec;
}

/**
 * Reads the name and the specification of a stage. @throws DatabaseError 40323 unless the stage is a document with one
 * field.
 */
function stageOf(stage: unknown): [string, unknown] {
  const [first, ...others] = fieldsOf(object(stage));
  const single = first !== undefined && others.length === 0;
  check(single, 40323, "A pipeline stage specification object must contain exactly one field.");
  return first;
}

/**
 * Compiles a stage. @throws DatabaseError 40324 for an unknown stage, 40573 for a change stream, 115 for an unsupported
 * one.
 */
export function compilePipeline(pipeline: readonly unknown[], context: PipelineContext): Stage {
  const stages = pipeline.map((item) => {
    const [name, spec] = stageOf(item);
    check(name !== "$changeStream", 40573, "The $changeStream stage is only supported on replica sets");
    return lookUp(STAGES, name, NOT_SERVED, 40324)(spec, context);
  });
  return (input) => stages.reduce((documents, stage) => stage(documents), input);
}

/** Compiles the pipeline of an update, which turns one document into one. @throws DatabaseError 72 for other stages. */
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
    check(fieldPath(name).length === 1, 16412, "FieldPath field names may not contain '.'");
    check(Array.isArray(stages), 40170, `arguments to $facet must be arrays, ${name} is type ${kindOf(stages)}`);
    check(!stages.some((stage) => stageOf(stage)[0] === "$facet"), 40600, "$facet is not allowed within $facet");
    return [name, compilePipeline(stages, context)] as const;
  });
  return (input) => {
    const documents = [...input];
    return [documentOf(facets.map(([name, run]) => [name, [...run(documents)]] as const))];
  };
}

/** Joins by equal fields. Each element of a local array counts, and a missing local field counts as null. */
function compileLookup(spec: unknown, { scope, read }: PipelineContext): Stage {
  const { from, as, localField, foreignField, ...others } = object(spec);
  refuse("$lookup", others);
  const names = [from, as, localField, foreignField].every((name) => typeof name === "string");
  check(names, 9, "$lookup needs 'from', 'as', 'localField' and 'foreignField', all strings");
  const [path] = [localField, foreignField, as].map((name) => fieldPath(String(name)));
  return createMapStage((document) => {
    const leaves = leavesAt(document, path ?? []);
    const [only, ...others] = (leaves.length > 0 ? leaves : [null]).map((value) => ({
      [String(foreignField)]: { $eq: value ?? null },
    }));
    const found = [...read(String(from), only && others.length === 0 ? only : { $or: [only, ...others] })];
    return compileAddFields({ [String(as)]: { $literal: found } }, scope)(document);
  });
}

/** Appends the result of a pipeline on another collection to the input. A leading `$match` can use an index. */
function compileUnion(spec: unknown, context: PipelineContext): Stage {
  const { coll, pipeline = [], ...others } = typeof spec === "string" ? { coll: spec } : object(spec);
  refuse("$unionWith", others);
  check(typeof coll === "string", 9, `'coll' of $unionWith must be a string, not ${kindOf(coll)}`);
  check(Array.isArray(pipeline), 10065, `'pipeline' of $unionWith must be an array, not ${kindOf(pipeline)}`);
  const [name, filter] = pipeline.length > 0 ? stageOf(pipeline[0]) : [];
  const isMatch = name === "$match";
  const rest = compilePipeline(isMatch ? pipeline.slice(1) : pipeline, context);
  return function* (input) {
    yield* input;
    yield* rest(context.read(coll, isMatch ? object(filter) : {}));
  };
}

/** Refuses unknown options of a stage. @throws DatabaseError 115 */
function refuse(stage: string, others: Document): void {
  const [other] = Object.keys(others);
  if (other !== undefined) throw notSupported(`the option '${other}' of ${stage}`);
}

/** Creates a stage that turns each document into any number of documents. */
const createStage = (change: (document: Document) => Iterable<Document>): Stage =>
  function* (input) {
    for (const document of input) yield* change(document);
  };

/** Creates a stage that turns each document into another one. */
const createMapStage = (change: (document: Document) => Document): Stage =>
  createStage((document) => [change(document)]);

const setFields = (spec: unknown, { scope }: PipelineContext) => createMapStage(compileAddFields(object(spec), scope));
const project = (spec: unknown, { scope }: PipelineContext) =>
  createMapStage(compileProjection(object(spec), scope, false));

const section =
  (skip: number, end: number): Stage =>
  (input) =>
    part(input, skip, end);

function countOf(spec: unknown, least: number): number {
  const count = toInteger(spec) ?? -1;
  check(count >= least, least === 1 ? 15958 : 5107200, "the number of documents must be a positive whole number");
  return count;
}

/** Groups are returned in the order of their first documents. */
function compileGroup(spec: unknown, { scope }: PipelineContext): Stage {
  const { _id, ...accumulated } = object(spec);
  check(_id !== undefined, 15955, "a group specification must include an _id");
  // A missing value is null when it is the only field of `_id`. With more fields it stays missing.
  const [[only = "$", value] = [], ...others] = isDocument(_id) ? fieldsOf(_id) : [];
  const single = !only.startsWith("$") && others.length === 0;
  const id = compileExpression(single ? documentOf([[only, { $ifNull: [value, null] }]]) : _id, scope);
  const fields = fieldsOf(accumulated).map(([name, value]) => {
    const [[operator = "", operand] = [], ...others] = fieldsOf(object(value));
    check(!name.includes("."), 40235, `The field name '${name}' cannot contain '.'`);
    check(!name.startsWith("$"), 40236, `The field name '${name}' cannot be an operator name`);
    check(operator.startsWith("$") && others.length === 0, 40238, `The field '${name}' must specify one accumulator`);
    check(!Array.isArray(operand), 40237, `The ${operator} accumulator is a unary operator`);
    check(operator !== "$count" || equal(operand, {}), 9, "$count takes no arguments, i.e. $count: {}");
    return { name, evaluate: compileExpression(operand, scope), total: accumulatorOf(operator) };
  });
  return function* (input) {
    const groups = new Map<string, { id: unknown; values: unknown[][] }>();
    for (const root of input) {
      const variables = onRoot(scope, root);
      const value = id(variables) ?? null;
      const key = identity(value);
      const group = groups.get(key) ?? { id: value, values: fields.map(() => []) };
      groups.set(key, group);
      for (const [at, { evaluate }] of fields.entries()) group.values[at]?.push(evaluate(variables));
    }
    for (const { id: _id, values } of groups.values()) {
      yield { _id, ...documentOf(fields.map(({ name, total }, at) => [name, total(values[at] ?? [])] as const)) };
    }
  };
}

function compileUnwind(spec: unknown): Stage {
  const options: Document = typeof spec === "string" ? { path: spec } : object(spec);
  const { path, preserveNullAndEmptyArrays: preserve = false, ...others } = options;
  refuse("$unwind", others);
  check(typeof path === "string" && path.startsWith("$"), 28818, "$unwind needs a path prefixed with a '$'");
  check(typeof preserve === "boolean", 28809, "preserveNullAndEmptyArrays must be a boolean");
  const parts = fieldPath(path.slice(1));
  return createStage((document) => {
    const value = valueAt(document, parts);
    if (!Array.isArray(value)) return isNullish(value) && !preserve ? [] : [document];
    const elements = value.length === 0 && preserve ? [undefined] : value;
    return elements.map((element) => changeAt(document, parts, () => element) as Document);
  });
}

function compileReplace(expression: unknown, { scope }: PipelineContext): Stage {
  const evaluate = compileExpression(expression, scope);
  return createMapStage((root) => {
    const value = evaluate(onRoot(scope, root));
    check(isDocument(value), 40228, `'newRoot' expression must evaluate to an object, not ${kindOf(value)}`);
    return value;
  });
}

const STAGES: Readonly<Record<string, (spec: unknown, context: PipelineContext) => Stage>> = {
  $match: (spec, { scope }) => {
    const filter = compileFilter(object(spec), scope);
    return createStage((document) => (filter.test(document) ? [document] : []));
  },
  $project: project,
  $addFields: setFields,
  $set: setFields,
  $unset: (spec, context) => {
    const names = [spec].flat();
    const valid = names.every((name) => typeof name === "string");
    check(valid, 31120, "$unset takes a string or an array of strings");
    return project(Object.fromEntries(names.map((name) => [name, false])), context);
  },
  $sort: (spec) => {
    const { key } = compileSort(spec);
    return (input) => sorted(input, key);
  },
  $limit: (spec) => section(0, countOf(spec, 1)),
  $skip: (spec) => section(countOf(spec, 0), Number.POSITIVE_INFINITY),
  $group: compileGroup,
  $unwind: compileUnwind,
  $replaceRoot: (spec, context) => {
    const { newRoot, ...others } = object(spec);
    check(Object.keys(others).length === 0, 40415, "$replaceRoot takes a 'newRoot' only");
    return compileReplace(newRoot, context);
  },
  $replaceWith: compileReplace,
  $count: (name, context) => {
    const valid = typeof name === "string" && /^[^$.][^.]*$/.test(name);
    check(valid, 40156, "the count field must be a non-empty string without '$' in front and without '.'");
    const group = compileGroup({ _id: null, [name]: { $count: {} } }, context);
    return (input) => createMapStage(({ _id, ...count }) => count)(group(input));
  },
  $facet: compileFacet,
  $lookup: compileLookup,
  $unionWith: compileUnion,
};
