import { Decimal128, Double, Int32, Long } from "bson";
import { accumulatorOf } from "./accumulators.js";
import { convert } from "./conversions.js";
import { check, DatabaseError, notSupported } from "./errors.js";
import type { Operator } from "./expression-library.js";
import { add, integer, isTruthy, multiply, subtract, toInteger, toNumber } from "./numbers.js";
import { compare, distinctValues } from "./ordering.js";
import { slice } from "./paths.js";
import {
  documentOf,
  EMPTY_ARRAY,
  fieldsOf,
  isDocument,
  isNullish,
  isNumber,
  kindOf,
  type NumberValue,
} from "./values.js";

type Entry = [string, Operator];

const MANY = Number.POSITIVE_INFINITY;

const operator = (name: string, least: number, most: number, apply: Operator["apply"]): Entry => [
  name,
  { least, most, apply },
];
/** Null as soon as an operand is null or missing. */
const nullable = (name: string, least: number, most: number, apply: Operator["apply"]) =>
  operator(name, least, most, (values) => (values.some(isNullish) ? null : apply(values)));

/** In expressions a missing value comes after MinKey and before null. */
const ordered = (a: unknown, b: unknown) =>
  compare(a === undefined ? EMPTY_ARRAY : a, b === undefined ? EMPTY_ARRAY : b);
const comparison = (name: string, holds: (difference: number) => unknown) =>
  operator(name, 2, 2, ([a, b]) => holds(ordered(a, b)));

function numeric(value: unknown, code = 14): NumberValue {
  check(isNumber(value), code, `only numeric types are supported, not ${kindOf(value)}`);
  return value;
}

/** What plain numbers cannot do exactly is refused. */
function plain(value: unknown, code: number): number {
  const number = numeric(value, code);
  const exact = number instanceof Double || (!(number instanceof Decimal128) && toInteger(number) !== undefined);
  if (!exact) throw notSupported("arithmetic on such numbers");
  return toNumber(number);
}

/** `compute` on plain numbers; the result is of the widest class of the operands, or a double when it is no exact integer. */
const math = (name: string, least: number, most: number, code: number, compute: (...numbers: number[]) => number) =>
  nullable(name, least, most, (values) => {
    const result = compute(...values.map((value) => plain(value, code)));
    if (values.some((value) => value instanceof Double) || !Number.isSafeInteger(result)) return new Double(result);
    return values.some((value) => value instanceof Long) ? Long.fromNumber(result) : integer(result);
  });

function divisor(value: number, code: number): number {
  check(value !== 0, code, "division by zero");
  return value;
}

/** Moves the decimal point, without an error in the digits. */
function shifted(value: number, places: number): number {
  const [digits, exponent = "0"] = String(value).split("e");
  return Number.isFinite(value) ? Number(`${digits}e${Number(exponent) + places}`) : value;
}

function halfToEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** To `places` digits after the point (negative: before it). */
const roundingTo = (name: string, round: (value: number) => number) =>
  math(name, 1, 2, 51081, (value, places = 0) => {
    check(Number.isInteger(places) && places >= -20 && places <= 100, 51083, "the precision must be in [-20, 100]");
    return Number.isInteger(value) && places >= 0 ? value : shifted(round(shifted(value, places)), -places);
  });

function sum(values: unknown[]): unknown {
  const [date, ...others] = values.filter((value) => value instanceof Date);
  check(others.length === 0, 16612, "only one date allowed in an $add expression");
  const total = values
    .filter((value) => value !== date)
    .map((value) => numeric(value))
    .reduce(add, new Int32(0));
  return date === undefined ? total : new Date(date.getTime() + Math.round(toNumber(total)));
}

function difference([a, b]: unknown[]): unknown {
  if (!(a instanceof Date)) return subtract(numeric(a), numeric(b));
  if (b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  return new Date(a.getTime() - Math.round(toNumber(numeric(b))));
}

function array(value: unknown, code: number): unknown[] {
  check(Array.isArray(value), code, `an array is needed, not ${kindOf(value)}`);
  return value;
}

const ofArray = (name: string, code: number, apply: (list: unknown[]) => unknown) =>
  nullable(name, 1, 1, ([value]) => apply(array(value, code)));

function whole(value: unknown, code: number): number {
  const number = toInteger(value);
  check(number !== undefined, code, `an integer is needed, not ${String(value)}`);
  return number;
}

function range([start, end, step = new Int32(1)]: unknown[]): unknown {
  const [from, to, by] = [whole(start, 34443), whole(end, 34444), whole(step, 34446)];
  check(by !== 0, 34449, "$range requires a non-zero step value");
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / by)) }, (_, at) => integer(from + at * by));
}

function pair(value: unknown): [string, unknown] {
  const [key, field] = Array.isArray(value) ? value : isDocument(value) ? [value.k, value.v] : [];
  check(typeof key === "string", 40386, "$arrayToObject requires an array of key-value pairs with string keys");
  return [key, field];
}

/** The operands up to the first that is null or missing, each as `test` wants it, and whether there is such a one. */
function untilNull(values: unknown[], test: (value: unknown) => boolean, code: number): boolean {
  const nothing = values.findIndex(isNullish);
  check(values.slice(0, nothing < 0 ? undefined : nothing).every(test), code, "an operand is of the wrong type");
  return nothing >= 0;
}

const contains = (values: readonly unknown[], wanted: unknown) => values.some((value) => ordered(value, wanted) === 0);
const subset = (part: readonly unknown[], all: readonly unknown[]) => part.every((value) => contains(all, value));

