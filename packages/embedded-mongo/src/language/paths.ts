import { check } from "../errors.js";
import { type Document, documentOf, fieldsOf, getField, isDocument, kindOf } from "./values.js";

export type Path = readonly string[];

export const isArrayIndex = (name: string): boolean => /^(0|[1-9]\d*)$/.test(name);

/** Splits a path into its names. @throws DatabaseError 56 for an empty name. */
export function splitPath(path: string, code = 56): Path {
  const parts = path.split(".");
  check(!parts.includes(""), code, `The path '${path}' contains an empty field name, which is not allowed.`);
  return parts;
}

/** Splits the path of a field in an expression or projection. @throws DatabaseError 40352, 40353, 15998 or 16410. */
export function fieldPath(path: string): Path {
  const parts = splitPath(path, path === "" ? 40352 : path.endsWith(".") ? 40353 : 15998);
  check(!parts.some((part) => part.startsWith("$")), 16410, "FieldPath field names may not start with '$'.");
  return parts;
}

/**
 * Visits a value on a filter's path. `element` marks an element of the leaf array, `index` is its position. True stops
 * the visit.
 */
export type Visit = (value: unknown, element: boolean, index: number | undefined) => boolean;

/**
 * Visits the values of a dotted path in a filter. It enters every element of an array on the path and accepts array
 * positions as names. It visits the elements of a leaf array and then the array, but only the array when the path names
 * its position. A missing value is `undefined`.
 * @returns true when `visit` stopped it.
 */
export function visitPath(value: unknown, path: Path, visit: Visit, at = 0, index?: number): boolean {
  const name = path[at];
  if (name === undefined) {
    const found = Array.isArray(value) && value.some((element, place) => visit(element, true, index ?? place));
    return found || visit(value, false, index);
  }
  if (!Array.isArray(value)) return visitPath(child(value, name), path, visit, at + 1, index);
  if (isArrayIndex(name) && Number(name) < value.length) {
    const element = value[Number(name)];
    const inside = Array.isArray(element) || isDocument(element);
    const last = at === path.length - 1;
    if (last ? visit(element, false, index) : inside && visitPath(element, path, visit, at + 1, index)) return true;
  }
  return value.some((element, place) => isDocument(element) && visitPath(element, path, visit, at, index ?? place));
}

/** Returns all values on a path. An array gives its elements; a missing value is `undefined`. */
export function leavesAt(document: Document, path: Path): unknown[] {
  const leaves: unknown[] = [];
  visitPath(document, path, (value, element) => {
    if (element || !Array.isArray(value)) leaves.push(value);
    return false;
  });
  return leaves;
}

function child(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return isArrayIndex(name) ? value[Number(name)] : undefined;
  return isDocument(value) ? getField(value, name) : undefined;
}

/** Returns the value at a path without entering arrays. Array positions are valid names. */
export const valueAt = (value: unknown, path: Path): unknown => path.reduce(child, value);

/**
 * Returns the first names in which two paths differ. @throws DatabaseError `code` when one path starts with the other.
 */
export function splitPaths(a: Path, b: Path, code: number): [string, string] {
  const at = a.findIndex((name, place) => name !== b[place]);
  const [mine, other] = [a[at], b[at]];
  check(mine !== undefined && other !== undefined, code, `the paths '${a.join(".")}' and '${b.join(".")}' conflict`);
  return [mine, other];
}

/** Computes the next value of a field. A missing field is `undefined`, before and after. */
export type Change = (current: unknown) => unknown;

/** Removes a field. Unlike other changes it ignores a path that does not exist. */
export const remove: Change = () => undefined;

/**
 * Returns a copy of the value with a change at a path. It creates missing documents on the path. A removed array
 * position becomes null.
 * @throws DatabaseError 28 when the path crosses a value that is neither a document nor an array with that position.
 */
export function changeAt(value: unknown, [name, ...rest]: Path, change: Change): unknown {
  if (name === undefined) return change(value);
  const viable = value === undefined || isDocument(value) || (Array.isArray(value) && isArrayIndex(name));
  check(viable || change === remove, 28, `Cannot create field '${name}' in an element of type ${kindOf(value)}`);
  const before = child(value, name);
  const after = changeAt(before, rest, change);
  if (after === before) return value;
  if (!Array.isArray(value)) return documentOf(fieldsOf({ ...(value as Document), [name]: after }));
  const gap = Number(name) - value.length;
  check(gap <= 1_500_000, 2, "can't backfill more than 1500000 elements");
  const filled = [...value, ...Array.from({ length: Math.max(0, gap) }, () => null)];
  return filled.toSpliced(Number(name), 1, after ?? null);
}

/**
 * Returns `count` elements from `first` on; a negative `first` counts from the end. Without a count it returns the
 * first, or last, `first` elements.
 * @throws DatabaseError 28724 for a count that is not positive.
 */
export function slice(array: unknown[], first: number, count?: number): unknown[] {
  check(count === undefined || count > 0, 28724, "the number of elements to slice must be positive");
  if (count === undefined) return first >= 0 ? array.slice(0, first) : array.slice(first);
  const start = first >= 0 ? first : Math.max(0, array.length + first);
  return array.slice(start, start + count);
}
