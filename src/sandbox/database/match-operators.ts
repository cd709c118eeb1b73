import { BSONRegExp } from "bson";
import { DatabaseError, notSupported } from "./errors.js";
import { encodeKey } from "./keys.js";
import type { Clause } from "./matcher.js";
import { isNaNValue, toInteger, toNumber } from "./numbers.js";
import { bytesOf, compare, equal, rankOf } from "./ordering.js";
import { compileRegex } from "./regex.js";
import { type Document, fieldsOf, isDocument, isNumber, type Kind, kindOf } from "./values.js";

/** One operator of a path condition; either `holds` decides on a value, or `negated` or `each` hold further operators. */
export interface Operator {
  name: string;
  operand: unknown;
  holds: (value: unknown) => boolean;
  /** Looks at a leaf array itself, not at its elements. */
  wholeOnly?: boolean;
  /** Where in a matching array the match is. */
  position?: (value: unknown) => number | undefined;
  /** The filter inside `$elemMatch`. */
  children?: Clause[];
  /** `$not`, `$ne`, `$nin`: true unless all of these are. */
  negated?: Operator[];
  /** `$all`: each of these, separately. */
  each?: Operator[];
}

type CompileFilter = (filter: Document) => Clause;

const bad = (message: string) => new DatabaseError(2, message);

/** @throws DatabaseError 2 for an unknown operator or an operand it cannot take. */
export function parseOperators(spec: Document, compileFilter: CompileFilter): Operator[] {
  const operators: Operator[] = [];
  for (const [name, operand] of fieldsOf(spec)) {
    if (name === "$options") {
      if (!Object.hasOwn(spec, "$regex")) {
        throw bad("$options needs a $regex");
      }
    } else if (name !== "$comment") {
      operators.push(parseOperator(name, operand, spec, compileFilter));
    }
  }
  return operators;
}

function parseOperator(name: string, operand: unknown, spec: Document, compileFilter: CompileFilter): Operator {
  const simple = (holds: Operator["holds"]): Operator => ({ name, operand, holds });
  const whole = (holds: Operator["holds"]): Operator => ({ name, operand, holds, wholeOnly: true });
  const not = (negated: Operator[]): Operator => ({ name, operand, holds: () => false, negated });
  switch (name) {
    case "$eq":
      return simple((value) => equal(value, operand));
    case "$ne":
      if (operand instanceof BSONRegExp) {
        throw bad("Can't have regex as arg to $ne.");
      }
      return not([parseOperator("$eq", operand, spec, compileFilter)]);
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      return simple(inequality(name, operand));
    case "$in":
      return simple(membership(name, operand));
    case "$nin":
      return not([{ name: "$in", operand, holds: membership(name, operand) }]);
    case "$exists": {
      const present = !(operand === false || operand === null || (isNumber(operand) && toNumber(operand) === 0));
      const exists = whole((value) => value !== undefined);
      return present ? { ...exists, operand: true } : not([exists]);
    }
    case "$type":
      return simple(typeTest(operand));
    case "$mod":
      return simple(modulo(operand));
    case "$regex": {
      const regex = regexOf(operand, spec.$options);
      const expression = compileRegex(regex.pattern, regex.options);
      return { name, operand: regex, holds: (value) => regexHolds(value, regex, expression) };
    }
    case "$size": {
      const size = toInteger(operand);
      if (size === undefined || size < 0) {
        throw bad(`Failed to parse $size. Expected a non-negative integer, not ${String(operand)}`);
      }
      return whole((value) => Array.isArray(value) && value.length === size);
    }
    case "$all":
      return allOf(operand, spec, compileFilter);
    case "$elemMatch":
      return elemMatch(operand, compileFilter);
    case "$not": {
      if (operand instanceof BSONRegExp) {
        return not([parseOperator("$regex", operand, {}, compileFilter)]);
      }
      if (!isDocument(operand) || Object.keys(operand).length === 0) {
        throw bad("$not needs a regex or a document");
      }
      return not(parseOperators(operand, compileFilter));
    }
    case "$bitsAllSet":
    case "$bitsAllClear":
    case "$bitsAnySet":
    case "$bitsAnyClear":
      return simple(bits(name, operand));
    case "$geoWithin":
    case "$geoIntersects":
    case "$near":
    case "$nearSphere":
      throw notSupported(name);
    default:
      throw bad(`unknown operator: ${name}`);
  }
}