/** Of arrays; null when one of them is. */
const ofArrays = (
  name: string,
  code: number,
  least: number,
  most: number,
  apply: (...lists: unknown[][]) => unknown[],
) =>
  operator(name, least, most, (values) =>
    untilNull(values, Array.isArray, code) ? null : apply(...(values as unknown[][])),
  );
/** Of arrays; null is refused. */
const overSets = (name: string, code: number, least: number, most: number, apply: (...sets: unknown[][]) => boolean) =>
  operator(name, least, most, (values) => apply(...values.map((value) => array(value, code))));

const sortedSet = (values: unknown[]) => distinctValues(values).sort(compare);

const cased = (name: string, change: (value: string) => string) =>
  operator(name, 1, 1, ([value]) => {
    const convertible = isNullish(value) || isNumber(value) || typeof value === "string" || value instanceof Date;
    check(convertible, 16007, `can't convert from BSON type ${kindOf(value)} to String`);
    return change(String(convert(value, "string") ?? ""));
  });

function converted([args]: unknown[]): unknown {
  check(isDocument(args), 9, "$convert expects an object of named arguments");
  const { input, to, onError, onNull = null, ...others } = args;
  check(Object.keys(others).length === 0, 9, "$convert found an unknown argument");
  if (isNullish(input) || isNullish(to)) return isNullish(input) ? onNull : null;
  try {
    return convert(input, to);
  } catch (error) {
    if (error instanceof DatabaseError && error.code === 241 && Object.hasOwn(args, "onError")) return onError;
    throw error;
  }
}

/** One operand that is an array stands for its elements. */
const accumulated = (name: string) =>
  operator(name, 0, MANY, (values) => {
    const [only] = values;
    return accumulatorOf(name)(values.length === 1 && Array.isArray(only) ? only : values);
  });

export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  comparison("$cmp", (difference) => new Int32(Math.sign(difference))),
  comparison("$eq", (difference) => difference === 0),
  comparison("$ne", (difference) => difference !== 0),
  comparison("$gt", (difference) => difference > 0),
  comparison("$gte", (difference) => difference >= 0),
  comparison("$lt", (difference) => difference < 0),
  comparison("$lte", (difference) => difference <= 0),
  operator("$not", 1, 1, ([value]) => !isTruthy(value)),
  nullable("$add", 0, MANY, sum),
  nullable("$subtract", 2, 2, difference),
  nullable("$multiply", 0, MANY, (values) => values.map((value) => numeric(value)).reduce(multiply, new Int32(1))),
  nullable("$divide", 2, 2, ([a, b]) => new Double(plain(a, 14) / divisor(plain(b, 14), 2))),
  math("$mod", 2, 2, 16611, (a, b = 1) => a % divisor(b, 16610)),
  math("$abs", 1, 1, 28765, Math.abs),
  math("$ceil", 1, 1, 28765, Math.ceil),
  math("$floor", 1, 1, 28765, Math.floor),
  roundingTo("$round", halfToEven),
  roundingTo("$trunc", Math.trunc),
  ...["$sum", "$avg", "$min", "$max", "$mergeObjects"].map(accumulated),
  nullable("$arrayElemAt", 2, 2, ([values, at]) => array(values, 28689).at(whole(at, 28690))),
  ofArray("$first", 28689, (list) => list[0]),
  ofArray("$last", 28689, (list) => list.at(-1)),
  ofArray("$reverseArray", 34435, (list) => [...list].reverse()),
  ofArray("$arrayToObject", 40386, (list) => documentOf(list.map(pair))),
  nullable("$objectToArray", 1, 1, ([value]) => {
    check(isDocument(value), 40390, `$objectToArray requires a document input, found: ${kindOf(value)}`);
    return fieldsOf(value).map(([k, v]) => ({ k, v }));
  }),
  nullable("$slice", 2, 3, ([list, first, count]) => {
    const most = count === undefined ? undefined : whole(count, 28727);
    check(most === undefined || most > 0, 28729, "Third argument to $slice must be positive");
    return slice(array(list, 28724), whole(first, 28725), most);
  }),
  operator("$isArray", 1, 1, ([value]) => Array.isArray(value)),
  operator("$isNumber", 1, 1, ([value]) => isNumber(value)),
  operator("$size", 1, 1, ([value]) => new Int32(array(value, 17124).length)),
  operator("$range", 2, 3, range),
  operator("$in", 2, 2, ([wanted, list]) => contains(array(list, 40081), wanted)),
  ofArrays("$concatArrays", 28664, 0, MANY, (...lists) => lists.flat()),
  ofArrays("$setUnion", 17043, 0, MANY, (...sets) => sortedSet(sets.flat())),
  ofArrays("$setIntersection", 17047, 0, MANY, (head = [], ...rest) =>
    sortedSet(head.filter((value) => rest.every((part) => contains(part, value)))),
  ),
  ofArrays("$setDifference", 17048, 2, 2, (a = [], b = []) => distinctValues(a.filter((value) => !contains(b, value)))),
  overSets("$setEquals", 17044, 2, 2, (a = [], b = []) => subset(a, b) && subset(b, a)),
  overSets("$setIsSubset", 17046, 2, 2, (part = [], all = []) => subset(part, all)),
  operator("$concat", 0, MANY, (values) =>
    untilNull(values, (value) => typeof value === "string", 16702) ? null : values.join(""),
  ),
  cased("$toLower", (value) => value.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  cased("$toUpper", (value) => value.replace(/[a-z]+/g, (part) => part.toUpperCase())),
  operator("$type", 1, 1, ([value]) => (value === undefined ? "missing" : kindOf(value))),
  operator("$convert", 1, 1, converted),
  ...["string", "int", "long", "double", "bool", "date", "objectId"].map((kind) =>
    operator(`$to${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, 1, 1, ([value]) => convert(value, kind)),
  ),
]);
