import { Double, Int32 } from "bson";
import { DatabaseError } from "./errors.js";
import { add, divide, toInteger, toNumber } from "./numbers.js";
import { compare } from "./ordering.js";
import { compileSort, sorted } from "./sorting.js";
import { type Document, fieldsOf, isDocument, isNullish, isNumber, type NumberValue, setField } from "./values.js";

/** Sees the values of one group, in order, and tells the result. */
export interface Accumulator {
  add: (value: unknown) => void;
  result: () => unknown;
}

/** Sums as MongoDB does: doubles with compensation, the widest class of number seen decides the class of the result. */
class Sum implements Accumulator {
  count = 0;
  private whole: NumberValue = new Int32(0);
  private double = 0;
  private lost = 0;
  private sawDouble = false;

  add(value: unknown): void {
    if (!isNumber(value)) {
      return;
    }
    this.count += 1;
    if (!(value instanceof Double)) {
      this.addWhole(value);
      return;
    }
    this.sawDouble = true;
    const next = this.double + value.value;
    if (Number.isFinite(next)) {
      this.lost +=
        Math.abs(this.double) >= Math.abs(value.value)
          ? this.double - next + value.value
          : value.value - next + this.double;
    }
    this.double = next;
  }

  private addWhole(value: NumberValue): void {
    try {
      this.whole = add(this.whole, value);
    } catch {
      this.whole = new Double(toNumber(this.whole) + toNumber(value));
    }
  }

  result(): NumberValue {
    if (!this.sawDouble) {
      return this.whole;
    }
    const doubles = new Double(this.double + (Number.isFinite(this.double) ? this.lost : 0));
    return add(this.whole, doubles);
  }
}

class Average implements Accumulator {
  private readonly sum = new Sum();

  add(value: unknown): void {
    this.sum.add(value);
  }

  result(): unknown {
    return this.sum.count === 0 ? null : divide(this.sum.result(), new Int32(this.sum.count));
  }
}

function deviation(sample: boolean): Accumulator {
  const numbers: number[] = [];
  return {
    add: (value) => {
      if (isNumber(value)) {
        numbers.push(toNumber(value));
      }
    },
    result: () => {
      const divisor = numbers.length - (sample ? 1 : 0);
      if (divisor <= 0) {
        return null;
      }
      const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
      return new Double(Math.sqrt(numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / divisor));
    },
  };
}

function extreme(sign: number): Accumulator {
  let best: unknown;
  return {
    add: (value) => {
      if (!isNullish(value) && (best === undefined || compare(value, best) * sign > 0)) {
        best = value;
      }
    },
    result: () => best ?? null,
  };
}

/** Collects everything; `finish` makes the result. */
function collecting(
  finish: (values: unknown[]) => unknown,
  keeps: (value: unknown) => boolean = () => true,
): Accumulator {
  const values: unknown[] = [];
  return {
    add: (value) => {
      if (keeps(value)) {
        values.push(value);
      }
    },
    result: () => finish(values),
  };
}

export function distinctValues(values: readonly unknown[]): unknown[] {
  const sorted = [...values.entries()].sort(([i, a], [j, b]) => compare(a, b) || i - j);
  const kept = sorted.filter(([, value], at) => at === 0 || compare(value, sorted[at - 1]?.[1]) !== 0);
  return kept.sort(([i], [j]) => i - j).map(([, value]) => value);
}

function first(): Accumulator {
  let value: unknown;
  let seen = false;
  return {
    add: (next) => {
      value = seen ? value : next;
      seen = true;
    },
    result: () => value ?? null,
  };
}

function last(): Accumulator {
  let value: unknown = null;
  return {
    add: (next) => {
      value = next ?? null;
    },
    result: () => value,
  };
}

function merge(): Accumulator {
  const result: Document = {};
  return {
    add: (value) => {
      if (isDocument(value)) {
        for (const [name, field] of fieldsOf(value)) {
          setField(result, name, field);
        }
      } else if (!isNullish(value)) {
        throw new DatabaseError(40400, "$mergeObjects requires object inputs");
      }
    },
    result: () => result,
  };
}

/** The accumulators with one operand. */
export const ACCUMULATORS: ReadonlyMap<string, () => Accumulator> = new Map<string, () => Accumulator>([
  ["$sum", () => new Sum()],
  ["$avg", () => new Average()],
  ["$min", () => extreme(-1)],
  ["$max", () => extreme(1)],
  ["$first", first],
  ["$last", last],
  [
    "$push",
    () =>
      collecting(
        (values) => values,
        (value) => value !== undefined,
      ),
  ],
  ["$addToSet", () => collecting(distinctValues, (value) => value !== undefined)],
  ["$stdDevPop", () => deviation(false)],
  ["$stdDevSamp", () => deviation(true)],
  ["$mergeObjects", merge],
]);

/** Picks of `n` values from one array, by place or by order, as `$firstN`, `$maxN` and the like do. */
export function pickN(name: string, n: unknown, values: readonly unknown[]): unknown[] {
  const count = toInteger(n);
  if (count === undefined || count <= 0) {
    throw new DatabaseError(5787908, `'n' must be greater than 0 and an integer, found ${String(n)}`);
  }
  switch (name) {
    case "$firstN":
      return values.slice(0, count);
    case "$lastN":
      return values.slice(-count);
    default: {
      const sign = name === "$minN" ? 1 : -1;
      return values
        .filter((value) => !isNullish(value))
        .sort((a, b) => compare(a, b) * sign)
        .slice(0, count);
    }
  }
}

/** `$top`, `$bottom`, `$topN`, `$bottomN`: pairs of `[document, output]` ordered by `sortBy`. */
export function pickSorted(name: string, n: unknown, sortBy: unknown, pairs: readonly [Document, unknown][]): unknown {
  const order = compileSort(sortBy);
  const inOrder = sorted(pairs, ([document]) => order.key(document)).map(([, output]) => output ?? null);
  switch (name) {
    case "$top":
      return inOrder[0] ?? null;
    case "$bottom":
      return inOrder.at(-1) ?? null;
    default:
      return pickN(name === "$topN" ? "$firstN" : "$lastN", n, inOrder);
  }
}
