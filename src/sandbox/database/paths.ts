import { DatabaseError } from "./errors.js";
import { type Document, getField, isDocument } from "./values.js";

export type Path = readonly string[];

/** What a filter's path reaches: `element` when it is one of the leaf array's elements, `index` its place in the array. */
export type Visit = (value: unknown, element: boolean, index: number | undefined) => boolean;

const INDEX = /^(0|[1-9]\d*)$/;

export function isArrayIndex(name: string): boolean {
  return INDEX.test(name);
}

/** @throws DatabaseError 40353/15998-like codes are the caller's; this one refuses empty names with code 56. */
export function splitPath(path: string): Path {
  const parts = path.split(".");
  if (parts.includes("")) {
    throw new DatabaseError(56, `The path '${path}' contains an empty field name, which is not allowed.`);
  }
  return parts;
}

/**
 * Visits what a dotted path means in a filter: every element of every array on the way, array positions named by number, and
 * for a leaf array its elements and then itself (only itself when its position was named). Missing is `undefined`. Stops, and returns true, when `visit` does.
 */
export function reach(document: Document, path: Path, visit: Visit): boolean {
  return follow(document, path, 0, visit, undefined);
}

function follow(value: unknown, path: Path, at: number, visit: Visit, index: number | undefined): boolean {
  const name = path[at];
  if (name === undefined) {
    if (Array.isArray(value) && value.some((element, place) => visit(element, true, index ?? place))) {
      return true;
    }
    return visit(value, false, index);
  }
  if (Array.isArray(value)) {
    if (isArrayIndex(name) && Number(name) < value.length) {
      const element = value[Number(name)];
      const last = at === path.length - 1;
      if (last ? visit(element, false, index) : follow(element, path, at + 1, visit, index)) {
        return true;
      }
    }
    return value.some((element, place) => isDocument(element) && follow(element, path, at, visit, index ?? place));
  }
  return follow(isDocument(value) ? getField(value, name) : undefined, path, at + 1, visit, index);
}

/** The value at a path without spreading arrays; array positions may be named by number. */
export function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const name of path) {
    if (Array.isArray(current)) {
      current = isArrayIndex(name) ? current[Number(name)] : undefined;
    } else {
      current = isDocument(current) ? getField(current, name) : undefined;
    }
  }
  return current;
}

/** True when one path is the other or lies inside it. */
export function overlap(a: Path, b: Path): boolean {
  const shared = Math.min(a.length, b.length);
  return a.slice(0, shared).every((name, at) => name === b[at]);
}