function inequality(name: "$gt" | "$gte" | "$lt" | "$lte", operand: unknown): Operator["holds"] {
  if (operand instanceof BSONRegExp) {
    throw bad(`Can't have RegEx as arg to predicate over field with ${name}.`);
  }
  const orEqual = name.endsWith("e");
  const sign = name.startsWith("$g") ? 1 : -1;
  const rank = rankOf(operand);
  const anyRank = kindOf(operand) === "minKey" || kindOf(operand) === "maxKey";
  if (isNaNValue(operand)) {
    return (value) => orEqual && isNaNValue(value);
  }
  return (value) => {
    if ((rankOf(value) !== rank && !anyRank) || isNaNValue(value)) {
      return false;
    }
    const difference = compare(value, operand);
    return difference === 0 ? orEqual : difference * sign > 0;
  };
}

const MANY = 12;

function membership(name: string, operand: unknown): Operator["holds"] {
  if (!Array.isArray(operand)) {
    throw bad(`${name} needs an array`);
  }
  const expressions: [BSONRegExp, RegExp][] = [];
  for (const item of operand) {
    if (item instanceof BSONRegExp) {
      expressions.push([item, compileRegex(item.pattern, item.options)]);
    } else if (
      isDocument(item) &&
      Object.keys(item)[0]?.startsWith("$") &&
      Object.getPrototypeOf(item) === Object.prototype
    ) {
      throw bad(`cannot nest $ under ${name}`);
    }
  }
  const matchesExpression = (value: unknown) =>
    expressions.some(([regex, expression]) => regexHolds(value, regex, expression));
  if (operand.length < MANY) {
    return (value) => operand.some((item) => equal(value, item)) || matchesExpression(value);
  }
  const keys = new Set(operand.map((item) => encodeKey(item).toString("latin1")));
  return (value) => keys.has(encodeKey(value).toString("latin1")) || matchesExpression(value);
}

function regexOf(operand: unknown, options: unknown): BSONRegExp {
  if (operand instanceof BSONRegExp) {
    if (typeof options === "string" && operand.options !== "") {
      throw new DatabaseError(51075, "options set in both $regex and $options");
    }
    return typeof options === "string" ? new BSONRegExp(operand.pattern, options) : operand;
  }
  if (typeof operand !== "string") {
    throw bad("$regex has to be a string");
  }
  if (options !== undefined && typeof options !== "string") {
    throw bad("$options has to be a string");
  }
  return new BSONRegExp(operand, [...(options ?? "")].sort().join(""));
}

function regexHolds(value: unknown, regex: BSONRegExp, expression: RegExp): boolean {
  const kind = kindOf(value);
  return kind === "string" || kind === "symbol"
    ? expression.test(String(value))
    : kind === "regex" && equal(value, regex);
}

const TYPE_NUMBERS: Readonly<Record<number, Kind>> = {
  1: "double",
  2: "string",
  3: "object",
  4: "array",
  5: "binData",
  7: "objectId",
  8: "bool",
  9: "date",
  10: "null",
  11: "regex",
  13: "javascript",
  14: "symbol",
  16: "int",
  17: "timestamp",
  18: "long",
  19: "decimal",
  [-1]: "minKey",
  127: "maxKey",
};

function typeTest(operand: unknown): Operator["holds"] {
  const wanted = new Set<Kind>();
  for (const item of Array.isArray(operand) ? operand : [operand]) {
    if (item === "number") {
      for (const kind of ["int", "double", "long", "decimal"] as const) {
        wanted.add(kind);
      }
      continue;
    }
    const kind = isNumber(item)
      ? TYPE_NUMBERS[toNumber(item)]
      : Object.values(TYPE_NUMBERS).find((known) => known === item);
    if (kind === undefined) {
      throw bad(`Unknown type name alias: ${String(item)}`);
    }
    wanted.add(kind);
  }
  if (wanted.size === 0) {
    throw new DatabaseError(9, "$type must match at least one type");
  }
  return (value) => wanted.has(kindOf(value));
}

