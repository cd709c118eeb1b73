import { Double, Int32 } from "bson";
import { check, notSupported } from "./errors.js";
import { add, toNumber } from "./numbers.js";
import { compare, distinctValues } from "./ordering.js";
import { documentOf, fieldsOf, isDocument, isNullish, isNumber, type NumberValue } from "./values.js";

/** The widest class of number seen decides the class; doubles are summed with what rounding lost. */
function sum(values: readonly unknown[]): NumberValue {
  const doubles = values.filter((value) => value instanceof Double).map(({ value }) => value);
  const others = values.filter((value) => isNumber(value) && !(value instanceof Double)) as NumberValue[];
  const whole = others.reduce<NumberValue>(add, new Int32(0));
  if (doubles.length === 0) return whole;
  let [total, lost] = [0, 0];
  for (const value of doubles) {
    const [large, small] = Math.abs(total) >= Math.abs(value) ? [total, value] : [value, total];
    total = large + small;
    if (Number.isFinite(total)) lost += large - total + small;
  }
  return add(whole, new Double(Number.isFinite(total) ? total + lost : total));
}

function average(values: readonly unknown[]): Double | null {
  const count = values.filter(isNumber).length;
  return count === 0 ? null : new Double(toNumber(sum(values)) / count);
}

function extreme(values: readonly unknown[], sign: number): unknown {
  const present = values.filter((value) => !isNullish(value));
  return present.reduce((best, value) => (compare(value, best) * sign > 0 ? value : best), present[0]) ?? null;
}

function merged(values: readonly unknown[]): unknown {
  const objects = values.filter((value) => !isNullish(value));
  check(objects.every(isDocument), 40400, "$mergeObjects requires object inputs");
  return documentOf(objects.flatMap(fieldsOf));
}

const present = (values: readonly unknown[]) => values.filter((value) => value !== undefined);

const ACCUMULATORS: Readonly<Record<string, (values: readonly unknown[]) => unknown>> = {
  $sum: sum,
  $avg: average,
  $min: (values) => extreme(values, -1),
  $max: (values) => extreme(values, 1),
  $count: (values) => new Int32(values.length),
  $first: (values) => values[0] ?? null,
  $last: (values) => values.at(-1) ?? null,
  $push: present,
  $addToSet: (values) => distinctValues(present(values)),
  $mergeObjects: merged,
};

const NOT_SERVED = /^\$(accumulator|stdDev(Pop|Samp)|(first|last|min|max|top|bottom)N|top|bottom|median|percentile)$/;

/** What the values of one group, in order, come to. @throws DatabaseError 15952, 115 for what is not served here. */
export function accumulatorOf(operator: string): (values: readonly unknown[]) => unknown {
  if (NOT_SERVED.test(operator)) throw notSupported(operator);
  const total = Object.hasOwn(ACCUMULATORS, operator) ? ACCUMULATORS[operator] : undefined;
  check(total !== undefined, 15952, `unknown group operator '${operator}'`);
  return total;
}
