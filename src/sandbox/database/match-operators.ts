import { BSONRegExp } from "bson";
import { check, DatabaseError, notSupported } from "./errors.js";
import { encodeKey } from "./keys.js";
import type { Clause } from "./matcher.js";
import { isNaNValue, isTruthy, toInteger, toNumber } from "./numbers.js";
import { compare, equal } from "./ordering.js";
import { compileRegex } from "./regex.js";
import {
  type Document,
  fieldsOf,
  isDocument,
  isNumber,
  isOperatorObject,
  kindNamed,
  kindOf,
  rankOf,
} from "./values.js";

/** One operator of a path condition. */
export interface Operator {
  name: string;
  operand: unknown;
  /** Decides on one value by itself, as `$elemMatch` does with its elements. */
  holds: (value: unknown) => boolean;
  /** Looks at a leaf array itself, not at its elements. */
  wholeOnly?: boolean;
  /** Where in a matching array the match is. */
  position?: (value: unknown) => number;
  /** The filter inside `$elemMatch`. */
  children?: Clause[];
  /** True when each of these is, or `negated`: not each (`$not`, `$ne`, `$nin`); each looks at the path anew. */
  parts?: Operator[];
  negated?: boolean;
}

type CompileFilter = (filter: Document) => Clause;

const NOT_SERVED = /^\$(bits(All|Any)(Set|Clear)|geo(Within|Intersects)|near|nearSphere)$/;
/** Inside `$elemMatch` these begin a filter on the element's fields, not a condition on the element. */
const LOGICAL = /^\$(and|or|nor|expr|where|text|comment)$/;

/** @throws DatabaseError 2 for an unknown operator or an operand it cannot take. */
export function parseOperators(spec: Document, compileFilter: CompileFilter): Operator[] {
  const names = Object.keys(spec);
  check(!names.includes("$options") || names.includes("$regex"), 2, "$options needs a $regex");
  return fieldsOf(spec)
    .filter(([name]) => name !== "$options" && name !== "$comment")
    .map(([name, operand]) => parseOperator(name, operand, compileFilter, spec.$options));
}

function parseOperator(name: string, operand: unknown, compileFilter: CompileFilter, options?: unknown): Operator {
  const simple = (holds: Operator["holds"]): Operator => ({ name, operand, holds });
  const whole = (holds: Operator["holds"]): Operator => ({ name, operand, holds, wholeOnly: true });
  const parse = (inner: string, value: unknown) => parseOperator(inner, value, compileFilter);
  switch (name) {
    case "$eq":
      return simple((value) => equal(value, operand));
    case "$ne":
      check(!(operand instanceof BSONRegExp), 2, "Can't have regex as arg to $ne.");
      return not([parse("$eq", operand)]);
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      return simple(inequality(name, operand));
    case "$in":
      return simple(membership(operand));
    case "$nin":
      return not([parse("$in", operand)]);
    case "$exists": {
      const exists: Operator = { ...whole((value) => value !== undefined), operand: true };
      return isTruthy(operand) ? exists : not([exists]);
    }
    case "$type":
      return simple(typeTest(operand));
    case "$mod":
      return simple(modulo(operand));
    case "$regex": {
      const regex = regexOf(operand, options);
      return { name, operand: regex, holds: regexTest(regex) };
    }
    case "$size": {
      const size = toInteger(operand) ?? -1;
      check(size >= 0, 2, "Failed to parse $size. Expected a non-negative integer");
      return whole((value) => Array.isArray(value) && value.length === size);
    }
    case "$all": {
      check(Array.isArray(operand), 2, "$all needs an array");
      const parts = operand.map((item) => {
        if (isDocument(item) && Object.hasOwn(item, "$elemMatch")) return parse("$elemMatch", item.$elemMatch);
        check(!isOperatorObject(item), 2, "no $ expressions in $all");
        return parse(item instanceof BSONRegExp ? "$regex" : "$eq", item);
      });
      return group(parts.length > 0 ? parts : [parse("$in", [])], false);
    }
    case "$elemMatch":
      return elemMatch(operand, compileFilter);
    case "$not": {
      if (operand instanceof BSONRegExp) return not([parse("$regex", operand)]);
      check(isDocument(operand) && Object.keys(operand).length > 0, 2, "$not needs a regex or a document");
      return not(parseOperators(operand, compileFilter));
    }
    default:
      throw NOT_SERVED.test(name) ? notSupported(name) : new DatabaseError(2, `unknown operator: ${name}`);
  }
}

