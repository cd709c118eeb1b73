import { Decimal128, Double, Int32, Long, ObjectId, Timestamp } from "bson";
import { Context, evalExpr } from "mingo/core";
import * as dates from "mingo/operators/expression/date";
import { check, lookUp, notSupported } from "../errors.js";
import { accumulatorOf } from "./accumulators.js";
import type { Evaluate, Scope } from "./expressions.js";
import { add, isTruthy, multiply, subtract, toInteger, toNumber } from "./numbers.js";
import { compare } from "./ordering.js";
import { slice } from "./paths.js";
import { type Document, EMPTY_ARRAY, isNullish, isNumber, kindOf, type NumberValue } from "./values.js";

/** An operator of expressions: its operands and its function. */
export interface Operator {
  /** Number of operands in a list; one operand may stand alone. */
  least: number;
  most: number;
  /**
   * Names of operands in a document, each with the expression that replaces a missing operand. `undefined` makes it
   * required.
   */
  names?: Readonly<Document>;
  /** True when the second operand names a variable that the last operand can use. */
  binds?: boolean;
  run: (scope: Scope, ...operands: Evaluate[]) => unknown;
}

const MAX_OPERANDS = 1000;

/** Creates an operator whose operands are all evaluated first. */
const eager = (least: number, most: number, apply: (...values: unknown[]) => unknown): Operator => ({
  least,
  most,
  run: (scope, ...operands) => apply(...operands.map((operand) => operand(scope))),
});

/** Declares required operands. */
const required = (...names: string[]): Document => Object.fromEntries(names.map((name) => [name, undefined]));

/** Creates an operator with named operands, or with `places` operands in a list. A missing value is null. */
const named = (names: Document, apply: (...values: unknown[]) => unknown, places = 0): Operator => ({
  ...eager(1, places, (...values) => apply(...values.map((value) => value ?? null))),
  names,
});

/** Reads an operand. It returns undefined for another type. */
type Read<T> = (value: unknown) => T | undefined;

const list: Read<unknown[]> = (value) => (Array.isArray(value) ? value : undefined);
const text: Read<string> = (value) => (typeof value === "string" ? value : undefined);
const numeric: Read<NumberValue> = (value) => {
  if (value instanceof Date || value instanceof Decimal128) throw notSupported("arithmetic on dates and Decimal128");
  return isNumber(value) ? value : undefined;
};

/** Reads an operand of a type. @throws DatabaseError 14 for a value of another type. */
function read<T>(type: Read<T>, value: unknown): T {
  const known = type(value);
  check(known !== undefined, 14, `the operator does not take an operand of type ${kindOf(value)}`);
  return known;
}

/**
 * Creates an operator with operands of these types, of which `least` are required. A null or missing operand gives
 * null.
 */
function typed<T extends unknown[]>(
  types: [...{ [At in keyof T]: Read<T[At]> }],
  apply: (...values: T) => unknown,
  least = types.length,
): Operator {
  const reads: Read<unknown>[] = types;
  return eager(least, reads.length, (...values) =>
    values.some(isNullish) ? null : apply(...(values.map((value, at) => read(reads[at] ?? list, value)) as T)),
  );
}

/** Creates an operator with any number of operands of one type. The first null operand gives null. */
const many = <T>(type: Read<T>, apply: (values: T[]) => unknown): Operator =>
  eager(0, MAX_OPERANDS, (...values) => {
    const nothing = values.findIndex(isNullish);
    const known = (nothing < 0 ? values : values.slice(0, nothing)).map((value) => read(type, value));
    return nothing < 0 ? apply(known) : null;
  });

/** In expressions a missing value sorts after MinKey and before null. */
const present = (value: unknown) => (value === undefined ? EMPTY_ARRAY : value);
const comparison = (holds: (order: number) => unknown) => eager(2, 2, (a, b) => holds(compare(present(a), present(b))));

/** Creates an operator that evaluates its operands itself. */
const lazy = (least: number, most: number, run: Operator["run"]): Operator => ({ least, most, run });

/** Creates an operator on a list that evaluates its last operand for each element. It gives null without a list. */
const over = (body: string, collect: (values: unknown[], each: (value: unknown) => unknown) => unknown): Operator => ({
  ...lazy(1, 0, (scope, input: Evaluate, as: Evaluate, each: Evaluate) => {
    const [values, name] = [input(scope), String(as(scope))];
    return isNullish(values) ? null : collect(read(list, values), (value) => each({ ...scope, [name]: value }));
  }),
  names: { ...required("input"), as: "this", ...required(body) },
  binds: true,
});

