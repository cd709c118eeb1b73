import { Decimal128, Double, Int32, Long } from "bson";
import { accumulatorOf } from "./accumulators.js";
import { convert } from "./conversions.js";
import { check, DatabaseError, notSupported } from "./errors.js";
import { LIBRARY, type Operator } from "./expression-library.js";
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
type Apply = (...values: unknown[]) => unknown;

/** Reads an operand. @throws DatabaseError with the code. */
type Read<T> = (value: unknown, code: number) => T;

const MANY = 1000;

const operator = (name: string, least: number, most: number, apply: Apply): Entry => [
  name,
  { least, most, apply: (values) => apply(...values) },
];

/** Null as soon as an operand is null or missing. */
const nullable = (name: string, least: number, most: number, apply: Apply): Entry =>
  operator(name, least, most, (...values) => (values.some(isNullish) ? null : apply(...values)));

/** Any number of operands, null as soon as one is; those in front of it must be of the type. */
const several = <T>(name: string, code: number, read: Read<T>, apply: (values: T[]) => unknown): Entry =>
  operator(name, 0, MANY, (...values) => {
    const nothing = values.findIndex(isNullish);
    const known = values.slice(0, nothing < 0 ? MANY : nothing).map((value) => read(value, code));
    return nothing < 0 ? apply(known) : null;
  });

function list(value: unknown, code: number): unknown[] {
  check(Array.isArray(value), code, `an array is needed, not ${kindOf(value)}`);
  return value;
}

function text(value: unknown, code: number): string {
  check(typeof value === "string", code, `a string is needed, not ${kindOf(value)}`);
  return value;
}

function whole(value: unknown, code: number): number {
  const number = toInteger(value);
  check(number !== undefined, code, `an integer is needed, not ${String(value)}`);
  return number;
}

function numeric(value: unknown, code: number): NumberValue {
  check(isNumber(value), code, `only numeric types are supported, not ${kindOf(value)}`);
  return value;
}

function numericOrDate(value: unknown, code: number): NumberValue | Date {
  return value instanceof Date ? value : numeric(value, code);
}

/** What plain numbers cannot do exactly is refused. */
function plain(value: unknown, code: number): number {
  const number = numeric(value, code);
  const exact = number instanceof Double || (!(number instanceof Decimal128) && toInteger(number) !== undefined);
  if (!exact) throw notSupported("arithmetic on such numbers");
  return toNumber(number);
}

