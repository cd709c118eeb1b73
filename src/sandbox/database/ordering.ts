import { ObjectId } from "bson";
import { encodeKey } from "./keys.js";
import { compareNumbers } from "./numbers.js";
import { isNumber, rankOf } from "./values.js";

/** Total order of BSON values; a missing value (`undefined`) equals null. Embedded documents compare field by field, in order. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") {
    // As UTF-8, which UTF-16's order is not.
    return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  if (a instanceof ObjectId && b instanceof ObjectId) return Buffer.compare(a.id, b.id);
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  return rankOf(a) - rankOf(b) || Buffer.compare(encodeKey(a), encodeKey(b));
}

export function equal(a: unknown, b: unknown): boolean {
  return a === b || compare(a, b) === 0;
}

/** Without the later ones of equal values. */
export function distinctValues(values: readonly unknown[]): unknown[] {
  const seen = new Map<string, unknown>();
  for (const value of values) {
    const key = encodeKey(value).toString("latin1");
    if (!seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()];
}
