import { randomBytes } from "node:crypto";
import { Long } from "bson";
import { accumulatorOf } from "./accumulators.js";
import { check } from "./errors.js";
import { compileExpression, compileOnRoot, onRoot, type Scope } from "./expressions.js";
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

function between(spec: unknown, least: 0 | 1): Stage {
  const count = toInteger(spec) ?? -1;
  check(count >= least, least === 1 ? 15958 : 5107200, "the number of documents must be a positive whole number");
  const [skip, end] = least === 1 ? [0, count] : [count, Number.POSITIVE_INFINITY];
  return function* (input) {
    let seen = 0;
    for (const document of input) {
      seen += 1;
      if (seen > skip) yield document;
      if (seen >= end) return;
    }
  };
}

function compileProject(spec: unknown, scope: Scope): Stage {
  check(Object.keys(object(spec, 15969)).length > 0, 51272, "a $project specification must have at least one field");
  const project = compileProjection(object(spec, 15969), scope, false);
  return mapped((document) => [project(document)]);
}

function compileSet(spec: unknown, scope: Scope): Stage {
  const change = compileAddFields(object(spec, 40272), scope);
  return mapped((document) => [change(document)]);
}

/** Groups come out in the order they were first met. */
function compileGroup(spec: unknown, scope: Scope): Stage {
  const { _id, ...accumulated } = object(spec, 15947);
  check(_id !== undefined, 15955, "a group specification must include an _id");
  const id = compileExpression(_id, scope);
  const fields = fieldsOf(accumulated).map(([name, value]) => {
    const [[operator = "", operand] = [], ...others] = fieldsOf(object(value, 40234));
    const single = operator.startsWith("$") && others.length === 0 && !(Array.isArray(operand) && operand.length !== 1);
    check(single && !name.includes("."), 40234, `The field '${name}' must be an accumulator object`);
    return { name, evaluate: compileExpression(operand, scope), total: accumulatorOf(operator) };
  });
  return function* (input) {
    const groups = new Map<string, { id: unknown; values: unknown[][] }>();
    for (const root of input) {
      const variables = onRoot(scope, root);
      const value = id(variables) ?? null;
      const key = encodeKey(value).toString("latin1");
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
  const options: Document = typeof spec === "string" ? { path: spec } : object(spec, 15981);
  const { path, includeArrayIndex: index, preserveNullAndEmptyArrays: preserve = false, ...others } = options;
  check(typeof path === "string" && path.startsWith("$"), 28818, "$unwind needs a path prefixed with a '$'");
  check(Object.keys(others).length === 0 && typeof preserve === "boolean", 28811, "unrecognized option to $unwind");
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
    if (!Array.isArray(value)) return isNullish(value) && !preserve ? [] : [unwound(document, value, null)];
    if (value.length === 0) return preserve ? [unwound(document, undefined, null)] : [];
    return value.map((element, at) => unwound(document, element, Long.fromNumber(at)));
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

/** The stages that read nothing but what comes in, with MongoDB's codes for malformed specifications. */
export const STAGES: Readonly<Record<string, (spec: unknown, scope: Scope) => Stage>> = {
  $match: (spec, scope) => {
    const filter = compileFilter(object(spec, 15959), scope);
    return mapped((document) => (filter.test(document) ? [document] : []));
  },
  $project: compileProject,
  $addFields: compileSet,
  $set: compileSet,
  $unset: (spec, scope) => {
    const names = [spec].flat();
    const valid = names.every((name) => typeof name === "string");
    check(valid, 31120, "$unset takes a string or an array of strings");
    return compileProject(Object.fromEntries(names.map((name) => [name, false])), scope);
  },
  $sort: (spec) => {
    const { fields, key } = compileSort(spec);
    check(fields.length > 0, 15976, "$sort stage must have at least one sort key");
    return (input) => sorted(input, key);
  },
  $limit: (spec) => between(spec, 1),
  $skip: (spec) => between(spec, 0),
  $group: compileGroup,
  $unwind: compileUnwind,
  $replaceRoot: (spec, scope) => compileReplace(object(spec, 40229).newRoot, scope),
  $replaceWith: compileReplace,
  $count: (name, scope) => {
    const valid = typeof name === "string" && /^[^$.][^.]*$/.test(name);
    check(valid, 40156, "the count field must be a non-empty string without '$' in front and without '.'");
    const group = compileGroup({ _id: null, [name]: { $count: {} } }, scope);
    return (input) => mapped(({ _id, ...count }) => [count])(group(input));
  },
  $sample: (spec) => {
    const size = toInteger(object(spec, 28745).size) ?? -1;
    check(size >= 0, 28747, "size argument to $sample must be a non-negative number");
    return (input) => sorted(input, () => randomBytes(8), size);
  },
};
