import { Int32, Long } from "bson";
import { ACCUMULATORS } from "./accumulators.js";
import { check } from "./errors.js";
import { compileExpression, type Evaluate, type Scope } from "./expressions.js";
import { encodeKey } from "./keys.js";
import { compileFilter } from "./matcher.js";
import { toInteger } from "./numbers.js";
import { fieldPath, valueAt, writePath } from "./paths.js";
import type { PipelineContext, Stage } from "./pipeline.js";
import { compileAddFields, compileProjection } from "./projection.js";
import { compileSort, sorted } from "./sorting.js";
import { clone, type Document, documentOf, fieldsOf, isDocument, isNullish, kindOf } from "./values.js";

type CompileStage = (spec: unknown, context: PipelineContext, following: readonly unknown[]) => Stage;

function object(spec: unknown, code: number): Document {
  check(isDocument(spec), code, `the specification of the stage must be an object, not ${kindOf(spec)}`);
  return spec;
}

const mapped = (change: (document: Document) => Document): Stage =>
  function* (input) {
    for (const document of input) yield change(document);
  };

const matching = (keeps: (document: Document) => boolean): Stage =>
  function* (input) {
    for (const document of input) if (keeps(document)) yield document;
  };

const between = (skip: number, end: number): Stage =>
  function* (input) {
    let seen = 0;
    for (const document of input) {
      seen += 1;
      if (seen > skip) yield document;
      if (seen >= end) return;
    }
  };

/** A `$limit` or `$skip`. @throws DatabaseError 15958, 5107200 or 5107201. */
function countOf(name: string, spec: unknown): number {
  const count = toInteger(spec) ?? -1;
  check(count >= 0, name === "$limit" ? 5107201 : 5107200, `${name} needs a non-negative number`);
  check(count > 0 || name === "$skip", 15958, "the limit must be positive");
  return count;
}

/** How many sorted documents the stages right after a `$sort` will take. */
export function takenAfter(following: readonly unknown[]): number {
  const [first, ...rest] = following;
  const { $limit, $skip } = isDocument(first) ? first : {};
  if ($limit !== undefined) return countOf("$limit", $limit);
  return $skip === undefined ? Number.POSITIVE_INFINITY : countOf("$skip", $skip) + takenAfter(rest);
}

function compileSortStage(spec: unknown, _: PipelineContext, following: readonly unknown[]): Stage {
  const order = compileSort(spec);
  check(order.fields.length > 0, 15976, "$sort stage must have at least one sort key");
  const most = takenAfter(following);
  return (input) => sorted(input, order.key, most);
}

function compileProject(spec: unknown, { scope }: PipelineContext): Stage {
  const fields = object(spec, 15969);
  check(Object.keys(fields).length > 0, 51272, "Invalid $project: specification must have at least one field");
  const project = compileProjection(fields, scope, false);
  return mapped((document) => project(document));
}

function compileSet(spec: unknown, { scope }: PipelineContext): Stage {
  const change = compileAddFields(object(spec, 40272), scope);
  return mapped((document) => change(document));
}

function compileUnset(spec: unknown, context: PipelineContext): Stage {
  const names = Array.isArray(spec) ? spec : [spec];
  const valid = names.length > 0 && names.every((name) => typeof name === "string" && name !== "");
  check(valid, 31120, "$unset takes a string or an array of strings");
  return compileProject(Object.fromEntries(names.map((name) => [name, false])), context);
}

/** Groups come out in the order they were first met. */
function compileGroup(spec: unknown, { scope }: PipelineContext): Stage {
  const { _id, ...accumulated } = object(spec, 15947);
  check(_id !== undefined, 15955, "a group specification must include an _id");
  const id = compileExpression(_id, scope);
  const fields = fieldsOf(accumulated).map(([name, value]) => ({ name, ...compileAccumulator(name, value, scope) }));
  return function* (input) {
    const groups = new Map<string, { id: unknown; values: unknown[][] }>();
    for (const root of input) {
      const frame = { root, variables: scope.values };
      const value = id(frame) ?? null;
      const key = encodeKey(value).toString("latin1");
      const group = groups.get(key) ?? { id: value, values: fields.map(() => []) };
      groups.set(key, group);
      for (const [at, { evaluate }] of fields.entries()) group.values[at]?.push(evaluate(frame));
    }
    for (const { id: _id, values } of groups.values()) {
      yield { _id, ...documentOf(fields.map(({ name, total }, at) => [name, total(values[at] ?? [])] as const)) };
    }
  };
}

type Total = (values: readonly unknown[]) => unknown;

function compileAccumulator(name: string, value: unknown, scope: Scope): { evaluate: Evaluate; total: Total } {
  check(!name.includes("."), 40235, `The field name '${name}' cannot contain '.'`);
  check(!name.startsWith("$"), 40236, `The field name '${name}' cannot be an operator name`);
  const [entry, ...others] = fieldsOf(object(value, 40234));
  check(entry?.[0].startsWith("$") === true, 40234, `The field '${name}' must be an accumulator object`);
  check(others.length === 0, 40238, `The field '${name}' must specify one accumulator`);
  const [operator, operand] = entry;
  if (operator === "$count") {
    check(isDocument(operand) && Object.keys(operand).length === 0, 9, "$count takes no arguments, i.e. $count:{}");
    return { evaluate: () => undefined, total: (values) => new Int32(values.length) };
  }
  const total = accumulatorOf(operator);
  check(!Array.isArray(operand) || operand.length === 1, 40237, `The ${operator} accumulator is a unary operator`);
  return { evaluate: compileExpression(Array.isArray(operand) ? operand[0] : operand, scope), total };
}