function modulo(operand: unknown): Operator["holds"] {
  if (!Array.isArray(operand) || operand.length !== 2) {
    throw bad("malformed mod, needs to be an array of two numbers");
  }
  const [divisor, remainder] = operand.map((item) => (isNumber(item) ? Math.trunc(toNumber(item)) : Number.NaN));
  if (!Number.isFinite(divisor) || !Number.isFinite(remainder)) {
    throw bad("malformed mod, divisor and remainder must be finite numbers");
  }
  if (divisor === 0) {
    throw bad("divisor cannot be 0");
  }
  return (value) => isNumber(value) && Math.trunc(toNumber(value)) % Number(divisor) === Number(remainder);
}

function allOf(operand: unknown, spec: Document, compileFilter: CompileFilter): Operator {
  if (!Array.isArray(operand)) {
    throw bad("$all needs an array");
  }
  const each = operand.map((item) => {
    if (isDocument(item) && Object.hasOwn(item, "$elemMatch")) {
      return elemMatch(item.$elemMatch, compileFilter);
    }
    if (isDocument(item) && Object.keys(item)[0]?.startsWith("$") && Object.getPrototypeOf(item) === Object.prototype) {
      throw bad("no $ expressions in $all");
    }
    return parseOperator(
      item instanceof BSONRegExp ? "$regex" : "$eq",
      item,
      { ...spec, $options: undefined },
      compileFilter,
    );
  });
  return { name: "$all", operand, holds: () => false, each };
}

const LOGICAL = new Set(["$and", "$or", "$nor", "$expr", "$where", "$text", "$comment"]);

function elemMatch(operand: unknown, compileFilter: CompileFilter): Operator {
  if (!isDocument(operand)) {
    throw bad("$elemMatch needs an Object");
  }
  const first = Object.keys(operand)[0];
  let holds: (element: unknown) => boolean;
  let children: Clause[] | undefined;
  if (first?.startsWith("$") && !LOGICAL.has(first)) {
    const operators = parseOperators(operand, compileFilter);
    holds = (element) => operators.every((operator) => holdsFor(operator, element));
  } else {
    const filter = compileFilter(operand);
    children = [filter];
    holds = (element) => (isDocument(element) || Array.isArray(element)) && filter.test(asDocument(element));
  }
  const position = (value: unknown) => (Array.isArray(value) ? value.findIndex(holds) : undefined);
  return {
    name: "$elemMatch",
    operand,
    wholeOnly: true,
    holds: (value) => Array.isArray(value) && value.some(holds),
    position,
    ...(children && { children }),
  };
}

function asDocument(element: Document | unknown[]): Document {
  return Array.isArray(element) ? Object.fromEntries(element.entries()) : element;
}

/** Decides on one value by itself, as `$elemMatch` does with its elements and `$pull` with plain conditions. */
export function holdsFor(operator: Operator, value: unknown): boolean {
  if (operator.negated !== undefined) {
    return !operator.negated.every((inner) => holdsFor(inner, value));
  }
  if (operator.each !== undefined) {
    return operator.each.length > 0 && operator.each.every((inner) => holdsFor(inner, value));
  }
  return operator.holds(value);
}

function bits(name: string, operand: unknown): Operator["holds"] {
  let mask = 0n;
  if (Array.isArray(operand)) {
    for (const item of operand) {
      const place = toInteger(item);
      if (place === undefined || place < 0) {
        throw bad(`bit positions must be non-negative integers, not ${String(item)}`);
      }
      mask |= 1n << BigInt(place);
    }
  } else if (kindOf(operand) === "binData") {
    mask = [...bytesOf(operand)].reduceRight((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
  } else {
    const number = toInteger(operand);
    if (number === undefined || number < 0) {
      throw new DatabaseError(9, `${name} takes an Array, a number, or a BinData`);
    }
    mask = BigInt(number);
  }
  return (value) => {
    const number = toInteger(value);
    const found =
      kindOf(value) === "binData" ? [...bytesOf(value)].reduceRight((b, byte) => (b << 8n) | BigInt(byte), 0n) : number;
    if (found === undefined) {
      return false;
    }
    const set = BigInt(found) & mask;
    switch (name) {
      case "$bitsAllSet":
        return set === mask;
      case "$bitsAllClear":
        return set === 0n;
      case "$bitsAnySet":
        return set !== 0n;
      default:
        return set !== mask;
    }
  };
}