function group(parts: Operator[], negated: boolean): Operator {
  const name = negated ? "$not" : "$and";
  return { name, operand: undefined, parts, negated, holds: (value) => every(parts, value) !== negated };
}

const not = (parts: Operator[]) => group(parts, true);

export const every = (operators: readonly Operator[], value: unknown) =>
  operators.every((operator) => operator.holds(value));

function inequality(name: string, operand: unknown): Operator["holds"] {
  check(!(operand instanceof BSONRegExp), 2, `Can't have RegEx as arg to predicate over field with ${name}.`);
  const orEqual = name.endsWith("e");
  const sign = name.startsWith("$g") ? 1 : -1;
  const anyType = /^(min|max)Key$/.test(kindOf(operand));
  if (isNaNValue(operand)) return (value) => orEqual && isNaNValue(value);
  return (value) => {
    if ((!anyType && rankOf(value) !== rankOf(operand)) || isNaNValue(value)) return false;
    const difference = compare(value, operand) * sign;
    return difference > 0 || (orEqual && difference === 0);
  };
}

function membership(operand: unknown): Operator["holds"] {
  check(Array.isArray(operand), 2, "$in needs an array");
  check(!operand.some(isOperatorObject), 2, "cannot nest $ under $in");
  const patterns = operand.filter((item) => item instanceof BSONRegExp).map(regexTest);
  const matches = (value: unknown) => patterns.some((test) => test(value));
  if (operand.length < 12) return (value) => operand.some((item) => equal(value, item)) || matches(value);
  const keys = new Set(operand.map((item) => encodeKey(item).toString("latin1")));
  return (value) => keys.has(encodeKey(value).toString("latin1")) || matches(value);
}

function regexOf(operand: unknown, options: unknown = ""): BSONRegExp {
  check(typeof options === "string", 2, "$options has to be a string");
  if (operand instanceof BSONRegExp) {
    check(options === "" || operand.options === "", 51075, "options set in both $regex and $options");
    return options === "" ? operand : new BSONRegExp(operand.pattern, options);
  }
  check(typeof operand === "string", 2, "$regex has to be a string");
  return new BSONRegExp(operand, [...options].sort().join(""));
}

/** Matches texts, and the same pattern itself. */
function regexTest(regex: BSONRegExp): Operator["holds"] {
  const expression = compileRegex(regex);
  return (value) =>
    rankOf(value) === rankOf("") ? expression.test(String(value)) : value instanceof BSONRegExp && equal(value, regex);
}

function typeTest(operand: unknown): Operator["holds"] {
  const wanted = Array.isArray(operand) ? operand : [operand];
  check(wanted.length > 0, 9, "$type must match at least one type");
  const kinds = wanted.map((item) => {
    const kind = item === "number" ? item : kindNamed(isNumber(item) ? toNumber(item) : item);
    check(kind !== undefined, 2, `Unknown type name alias: ${String(item)}`);
    return kind;
  });
  return (value) => kinds.includes(kindOf(value)) || (kinds.includes("number") && isNumber(value));
}

function modulo(operand: unknown): Operator["holds"] {
  check(Array.isArray(operand) && operand.length === 2, 2, "malformed mod, needs to be an array of two numbers");
  const [divisor = Number.NaN, remainder = Number.NaN] = operand.map((item) =>
    isNumber(item) ? Math.trunc(toNumber(item)) : Number.NaN,
  );
  check(Number.isFinite(divisor) && Number.isFinite(remainder), 2, "malformed mod, needs finite numbers");
  check(divisor !== 0, 2, "divisor cannot be 0");
  return (value) => isNumber(value) && Math.trunc(toNumber(value)) % divisor === remainder;
}

function elemMatch(operand: unknown, compileFilter: CompileFilter): Operator {
  check(isDocument(operand), 2, "$elemMatch needs an Object");
  const [first = ""] = Object.keys(operand);
  const onValue = first.startsWith("$") && !LOGICAL.test(first);
  const operators = onValue ? parseOperators(operand, compileFilter) : [];
  const filter = onValue ? undefined : compileFilter(operand);
  const takes = (element: unknown) => {
    if (filter === undefined) return every(operators, element);
    if (Array.isArray(element)) return filter.test(Object.fromEntries(element.entries()));
    return isDocument(element) && filter.test(element);
  };
  return {
    name: "$elemMatch",
    operand,
    wholeOnly: true,
    holds: (value) => Array.isArray(value) && value.some(takes),
    position: (value) => (Array.isArray(value) ? value.findIndex(takes) : -1),
    ...(filter && { children: [filter] }),
  };
}