/** Rounds half to even to a number of decimal places. */
function rounded(value: NumberValue, places = 0): NumberValue {
  if (places < 0) throw notSupported("$round to tens and more");
  check(places <= 20, 51083, "the precision must be an integer in [-20, 20]");
  if (!(value instanceof Double) || !Number.isFinite(value.value) || Number.isInteger(value.value)) return value;
  const shifted = shift(value.value, places);
  const near = Math.round(shifted);
  return new Double(shift(Math.abs(shifted % 1) === 0.5 && near % 2 !== 0 ? near - 1 : near, -places));
}

/** Moves the decimal point in the text, because a multiplication would round the digits. */
function shift(value: number, places: number): number {
  const [digits, exponent = "0"] = String(value).split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}

/** Creates an operator from an accumulator. A single array operand stands for its elements. */
const accumulated = (name: string) =>
  eager(0, MAX_OPERANDS, (...values) =>
    accumulatorOf(name)(values.length === 1 && Array.isArray(values[0]) ? values[0] : values),
  );

/** Creates a conversion. Null and missing values stay null. */
const converted = <T>(type: Read<T>) => typed<[T]>([type], (value) => value);

function toText(value: unknown): string | undefined {
  if (value instanceof Date) return dateOf(value).toISOString();
  if (!/^(string|bool|int|long|double|decimal|objectId)$/.test(kindOf(value))) return undefined;
  return value instanceof Double ? String(value).replace(/e([+-])(\d)$/, "e$10$2") : String(value);
}

/** Reads a number. @throws DatabaseError 115 for text, because JavaScript parses more formats than MongoDB. */
function toDate(value: unknown): Date | undefined {
  if (typeof value === "string") throw notSupported("reading a date from a text");
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  if (value instanceof Date) return value;
  const time = value instanceof Double || value instanceof Long ? Math.trunc(toNumber(value)) : Number.NaN;
  return Math.abs(time) <= 8.64e15 ? new Date(time) : undefined;
}

/** Reads a date. @throws DatabaseError 16006 for another type, 115 for a year without four digits. */
function dateOf(value: unknown): Date {
  const date = /^(date|timestamp|objectId)$/.test(kindOf(value)) ? toDate(value) : undefined;
  check(date !== undefined, 16006, `can't convert from BSON type ${kindOf(value)} to Date`);
  if (!/^\d/.test(date.toISOString())) throw notSupported("a date before the year 0 or after 9999");
  return date;
}

function toObjectId(value: unknown): ObjectId | undefined {
  if (typeof value === "string" && /^[0-9a-f]{24}$/i.test(value)) return new ObjectId(value);
  return value instanceof ObjectId ? value : undefined;
}

const asText = (value: unknown) => read(text, value ?? "");
const cased = (change: (value: string) => string) => eager(1, 1, (value) => change(asText(value)));

function codePoints(value: unknown, first: unknown, count: unknown): string {
  const [from, length] = [read(toInteger, first), read(toInteger, count)];
  check(from >= 0 && length >= 0, 34452, "$substrCP takes no negative place or length");
  return [...asText(value)].slice(from, from + length).join("");
}

const mingo = { context: Context.init({ expression: dates }) } as Parameters<typeof evalExpr>[2];

/** Converts a date in UTC with mingo. It gives null without a date. */
function byMingo(name: string, date: unknown, operands: Document = {}): unknown {
  if (date === null) return null;
  const paths = ["date", ...Object.keys(operands)].map((key) => [key, `$${key}`]);
  const made = evalExpr({ date: dateOf(date), ...operands }, { [name]: Object.fromEntries(paths) }, mingo);
  return typeof made === "number" ? new Int32(made) : made;
}

const DATE_PARTS = "$year $month $dayOfMonth $hour $minute $second $millisecond $dayOfWeek".split(" ");
const datePart = (name: string) => named(required("date"), (date) => byMingo(name, date), 1);

