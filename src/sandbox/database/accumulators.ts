import { Double, Int32 } from "bson";
import { check } from "./errors.js";
import { add, toNumber } from "./numbers.js";
import { compare, distinctValues } from "./ordering.js";
import { documentOf, fieldsOf, isDocument, isNullish, isNumber, type NumberValue } from "./values.js";

/** The widest class of number seen decides the class; doubles are summed with what rounding lost. */
function sum(values: readonly unknown[]): NumberValue {
  let whole: NumberValue = new Int32(0);
  let doubles: number | undefined;
  let lost = 0;
  for (const value of values) {
    if (value instanceof Double) {
      const before: number = doubles ?? 0;
      const [large, small] = Math.abs(before) >= Math.abs(value.value) ? [before, value.value] : [value.value, before];
      doubles = large + small;
      if (Number.isFinite(doubles)) lost += large - doubles + small;
    } else if (isNumber(value)) {
      whole = add(whole, value);
    }
  }
  return doubles === undefined ? whole : add(whole, new Double(Number.isFinite(doubles) ? doubles + lost : doubles));
}

function average(values: readonly unknown[]): Double | null {
  const numbers = values.filter(isNumber);
  const total = sum(numbers);
  return numbers.length === 0 ? null : new Double(toNumber(total) / numbers.length);
}

function extreme(values: readonly unknown[], sign: number): unknown {
  const present = values.filter((value) => !isNullish(value));
  return present.reduce((best, value) => (compare(value, best) * sign > 0 ? value : best), present[0]) ?? null;
}

const present = (values: readonly unknown[]) => values.filter((value) => value !== undefined);

/** What the values of one group, in order, come to. */
export const ACCUMULATORS: ReadonlyMap<string, (values: readonly unknown[]) => unknown> = new Map<
  string,
  (values: readonly unknown[]) => unknown
>([
  ["$sum", sum],
  ["$avg", average],
  ["$min", (values) => extreme(values, -1)],
  ["$max", (values) => extreme(values, 1)],
  ["$first", (values) => values[0] ?? null],
  ["$last", (values) => values.at(-1) ?? null],
  ["$push", present],
  ["$addToSet", (values) => distinctValues(present(values))],
  [
    "$mergeObjects",
    (values) => {
      const objects = values.filter((value) => !isNullish(value));
      check(objects.every(isDocument), 40400, "$mergeObjects requires object inputs");
      return documentOf(objects.flatMap(fieldsOf));
    },
  ],
]);
