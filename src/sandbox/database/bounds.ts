import { BSONRegExp } from "bson";
import { encodeKey, invert, storedBound } from "./keys.js";
import type { Clause } from "./matcher.js";
import { isNaNValue } from "./numbers.js";
import { rankOf } from "./ordering.js";
import { anchoredPrefix } from "./regex.js";
import type { Range } from "./storage.js";
import { EMPTY_ARRAY, kindOf } from "./values.js";

/** A place in key order: just before all keys that begin with `key`, or just after them. */
interface Bound {
  key: Buffer;
  after: boolean;
}

/** The keys of one index field between two places. */
export interface Interval {
  from: Bound;
  to: Bound;
  /** The single value it stands for, when it is one. */
  point: boolean;
}

const BEHIND = Buffer.alloc(40, 0xff);

function pointAt(value: unknown): Interval {
  const key = encodeKey(value);
  return { from: { key, after: false }, to: { key, after: true }, point: true };
}

const START: Bound = { key: Buffer.from([0]), after: false };
const END: Bound = { key: Buffer.from([0xff]), after: false };

/** All values of the type, from just behind the type before it to just before the one after it. */
function typeInterval(rank: number): Interval {
  return {
    from: { key: Buffer.from([rank - 1]), after: true },
    to: { key: Buffer.from([rank + 1]), after: false },
    point: false,
  };
}

/** Where the values that satisfy a condition can lie, in order, or undefined when an index cannot narrow it. */
export function intervalsOf({ operator, operand }: Clause): Interval[] | undefined {
  switch (operator) {
    case "$eq":
      return inOrder(pointsOf(operand));
    case "$in": {
      const values = operand as unknown[];
      return values.some((value) => value instanceof BSONRegExp) ? undefined : inOrder(values.flatMap(pointsOf));
    }
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      return inequality(operator, operand);
    case "$regex": {
      const prefix = operand instanceof BSONRegExp ? anchoredPrefix(operand) : undefined;
      if (prefix === undefined) {
        return undefined;
      }
      const key = encodeKey(prefix).subarray(0, -1);
      return [{ from: { key, after: false }, to: { key, after: true }, point: false }, pointAt(operand)];
    }
    default:
      return undefined;
  }
}

/** An array is also found by its first element, which has an entry of its own. */
function pointsOf(value: unknown): Interval[] {
  return Array.isArray(value)
    ? [pointAt(value), pointAt(value.length === 0 ? EMPTY_ARRAY : value[0])]
    : [pointAt(value)];
}

function inequality(operator: string, operand: unknown): Interval[] | undefined {
  const kind = kindOf(operand);
  if (kind === "array" || kind === "minKey" || kind === "maxKey") {
    return undefined;
  }
  const { from, to } = typeInterval(rankOf(operand));
  const at = { key: encodeKey(operand), after: operator === "$gt" || operator === "$lte" };
  if (isNaNValue(operand)) {
    return [pointAt(operand)];
  }
  return [operator === "$gt" || operator === "$gte" ? { from: at, to, point: false } : { from, to: at, point: false }];
}

function compareBounds(a: Bound, b: Bound): number {
  return Buffer.compare(a.key, b.key) || Number(a.after) - Number(b.after);
}

function inOrder(intervals: Interval[]): Interval[] {
  const sorted = intervals.sort((a, b) => compareBounds(a.from, b.from));
  return sorted.filter(
    (interval, at) => at === 0 || !interval.from.key.equals(sorted[at - 1]?.from.key ?? Buffer.alloc(0)),
  );
}

export function intersect(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  return a.flatMap((left) =>
    b.flatMap((right) => {
      const from = compareBounds(left.from, right.from) >= 0 ? left.from : right.from;
      const to = compareBounds(left.to, right.to) <= 0 ? left.to : right.to;
      return compareBounds(from, to) < 0 ? [{ from, to, point: left.point || right.point }] : [];
    }),
  );
}

export const EVERYTHING: readonly Interval[] = [{ from: START, to: END, point: false }];

/** The stored keys whose leading fields are exactly `prefix` (already encoded) and whose next field lies in the interval. */
export function rangeOf(prefix: Buffer, interval: Interval | undefined, descending: boolean): Range {
  if (interval === undefined) {
    return prefix.length === 0 ? {} : { start: storedBound(prefix), end: endOf(Buffer.concat([prefix, BEHIND])) };
  }
  const { from, to } = interval;
  const [low, high] = descending
    ? [
        { key: invert(to.key), after: !to.after },
        { key: invert(from.key), after: !from.after },
      ]
    : [from, to];
  const position = ({ key, after }: Bound) => Buffer.concat(after ? [prefix, key, BEHIND] : [prefix, key]);
  return { start: storedBound(position(low)), end: endOf(position(high)) };
}

/** A bound too long to be stored is widened to everything that shares its stored part. */
function endOf(position: Buffer): Buffer {
  const bound = storedBound(position);
  return bound.length === position.length ? position : Buffer.concat([bound, BEHIND]);
}

/** The encoding of a point as part of a prefix. */
export function pointKey({ from }: Interval, descending: boolean): Buffer {
  return descending ? invert(from.key) : from.key;
}
