import { Double, Int32, Long } from "bson";
import { check, lookUp } from "./errors.js";
import { add, integer, multiply, subtract, toInteger, toNumber } from "./numbers.js";
import { eager, MANY, many, numeric, type Operator, plain, read, typed } from "./operands.js";
import { compare, distinctValues } from "./ordering.js";
import { documentOf, fieldsOf, isDocument, isNullish, isNumber, type NumberValue } from "./values.js";

/** What the values of one group, in order, come to; missing ones are `undefined`. */
type Accumulate = (values: readonly unknown[]) => unknown;

/** The widest class of number seen decides the class; doubles are summed with what rounding lost. */
function total(values: readonly unknown[]): NumberValue {
  let whole: NumberValue = new Int32(0);
  let doubles: { sum: number; lost: number } | undefined;
  for (const value of values) {
    if (value instanceof Double) {
      const { sum, lost } = doubles ?? { sum: 0, lost: 0 };
      const [large, small] = Math.abs(sum) >= Math.abs(value.value) ? [sum, value.value] : [value.value, sum];
      const next = large + small;
      doubles = { sum: next, lost: Number.isFinite(next) ? lost + (large - next + small) : 0 };
    } else if (isNumber(value)) {
      whole = add(whole, value);
    }
  }
  return doubles === undefined ? whole : add(whole, new Double(doubles.sum + doubles.lost));
}

function extreme(values: readonly unknown[], sign: number): unknown {
  const present = values.filter((value) => !isNullish(value));
  return present.reduce((best, value) => (compare(value, best) * sign > 0 ? value : best), present[0]) ?? null;
}

const present = (values: readonly unknown[]) => values.filter((value) => value !== undefined);

const ACCUMULATORS: Readonly<Record<string, Accumulate>> = {
  $sum: total,
  $avg: (values) => {
    const count = values.filter(isNumber).length;
    return count === 0 ? null : new Double(toNumber(total(values)) / count);
  },
  $min: (values) => extreme(values, -1),
  $max: (values) => extreme(values, 1),
  $count: (values) => new Int32(values.length),
  $first: (values) => values[0] ?? null,
  $last: (values) => values.at(-1) ?? null,
  $push: present,
  $addToSet: (values) => distinctValues(present(values)),
  $mergeObjects: (values) => {
    const objects = values.filter((value) => !isNullish(value));
    check(objects.every(isDocument), 40400, "$mergeObjects requires object inputs");
    return documentOf(objects.flatMap(fieldsOf));
  },
};

const NOT_SERVED = `$accumulator $bottom $bottomN $firstN $lastN $maxN $median $minN $percentile $stdDevPop $stdDevSamp $top
  $topN`;

/** @throws DatabaseError 15952 for an unknown accumulator, 115 for one that is not served here. */
export const accumulatorOf = (name: string): Accumulate => lookUp(ACCUMULATORS, name, NOT_SERVED, 15952);

const numericOrDate = (value: unknown) => (value instanceof Date ? value : numeric(value));

function sum(values: (NumberValue | Date)[]): unknown {
  const dates = values.filter((value) => value instanceof Date).map((date) => date.getTime());
  check(dates.length < 2, 16612, "only one date allowed in an $add expression");
  const total = values.reduce<NumberValue>((so, value) => (value instanceof Date ? so : add(so, value)), new Int32(0));
  return dates[0] === undefined ? total : new Date(dates[0] + Math.round(toNumber(total)));
}

function difference(a: NumberValue | Date, b: NumberValue | Date): unknown {
  if (!(a instanceof Date)) return subtract(a, read(numeric, b));
  if (b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  return new Date(a.getTime() - Math.round(toNumber(b)));
}

/** The result in the widest class of the operands, or as a double when it is no exact integer. */
function inClassOf(result: number, ...operands: NumberValue[]): NumberValue {
  if (operands.some((value) => value instanceof Double) || !Number.isSafeInteger(result)) return new Double(result);
  return operands.some((value) => value instanceof Long) ? Long.fromNumber(result) : integer(result);
}

const unary = (compute: (value: number) => number) =>
  typed([plain], (value) => inClassOf(compute(toNumber(value)), value));

function nonZero(divisor: number, code: number): number {
  check(divisor !== 0, code, "division by zero");
  return divisor;
}

/** Half to even, to a number of digits behind the point (negative: before it). */
function rounded(value: number, places = 0): number {
  check(Math.abs(places) <= 20, 51083, "the precision must be an integer in [-20, 20]");
  if (!Number.isFinite(value) || (Number.isInteger(value) && places >= 0)) return value;
  const shifted = shift(value, places);
  const near = Math.round(shifted);
  return shift(Math.abs(shifted % 1) === 0.5 && near % 2 !== 0 ? near - 1 : near, -places);
}

/** Moves the decimal point, without an error in the digits. */
function shift(value: number, places: number): number {
  const [digits, exponent = "0"] = String(value).split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}

/** One operand that is an array stands for its elements. */
const accumulated = (name: string) =>
  eager(0, MANY, (...values) =>
    accumulatorOf(name)(values.length === 1 && Array.isArray(values[0]) ? values[0] : values),
  );

export const ARITHMETIC: Readonly<Record<string, Operator>> = {
  $add: many(numericOrDate, sum),
  $multiply: many(numeric, (values) => values.reduce(multiply, new Int32(1))),
  $subtract: typed([numericOrDate, numericOrDate], difference),
  $divide: typed([plain, plain], (a, b) => new Double(toNumber(a) / nonZero(toNumber(b), 2))),
  $mod: typed([plain, plain], (a, b) => inClassOf(toNumber(a) % nonZero(toNumber(b), 16610), a, b)),
  $abs: unary(Math.abs),
  $ceil: unary(Math.ceil),
  $floor: unary(Math.floor),
  $round: typed<[NumberValue, number?]>(
    [plain, toInteger],
    (value, places) => inClassOf(rounded(toNumber(value), places), value),
    1,
  ),
  $sum: accumulated("$sum"),
  $avg: accumulated("$avg"),
  $min: accumulated("$min"),
  $max: accumulated("$max"),
  $mergeObjects: accumulated("$mergeObjects"),
};
