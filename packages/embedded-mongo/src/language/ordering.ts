import { ObjectId } from "bson";
import { check, notSupported } from "../errors.js";
import { documentKeys, encodeKey, invert } from "../store/keys.js";
import { compareNumbers, toInteger } from "./numbers.js";
import { fieldPath, type Path, valueAt } from "./paths.js";
import { type Document, fieldsOf, isDocument, isNumber, rankOf } from "./values.js";

/**
 * Compares BSON values in a total order. A missing value (`undefined`) equals null. Embedded documents compare field by
 * field, in order.
 */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") {
    // Compares text as UTF-8, because UTF-16 sorts differently.
    return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  if (a instanceof ObjectId && b instanceof ObjectId) return Buffer.compare(a.id, b.id);
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  return rankOf(a) - rankOf(b) || Buffer.compare(encodeKey(a), encodeKey(b));
}

export const equal = (a: unknown, b: unknown): boolean => a === b || compare(a, b) === 0;

/** Returns a text that only equal values share. */
export const identity = (value: unknown): string => encodeKey(value).toString("latin1");

/** Removes later duplicates of equal values. */
export function distinctValues(values: readonly unknown[]): unknown[] {
  const found = new Map<string, unknown>();
  for (const value of values) {
    const key = identity(value);
    if (!found.has(key)) found.set(key, value);
  }
  return [...found.values()];
}

export interface SortField {
  name: string;
  path: Path;
  descending: boolean;
}

export interface SortOrder {
  fields: SortField[];
  /** Returns bytes that sort in this order. @throws DatabaseError 2 for a document with arrays in two of the fields. */
  key: (document: Document) => Buffer;
}

/** Reads the direction of a sort. @throws DatabaseError 2 for an invalid direction, 115 for `$meta`. */
function isDescending(direction: unknown): boolean {
  if (isDocument(direction) && Object.hasOwn(direction, "$meta")) throw notSupported("sorting by $meta");
  const sign = toInteger(direction) ?? 0;
  check(Math.abs(sign) === 1, 2, "the direction of a sort must be 1 (for ascending) or -1 (for descending)");
  return sign === -1;
}

/** Compiles a sort. @throws DatabaseError 15973, 15976, and the errors of `isDescending` and `fieldPath`. */
export function compileSort(spec: unknown): SortOrder {
  check(isDocument(spec), 15973, "the $sort key specification must be an object");
  check(Object.keys(spec).length > 0, 15976, "$sort must have at least one sort key");
  const fields = fieldsOf(spec).map(([name, direction]) => {
    return { name, path: fieldPath(name), descending: isDescending(direction) };
  });
  // As in an index, an array sorts by its least element, or by its greatest when descending. An empty array sorts
  // before null.
  const key = (document: Document) =>
    documentKeys(document, fields, { parallel: 2 }).keys.sort(Buffer.compare)[0] ?? Buffer.alloc(0);
  return { fields, key };
}

/** Compiles the order of the elements of one array, by their fields or by their values. */
export function compileElementSort(spec: unknown): (element: unknown) => Buffer {
  const fields = isDocument(spec) ? compileSort(spec).fields : [{ path: [], descending: isDescending(spec) }];
  const part = (element: unknown, { path, descending }: Pick<SortField, "path" | "descending">) => {
    const key = encodeKey(path.length === 0 || isDocument(element) ? valueAt(element, path) : undefined);
    return descending ? invert(key) : key;
  };
  return (element) => Buffer.concat(fields.map((field) => part(element, field)));
}

/** Yields the items after `skip`, up to `end`. */
export function* part<T>(input: Iterable<T>, skip: number, end: number): Generator<T> {
  let seen = 0;
  for (const item of input) {
    seen += 1;
    if (seen > skip) yield item;
    if (seen >= end) return;
  }
}

/** Returns the first `most` items in stable order. It holds at most twice as many at a time. */
export function sorted<T>(input: Iterable<T>, key: (item: T) => Buffer, most = Number.POSITIVE_INFINITY): T[] {
  let kept: { item: T; key: Buffer }[] = [];
  const order = () => kept.sort((a, b) => Buffer.compare(a.key, b.key)).slice(0, most);
  for (const item of input) {
    kept.push({ item, key: key(item) });
    if (kept.length > 1000 && kept.length >= most * 2) kept = order();
  }
  return order().map(({ item }) => item);
}
