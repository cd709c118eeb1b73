import { Double, Int32 } from "bson";
import { accumulatorOf } from "./accumulators.js";
import { check, lookUp, notSupported } from "./errors.js";
import type { Evaluate } from "./expressions.js";
import { add, isTruthy, multiply, subtract, toInteger, toNumber } from "./numbers.js";
import { eager, list, MANY, many, numeric, type Operator, plain, read, required, typed } from "./operands.js";
import { compare } from "./ordering.js";
import { slice } from "./paths.js";
import { TEXT_AND_DATES } from "./text-and-dates.js";
import { EMPTY_ARRAY, isNullish, kindOf, type NumberValue } from "./values.js";

/** In expressions a missing value comes after MinKey and before null. */
const present = (value: unknown) => (value === undefined ? EMPTY_ARRAY : value);
const comparison = (holds: (order: number) => unknown) => eager(2, 2, (a, b) => holds(compare(present(a), present(b))));
const contains = (values: unknown[], wanted: unknown) => values.some((value) => compare(value, present(wanted)) === 0);

/** An operator that evaluates its operands itself. */
const lazy = (least: number, most: number, run: Operator["run"]): Operator => ({ least, most, run });

/** What comes of a list and of an operand that knows each element by a name; null without a list. */
const over = (body: string, collect: (values: unknown[], each: (value: unknown) => unknown) => unknown): Operator => ({
  ...lazy(1, 0, (scope, input: Evaluate, as: Evaluate, each: Evaluate) => {
    const [values, name] = [input(scope), String(as(scope))];
    return isNullish(values) ? null : collect(read(list, values), (value) => each({ ...scope, [name]: value }));
  }),
  names: { ...required("input"), as: "this", ...required(body) },
  binds: true,
});

/** Half to even, to a number of digits behind the point. */
function rounded(value: NumberValue, places = 0): NumberValue {
  if (places < 0) throw notSupported("$round to tens and more");
  check(places <= 20, 51083, "the precision must be an integer in [-20, 20]");
  if (!(value instanceof Double) || !Number.isFinite(value.value) || Number.isInteger(value.value)) return value;
  const shifted = shift(value.value, places);
  const near = Math.round(shifted);
  return new Double(shift(Math.abs(shifted % 1) === 0.5 && near % 2 !== 0 ? near - 1 : near, -places));
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

const OPERATORS: Readonly<Record<string, Operator>> = {
  $add: many(numeric, (values) => values.reduce(add, new Int32(0))),
  $multiply: many(numeric, (values) => values.reduce(multiply, new Int32(1))),
  $subtract: typed([numeric, numeric], subtract),
  $divide: typed([plain, plain], (dividend, divisor) => {
    check(toNumber(divisor) !== 0, 2, "can't $divide by zero");
    return new Double(toNumber(dividend) / toNumber(divisor));
  }),
  $round: typed<[NumberValue, number?]>([plain, toInteger], rounded, 1),
  ...Object.fromEntries(["$sum", "$avg", "$min", "$max", "$mergeObjects"].map((name) => [name, accumulated(name)])),
  ...TEXT_AND_DATES,
  $cmp: comparison((order) => new Int32(Math.sign(order))),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $not: eager(1, 1, (value) => !isTruthy(value)),
  $and: lazy(0, MANY, (scope, ...operands) => operands.every((operand) => isTruthy(operand(scope)))),
  $or: lazy(0, MANY, (scope, ...operands) => operands.some((operand) => isTruthy(operand(scope)))),
  $cond: {
    ...lazy(3, 3, (scope, test: Evaluate, then: Evaluate, otherwise: Evaluate) =>
      isTruthy(test(scope)) ? then(scope) : otherwise(scope),
    ),
    names: required("if", "then", "else"),
  },
  $ifNull: lazy(2, MANY, (scope, ...operands) =>
    operands.reduce((value: unknown, operand) => (isNullish(value) ? operand(scope) : value), null),
  ),
  $map: over("in", (values, each) => values.map((value) => each(value) ?? null)),
  $filter: over("cond", (values, each) => values.filter((value) => isTruthy(each(value)))),
  $type: eager(1, 1, (value) => (value === undefined ? "missing" : kindOf(value))),
  $isArray: eager(1, 1, Array.isArray),
  $size: eager(1, 1, (value) => new Int32(read(list, value).length)),
  $in: eager(2, 2, (wanted, values) => contains(read(list, values), wanted)),
  $arrayElemAt: typed([list, toInteger], (values, place) => values.at(place)),
  $first: typed([list], (values) => values[0]),
  $last: typed([list], (values) => values.at(-1)),
  $slice: typed<[unknown[], number, number?]>([list, toInteger, toInteger], slice, 2),
  $concatArrays: many(list, (lists) => lists.flat()),
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

/** @throws DatabaseError 168 for an unknown operator, 115 for one that is not served here. */
export const operatorOf = (name: string): Operator => lookUp(OPERATORS, name, NOT_SERVED, 168);