/** `compute` on plain numbers; the result is of the widest class of the operands, or a double when it is no exact integer. */
const math = (name: string, code: number, least: number, most: number, compute: (...numbers: number[]) => number) =>
  nullable(name, least, most, (...values) => {
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
  math(name, 51081, 1, 2, (value, places = 0) => {
    check(Number.isInteger(places) && Math.abs(places) <= 20, 51083, "the precision must be an integer in [-20, 20]");
    return Number.isInteger(value) && places >= 0 ? value : shifted(round(shifted(value, places)), -places);
  });

function sum(values: (NumberValue | Date)[]): unknown {
  const dates = values.filter((value) => value instanceof Date).map((date) => date.getTime());
  check(dates.length < 2, 16612, "only one date allowed in an $add expression");
  const total = values.reduce<NumberValue>((so, value) => (value instanceof Date ? so : add(so, value)), new Int32(0));
  return dates[0] === undefined ? total : new Date(dates[0] + Math.round(toNumber(total)));
}

function difference(a: unknown, b: unknown): unknown {
  if (!(a instanceof Date)) return subtract(numeric(a, 14), numeric(b, 14));
  if (b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  return new Date(a.getTime() - Math.round(toNumber(numeric(b, 14))));
}

function pair(value: unknown): [string, unknown] {
  const [key, field] = Array.isArray(value) ? value : isDocument(value) ? [value.k, value.v] : [];
  return [text(key, 40386), field];
}

/** In expressions a missing value comes after MinKey and before null. */
const present = (value: unknown) => (value === undefined ? EMPTY_ARRAY : value);
const comparison = (name: string, holds: (difference: number) => unknown) =>
  operator(name, 2, 2, (a, b) => holds(compare(present(a), present(b))));
const contains = (values: unknown[], wanted: unknown) => values.some((value) => compare(value, present(wanted)) === 0);
const subset = (part: unknown[], all: unknown[]) => part.every((value) => contains(all, value));
const sortedSet = (values: unknown[]) => distinctValues(values).sort(compare);

const cased = (name: string, change: (value: string) => string) =>
  operator(name, 1, 1, (value) => {
    const convertible = isNullish(value) || isNumber(value) || typeof value === "string" || value instanceof Date;
    check(convertible, 16007, `can't convert from BSON type ${kindOf(value)} to String`);
    return change(String(convert(value, "string") ?? ""));
  });

function converted(args: unknown): unknown {
  check(isDocument(args), 9, "$convert expects an object of named arguments");
  const { input, to, onError, onNull = null, ...others } = args;
  check(Object.keys(others).length === 0, 9, "$convert found an unknown argument");
  if (isNullish(input) || isNullish(to)) return isNullish(input) ? onNull : null;
  try {
    return convert(input, String(to));
  } catch (error) {
    if (error instanceof DatabaseError && error.code === 241 && Object.hasOwn(args, "onError")) return onError;
    throw error;
  }
}

/** One operand that is an array stands for its elements. */
const accumulated = (name: string) =>
  operator(name, 0, MANY, (...values) =>
    accumulatorOf(name)(values.length === 1 && Array.isArray(values[0]) ? values[0] : values),
  );

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ...LIBRARY,
  comparison("$cmp", (difference) => new Int32(Math.sign(difference))),
  comparison("$eq", (difference) => difference === 0),
  comparison("$ne", (difference) => difference !== 0),
  comparison("$gt", (difference) => difference > 0),
  comparison("$gte", (difference) => difference >= 0),
  comparison("$lt", (difference) => difference < 0),
  comparison("$lte", (difference) => difference <= 0),
  operator("$not", 1, 1, (value) => !isTruthy(value)),
  several("$add", 14, numericOrDate, sum),
  several("$multiply", 14, numeric, (values) => values.reduce(multiply, new Int32(1))),
  nullable("$subtract", 2, 2, difference),
  nullable("$divide", 2, 2, (a, b) => new Double(plain(a, 14) / divisor(plain(b, 14), 2))),
  math("$mod", 16611, 2, 2, (a, b = 0) => a % divisor(b, 16610)),
  math("$abs", 28765, 1, 1, Math.abs),
  math("$ceil", 28765, 1, 1, Math.ceil),
  math("$floor", 28765, 1, 1, Math.floor),
  roundingTo("$round", halfToEven),
  roundingTo("$trunc", Math.trunc),
  ...["$sum", "$avg", "$min", "$max", "$mergeObjects"].map(accumulated),
  operator("$isArray", 1, 1, Array.isArray),
  operator("$isNumber", 1, 1, isNumber),
  operator("$size", 1, 1, (value) => new Int32(list(value, 17124).length)),
  operator("$in", 2, 2, (wanted, values) => contains(list(values, 40081), wanted)),
  nullable("$arrayElemAt", 2, 2, (values, at) => list(values, 28689).at(whole(at, 28690))),
  nullable("$first", 1, 1, (values) => list(values, 28689)[0]),
  nullable("$last", 1, 1, (values) => list(values, 28689).at(-1)),
  nullable("$reverseArray", 1, 1, (values) => [...list(values, 34435)].reverse()),
  nullable("$slice", 2, 3, (values, first, count) => {
    const most = count === undefined ? undefined : whole(count, 28727);
    check(most === undefined || most > 0, 28729, "Third argument to $slice must be positive");
    return slice(list(values, 28724), whole(first, 28725), most);
  }),
  nullable("$range", 2, 3, (from, to, step = new Int32(1)) => {
    const [start, end, by] = [whole(from, 34443), whole(to, 34444), whole(step, 34446)];
    check(by !== 0, 34449, "$range requires a non-zero step value");
    return Array.from({ length: Math.max(0, Math.ceil((end - start) / by)) }, (_, at) => integer(start + at * by));
  }),
  nullable("$arrayToObject", 1, 1, (pairs) => documentOf(list(pairs, 40386).map(pair))),
  nullable("$objectToArray", 1, 1, (value) => {
    check(isDocument(value), 40390, "$objectToArray requires a document input");
    return fieldsOf(value).map(([k, v]) => ({ k, v }));
  }),
  several("$concatArrays", 28664, list, (lists) => lists.flat()),
  several("$setUnion", 17043, list, (sets) => sortedSet(sets.flat())),
  several("$setIntersection", 17047, list, ([first = [], ...rest]) =>
    sortedSet(first.filter((value) => rest.every((other) => contains(other, value)))),
  ),
  nullable("$setDifference", 2, 2, (a, b) => {
    const [part, other] = [list(a, 17048), list(b, 17049)];
    return distinctValues(part.filter((value) => !contains(other, value)));
  }),
  operator("$setEquals", 2, 2, (a, b) => subset(list(a, 17044), list(b, 17044)) && subset(list(b, 0), list(a, 0))),
  operator("$setIsSubset", 2, 2, (part, all) => subset(list(part, 17046), list(all, 17042))),
  several("$concat", 16702, text, (values) => values.join("")),
  cased("$toLower", (value) => value.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  cased("$toUpper", (value) => value.replace(/[a-z]+/g, (part) => part.toUpperCase())),
  operator("$type", 1, 1, (value) => (value === undefined ? "missing" : kindOf(value))),
  operator("$convert", 1, 1, converted),
  ...["string", "int", "long", "double", "bool", "date", "objectId"].map((kind) =>
    operator(`$to${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, 1, 1, (value) => convert(value, kind)),
  ),
]);

/** MongoDB 7 has these too. */
const NOT_SERVED = new Set(
  `accumulator acos acosh allElementsTrue anyElementTrue asin asinh atan atan2 atanh binarySize bitAnd bitNot bitOr bitXor
   bsonSize cos cosh dateDiff dateFromParts dateFromString dateToParts degreesToRadians exp firstN function getField
   indexOfArray indexOfBytes indexOfCP isoWeek isoWeekYear lastN ln log log10 maxN median meta minN percentile pow
   radiansToDegrees rand regexFind regexFindAll sampleRate setField sin sinh sortArray sqrt stdDevPop stdDevSamp strcasecmp
   tan tanh toDecimal toHashedIndexKey tsIncrement tsSecond unsetField week zip`.split(/\s+/),
);

/** @throws DatabaseError 168 for an unknown operator, 115 for one that is not served here. */
export function operatorOf(name: string): Operator {
  if (NOT_SERVED.has(name.slice(1))) throw notSupported(name);
  const operator = OPERATORS.get(name);
  check(operator !== undefined, 168, `Unrecognized expression '${name}'`);
  return operator;
}