/** Date formats on which mingo and MongoDB differ are refused. */
function dateToString(date: unknown, format: unknown, onNull: unknown): unknown {
  if (format === null || date === null) return format === null ? null : onNull;
  const simple = /^([^%]|%[YmdHMSL])*$/.test(read(text, format));
  if (!simple) throw notSupported("such a format of $dateToString");
  return byMingo("$dateToString", date, { format });
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  $add: many(numeric, (values) => values.reduce(add, new Int32(0))),
  $multiply: many(numeric, (values) => values.reduce(multiply, new Int32(1))),
  $subtract: typed([numeric, numeric], subtract),
  $divide: typed([numeric, numeric], (dividend, divisor) => {
    check(toNumber(divisor) !== 0, 2, "can't $divide by zero");
    return new Double(toNumber(dividend) / toNumber(divisor));
  }),
  $round: typed<[NumberValue, number?]>([numeric, toInteger], rounded, 1),
  ...Object.fromEntries(["$sum", "$avg", "$min", "$max", "$mergeObjects"].map((name) => [name, accumulated(name)])),
  $cmp: comparison((order) => new Int32(Math.sign(order))),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $not: eager(1, 1, (value) => !isTruthy(value)),
  $and: lazy(0, MAX_OPERANDS, (scope, ...operands) => operands.every((operand) => isTruthy(operand(scope)))),
  $or: lazy(0, MAX_OPERANDS, (scope, ...operands) => operands.some((operand) => isTruthy(operand(scope)))),
  $cond: {
    ...lazy(3, 3, (scope, test: Evaluate, then: Evaluate, otherwise: Evaluate) =>
      isTruthy(test(scope)) ? then(scope) : otherwise(scope),
    ),
    names: required("if", "then", "else"),
  },
  $ifNull: lazy(2, MAX_OPERANDS, (scope, ...operands) =>
    operands.reduce((value: unknown, operand) => (isNullish(value) ? operand(scope) : value), null),
  ),
  $map: over("in", (values, each) => values.map((value) => each(value) ?? null)),
  $filter: over("cond", (values, each) => values.filter((value) => isTruthy(each(value)))),
  $type: eager(1, 1, (value) => (value === undefined ? "missing" : kindOf(value))),
  $isArray: eager(1, 1, Array.isArray),
  $size: eager(1, 1, (value) => new Int32(read(list, value).length)),
  $in: eager(2, 2, (wanted, values) => read(list, values).some((value) => compare(value, present(wanted)) === 0)),
  $arrayElemAt: typed([list, toInteger], (values, place) => values.at(place)),
  $first: typed([list], (values) => values[0]),
  $last: typed([list], (values) => values.at(-1)),
  $slice: typed<[unknown[], number, number?]>([list, toInteger, toInteger], slice, 2),
  $concatArrays: many(list, (lists) => lists.flat()),
  $toString: converted(toText),
  $toDate: converted(toDate),
  $toObjectId: converted(toObjectId),
  $concat: many(text, (values) => values.join("")),
  $toLower: cased((value) => value.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  $toUpper: cased((value) => value.replace(/[a-z]+/g, (part) => part.toUpperCase())),
  $split: typed([text, text], (value, separator) => {
    check(separator !== "", 40087, "$split requires a non-empty separator");
    return value.split(separator);
  }),
  $strLenCP: eager(1, 1, (value) => new Int32([...read(text, value)].length)),
  $substrCP: eager(3, 3, codePoints),
  ...Object.fromEntries(DATE_PARTS.map((name) => [name, datePart(name)])),
  $dateToString: named({ ...required("date"), format: "%Y-%m-%dT%H:%M:%S.%LZ", onNull: null }, dateToString),
};

const NOT_SERVED = `
  $abs $accumulator $acos $acosh $allElementsTrue $anyElementTrue $arrayToObject $asin $asinh $atan $atan2 $atanh
  $binarySize $bitAnd $bitNot $bitOr $bitXor $bsonSize $ceil $const $convert $cos $cosh $dateAdd $dateDiff
  $dateFromParts $dateFromString $dateSubtract $dateToParts $dateTrunc $dayOfYear $degreesToRadians $elemMatch $exp $expr $firstN $floor
  $function $getField $indexOfArray $indexOfBytes $indexOfCP $isNumber $isoDayOfWeek $isoWeek $isoWeekYear $lastN
  $let $ln $log $log10 $ltrim $maxN $median $meta $minN $mod $objectToArray $percentile $pow $radiansToDegrees $rand
  $range $reduce $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $reverseArray $rtrim $sampleRate
  $setDifference $setEquals $setField $setIntersection $setIsSubset $setUnion $sin $sinh $sortArray $sqrt $stdDevPop
  $stdDevSamp $strcasecmp $strLenBytes $substr $substrBytes $switch $tan $tanh $toBool $toDecimal $toDouble
  $toHashedIndexKey $toInt $toLong $trim $trunc $tsIncrement $tsSecond $unsetField $week $zip`;

/** Looks up an operator. @throws DatabaseError 168 for an unknown operator, 115 for an unsupported one. */
export const operatorOf = (name: string): Operator => lookUp(OPERATORS, name, NOT_SERVED, 168);
