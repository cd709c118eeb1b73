import { Double, Int32 } from "bson";
import { check, lookUp } from "../errors.js";
import { add, toNumber } from "./numbers.js";
import { compare, distinctValues } from "./ordering.js";
import { documentOf, fieldsOf, isDocument, isNullish, isNumber, type NumberValue } from "./values.js";

/** Accumulates the values of one group in order. A missing value is `undefined`. */
type Accumulate = (values: readonly unknown[]) => unknown;

/** Sums numbers. The widest class decides the class of the sum; doubles keep their rounding error. */
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

/** Looks up an accumulator. @throws DatabaseError 15952 for an unknown accumulator, 115 for an unsupported one. */
export const accumulatorOf = (name: string): Accumulate => lookUp(ACCUMULATORS, name, NOT_SERVED, 15952);