function accumulatorOf(operator: string): Total {
  const total = ACCUMULATORS.get(operator);
  check(total !== undefined, 15952, `unknown group operator '${operator}'`);
  return total;
}

function compileUnwind(spec: unknown): Stage {
  const options = typeof spec === "string" ? { path: spec } : object(spec, 15981);
  const {
    path,
    includeArrayIndex: index,
    preserveNullAndEmptyArrays: preserve = false,
    ...others
  } = options as Document;
  check(Object.keys(others).length === 0, 28811, "unrecognized option to $unwind stage");
  check(typeof path === "string", path === undefined ? 28812 : 28808, "$unwind needs a path");
  check(path.startsWith("$"), 28818, "path option to $unwind stage should be prefixed with a '$'");
  check(typeof preserve === "boolean", 28809, "expected a boolean for preserveNullAndEmptyArrays");
  check(index === undefined || (typeof index === "string" && index !== ""), 28810, "includeArrayIndex is a string");
  const parts = fieldPath(path.slice(1));
  const unwound = (document: Document, change: (copy: Document) => void, at: Long | null) => {
    const copy = clone(document);
    change(copy);
    if (index !== undefined) writePath(copy, index.split("."), at);
    return copy;
  };
  return function* (input) {
    for (const document of input) {
      const value = valueAt(document, parts);
      const list = Array.isArray(value) ? value : [value];
      for (const [at, element] of list.entries()) {
        if (!Array.isArray(value) && isNullish(value) && !preserve) continue;
        const place = Array.isArray(value) ? Long.fromNumber(at) : null;
        yield unwound(document, (copy) => element !== undefined && writePath(copy, parts, element), place);
      }
      if (list.length === 0 && preserve) yield unwound(document, (copy) => removeAt(copy, parts), null);
    }
  };
}

function removeAt(document: Document, path: readonly string[]): void {
  const parent = valueAt(document, path.slice(0, -1));
  if (isDocument(parent)) delete parent[path.at(-1) ?? ""];
}

function compileReplace(expression: unknown, { scope }: PipelineContext): Stage {
  const evaluate = compileExpression(expression, scope);
  return mapped((root) => {
    const value = evaluate({ root, variables: scope.values });
    check(isDocument(value), 40228, `'newRoot' expression must evaluate to an object, not ${kindOf(value)}`);
    return value;
  });
}

function compileFacet(spec: unknown, context: PipelineContext): Stage {
  const facets = fieldsOf(object(spec, 40169)).map(([name, stages]) => {
    check(Array.isArray(stages), 40170, `arguments to $facet must be arrays, ${name} is type ${kindOf(stages)}`);
    const nested = stages.some((stage) => isDocument(stage) && Object.hasOwn(stage, "$facet"));
    check(!nested, 40600, "$facet is not allowed to be used within a $facet stage");
    return [name, context.compile(stages, context)] as const;
  });
  check(facets.length > 0, 40169, "the $facet specification must be a non-empty object");
  return (input) => {
    const documents = [...input];
    return [documentOf(facets.map(([name, run]) => [name, [...run(documents)]] as const))];
  };
}

function compileCount(name: unknown, context: PipelineContext): Stage {
  check(typeof name === "string", 40156, "the count field must be a string");
  check(name !== "", 40157, "the count field must be a non-empty string");
  check(!name.startsWith("$"), 40158, "the count field cannot be a $-prefixed path");
  check(!name.includes("."), 40160, "the count field cannot contain '.'");
  const group = compileGroup({ _id: null, [name]: { $count: {} } }, context);
  return (input) => mapped(({ _id, ...count }) => count)(group(input));
}

function compileSortByCount(expression: unknown, context: PipelineContext): Stage {
  const path = typeof expression === "string" && expression.startsWith("$");
  check(path || isDocument(expression), 40149, "$sortByCount takes a path or an expression");
  const group = { _id: expression, count: { $count: {} } };
  return context.compile([{ $group: group }, { $sort: { count: new Int32(-1) } }], context);
}

function compileSample(spec: unknown): Stage {
  const size = toInteger(object(spec, 28745).size) ?? -1;
  check(size >= 0, 28747, "size argument to $sample must be a non-negative number");
  return function* (input) {
    const pool = [...input];
    for (let taken = 0; taken < size && pool.length > 0; taken += 1) {
      yield* pool.splice(Math.floor(Math.random() * pool.length), 1);
    }
  };
}

/** The stages that read nothing but what comes in, with MongoDB's codes for malformed specifications. */
export const STAGES: ReadonlyMap<string, CompileStage> = new Map<string, CompileStage>([
  [
    "$match",
    (spec, { scope }) => {
      const filter = compileFilter(object(spec, 15959), scope);
      return matching((document) => filter.test(document));
    },
  ],
  ["$project", compileProject],
  ["$addFields", compileSet],
  ["$set", compileSet],
  ["$unset", compileUnset],
  ["$sort", compileSortStage],
  ["$limit", (spec) => between(0, countOf("$limit", spec))],
  ["$skip", (spec) => between(countOf("$skip", spec), Number.POSITIVE_INFINITY)],
  ["$group", compileGroup],
  ["$unwind", compileUnwind],
  ["$facet", compileFacet],
  ["$replaceRoot", (spec, context) => compileReplace(object(spec, 40229).newRoot, context)],
  ["$replaceWith", compileReplace],
  ["$count", compileCount],
  ["$sortByCount", compileSortByCount],
  ["$sample", compileSample],
]);
