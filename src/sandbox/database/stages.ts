import { Long } from "bson";
import { accumulatorOf } from "./accumulators.js";
import { check } from "./errors.js";
import { compileExpression, compileOnRoot, type Evaluate, onRoot, type Scope } from "./expressions.js";
import { encodeKey } from "./keys.js";
import { compileFilter } from "./matcher.js";
import { toInteger } from "./numbers.js";
import { fieldPath, removePath, valueAt, writePath } from "./paths.js";
import { compileAddFields, compileProjection } from "./projection.js";
import { compileSort, sorted } from "./sorting.js";
import { clone, type Document, documentOf, fieldsOf, isDocument, isNullish, kindOf } from "./values.js";

export type Stage = (input: Iterable<Document>) => Iterable<Document>;

function object(spec: unknown, code: number): Document {
  check(isDocument(spec), code, `the specification of the stage must be an object, not ${kindOf(spec)}`);
  return spec;
}

/** Each document becomes any number of documents. */
const mapped = (change: (document: Document) => Iterable<Document>): Stage =>
  function* (input) {
    for (const document of input) yield* change(document);
  };

/** A `$limit` or `$skip`. @throws DatabaseError 15958, 5107200 or 5107201. */
function countOf(spec: unknown, least: number): number {
  const count = toInteger(spec) ?? -1;
  check(count >= 0, least === 1 ? 5107201 : 5107200, "the number of documents must be a non-negative number");
  check(count >= least, 15958, "the limit must be positive");
  return count;
}

const between = (skip: number, end: number): Stage =>
  function* (input) {
    let seen = 0;
    for (const document of input) {
      seen += 1;
      if (seen > skip) yield document;
      if (seen >= end) return;
    }
  };

function compileMatch(spec: unknown, scope: Scope): Stage {
  const filter = compileFilter(object(spec, 15959), scope);
  return mapped((document) => (filter.test(document) ? [document] : []));
}

function compileSortStage(spec: unknown): Stage {
  const order = compileSort(spec);
  check(order.fields.length > 0, 15976, "$sort stage must have at least one sort key");
  return (input) => sorted(input, order.key);
}

function compileProject(spec: unknown, scope: Scope): Stage {
  const fields = object(spec, 15969);
  check(Object.keys(fields).length > 0, 51272, "Invalid $project: specification must have at least one field");
  const project = compileProjection(fields, scope, false);
  return mapped((document) => [project(document)]);
}

function compileSet(spec: unknown, scope: Scope): Stage {
  const change = compileAddFields(object(spec, 40272), scope);
  return mapped((document) => [change(document)]);
}

function compileUnset(spec: unknown, scope: Scope): Stage {
  const names = Array.isArray(spec) ? spec : [spec];
  check(
    names.every((name) => typeof name === "string"),
    31120,
    "$unset takes a string or an array of strings",
  );
  return compileProject(Object.fromEntries(names.map((name) => [name, false])), scope);
}

/** Groups come out in the order they were first met. */
function compileGroup(spec: unknown, scope: Scope): Stage {
  const { _id, ...accumulated } = object(spec, 15947);
  check(_id !== undefined, 15955, "a group specification must include an _id");
  const id = compileExpression(_id, scope);
  const fields = fieldsOf(accumulated).map(([name, value]) => ({ name, ...compileAccumulator(name, value, scope) }));
  return function* (input) {
    const groups = new Map<string, { id: unknown; values: unknown[][] }>();
    for (const root of input) {
      const frame = onRoot(scope, root);
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
  const [[operator = "", operand] = [], ...others] = fieldsOf(object(value, 40234));
  check(operator.startsWith("$"), 40234, `The field '${name}' must be an accumulator object`);
  check(others.length === 0, 40238, `The field '${name}' must specify one accumulator`);
  check(!Array.isArray(operand) || operand.length === 1, 40237, `The ${operator} accumulator is a unary operator`);
  return { evaluate: compileExpression(operand, scope), total: accumulatorOf(operator) };
}

function compileUnwind(spec: unknown): Stage {
  const options: Document = typeof spec === "string" ? { path: spec } : object(spec, 15981);
  const { path, includeArrayIndex: index, preserveNullAndEmptyArrays: preserve = false, ...others } = options;
  check(Object.keys(others).length === 0, 28811, "unrecognized option to $unwind stage");
  check(typeof path === "string" && path.startsWith("$"), 28818, "$unwind needs a path prefixed with a '$'");
  check(typeof preserve === "boolean", 28809, "expected a boolean for preserveNullAndEmptyArrays");
  check(index === undefined || typeof index === "string", 28810, "expected a string for includeArrayIndex");
  const parts = fieldPath(path.slice(1));
  const unwound = (document: Document, element: unknown, at: Long | null) => {
    const copy = clone(document);
    if (element === undefined) removePath(copy, parts);
    else writePath(copy, parts, element);
    if (index !== undefined) writePath(copy, index.split("."), at);
    return copy;
  };
  return mapped((document) => {
    const value = valueAt(document, parts);
    const list = Array.isArray(value) ? value : [];
    if (list.length > 0) return list.map((element, at) => unwound(document, element, Long.fromNumber(at)));
    const absent = isNullish(value) || Array.isArray(value);
    return absent && !preserve ? [] : [unwound(document, Array.isArray(value) ? undefined : value, null)];
  });
}

function compileReplace(expression: unknown, scope: Scope): Stage {
  const evaluate = compileOnRoot(expression, scope);
  return mapped((root) => {
    const value = evaluate(root);
    check(isDocument(value), 40228, `'newRoot' expression must evaluate to an object, not ${kindOf(value)}`);
    return [value];
  });
}

function compileCount(name: unknown, scope: Scope): Stage {
  const valid = typeof name === "string" && /^[^$.][^.]*$/.test(name);
  check(valid, 40156, "the count field must be a non-empty string without '$' in front and without '.'");
  const group = compileGroup({ _id: null, [name]: { $count: {} } }, scope);
  return (input) => mapped(({ _id, ...count }) => [count])(group(input));
}

function compileSample(spec: unknown): Stage {
  const size = toInteger(object(spec, 28745).size) ?? -1;
  check(size >= 0, 28747, "size argument to $sample must be a non-negative number");
  const drawn = (input: Iterable<Document>) => [...input].map((document) => ({ document, at: Math.random() }));
  return (input) =>
    drawn(input)
      .sort((a, b) => a.at - b.at)
      .slice(0, size)
      .map(({ document }) => document);
}

/** The stages that read nothing but what comes in, with MongoDB's codes for malformed specifications. */
export const STAGES: ReadonlyMap<string, (spec: unknown, scope: Scope) => Stage> = new Map([
  ["$match", compileMatch],
  ["$project", compileProject],
  ["$addFields", compileSet],
  ["$set", compileSet],
  ["$unset", compileUnset],
  ["$sort", compileSortStage],
  ["$limit", (spec) => between(0, countOf(spec, 1))],
  ["$skip", (spec) => between(countOf(spec, 0), Number.POSITIVE_INFINITY)],
  ["$group", compileGroup],
  ["$unwind", compileUnwind],
  ["$replaceRoot", (spec, scope) => compileReplace(object(spec, 40229).newRoot, scope)],
  ["$replaceWith", compileReplace],
  ["$count", compileCount],
  ["$sample", compileSample],
] satisfies [string, (spec: unknown, scope: Scope) => Stage][]);
