import { check } from "../errors.js";
import { type Document, documentOf, fieldsOf, getField, isDocument, kindOf } from "./values.js";

export type Path = readonly string[];

export const isArrayIndex = (name: string): boolean => /^(0|[1-9]\d*)$/.test(name);

/** @throws DatabaseError 56 for an empty name. */
export function splitPath(path: string, code = 56): Path {
  const parts = path.split(".");
  check(!parts.includes(""), code, `The path '${path}' contains an empty field name, which is not allowed.`);
  return parts;
}

/** The path of a field in an expression or projection. @throws DatabaseError 40352, 40353, 15998 or 16410. */
export function fieldPath(path: string): Path {
  const parts = splitPath(path, path === "" ? 40352 : path.endsWith(".") ? 40353 : 15998);
  check(!parts.some((part) => part.startsWith("$")), 16410, "FieldPath field names may not start with '$'.");
  return parts;
}

/** What a filter's path reaches: `element` when it is one of the leaf array's elements, `index` its place in the array. */
export type Visit = (value: unknown, element: boolean, index: number | undefined) => boolean;

/**
 * Visits what a dotted path means in a filter: every element of every array on the way, array positions named by number, and
 * for a leaf array its elements and then itself (only itself when its position was named). Missing is `undefined`. Stops,
 * and returns true, when `visit` does.
 */
export function reach(value: unknown, path: Path, visit: Visit, at = 0, index?: number): boolean {
  const name = path[at];
  if (name === undefined) {
    const found = Array.isArray(value) && value.some((element, place) => visit(element, true, index ?? place));
    return found || visit(value, false, index);
  }
  if (!Array.isArray(value)) return reach(child(value, name), path, visit, at + 1, index);
  if (isArrayIndex(name) && Number(name) < value.length) {
    const element = value[Number(name)];
    const inside = Array.isArray(element) || isDocument(element);
    const last = at === path.length - 1;
    if (last ? visit(element, false, index) : inside && reach(element, path, visit, at + 1, index)) return true;
  }
  return value.some((element, place) => isDocument(element) && reach(element, path, visit, at, index ?? place));
}

/** All that a path reaches, of an array its elements; a missing value is `undefined`. */
export function leavesAt(document: Document, path: Path): unknown[] {
  const leaves: unknown[] = [];
  reach(document, path, (value, element) => {
    if (element || !Array.isArray(value)) leaves.push(value);
    return false;
  });
  return leaves;
}

function child(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return isArrayIndex(name) ? value[Number(name)] : undefined;
  return isDocument(value) ? getField(value, name) : undefined;
}

/** The value at a path without spreading arrays; array positions may be named by number. */
export const valueAt = (value: unknown, path: Path): unknown => path.reduce(child, value);

/** What two paths go on with where they part. @throws DatabaseError `code` when one is the other or lies inside it. */
export function parting(a: Path, b: Path, code: number): [string, string] {
  const at = a.findIndex((name, place) => name !== b[place]);
  const [mine, other] = [a[at], b[at]];
  check(mine !== undefined && other !== undefined, code, `the paths '${a.join(".")}' and '${b.join(".")}' conflict`);
  return [mine, other];
}

/** Gives the next value of a field for its present one; a missing field is `undefined`, before and after. */
export type Change = (current: unknown) => unknown;

/** Unlike other changes it passes over a path that leads nowhere. */
export const remove: Change = () => undefined;

/**
 * The value with a change at a path. The documents on the way there are made, a removed array position becomes null, and the
 * value itself stays as it is.
 * @throws DatabaseError 28 when the path runs through something that is neither a document nor an array position.
 */
export function changedAt(value: unknown, [name, ...rest]: Path, change: Change): unknown {
  if (name === undefined) return change(value);
  const viable = value === undefined || isDocument(value) || (Array.isArray(value) && isArrayIndex(name));
  check(viable || change === remove, 28, `Cannot create field '${name}' in an element of type ${kindOf(value)}`);
  const before = child(value, name);
  const after = changedAt(before, rest, change);
  if (after === before) return value;
  if (!Array.isArray(value)) return documentOf(fieldsOf({ ...(value as Document), [name]: after }));
  const gap = Number(name) - value.length;
  check(gap <= 1_500_000, 2, "can't backfill more than 1500000 elements");
  const filled = [...value, ...Array.from({ length: Math.max(0, gap) }, () => null)];
  return filled.toSpliced(Number(name), 1, after ?? null);
}

/**
 * `count` elements from `first` on (from the end when negative); without a count the first, or last, `first` of them.
 * @throws DatabaseError 28724 for a count that is not positive.
 */
export function slice(array: unknown[], first: number, count?: number): unknown[] {
  check(count === undefined || count > 0, 28724, "the number of elements to slice must be positive");
  if (count === undefined) return first >= 0 ? array.slice(0, first) : array.slice(first);
  const start = first >= 0 ? first : Math.max(0, array.length + first);
  return array.slice(start, start + count);
}
