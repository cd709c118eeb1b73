import { DatabaseError } from "./errors.js";
import { toNumber } from "./numbers.js";
import { compare } from "./ordering.js";
import { type Path, reach, splitPath } from "./paths.js";
import { type Document, EMPTY_ARRAY, fieldsOf, getField, isDocument, isNumber } from "./values.js";

export interface SortField {
  name: string;
  path: Path;
  descending: boolean;
}

export interface SortOrder {
  fields: SortField[];
  compare: (a: Document, b: Document) => number;
}

/** @throws DatabaseError 15974 to 15976 for a malformed specification. */
export function compileSort(spec: unknown): SortOrder {
  if (!isDocument(spec)) {
    throw new DatabaseError(15973, "the $sort key specification must be an object");
  }
  const fields = fieldsOf(spec).map(([name, direction]) => {
    if (isDocument(direction) && Object.hasOwn(direction, "$meta")) {
      throw new DatabaseError(115, "sorting by $meta is not supported by the embedded development database");
    }
    const number = isNumber(direction) ? toNumber(direction) : undefined;
    if (number === undefined) {
      throw new DatabaseError(15974, `Illegal key in $sort specification: ${name}`);
    }
    if (number !== 1 && number !== -1) {
      throw new DatabaseError(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
    }
    return { name, path: splitPath(name), descending: number === -1 };
  });
  return { fields, compare: (a, b) => compareBy(fields, a, b) };
}

function compareBy(fields: readonly SortField[], a: Document, b: Document): number {
  for (const { path, descending } of fields) {
    const difference = compare(sortKey(a, path, descending), sortKey(b, path, descending));
    if (difference !== 0) {
      return descending ? -difference : difference;
    }
  }
  return 0;
}

/** An array sorts by its least element, descending by its greatest; an empty one just before null. */
function sortKey(document: Document, path: Path, descending: boolean): unknown {
  const [name] = path;
  const direct = path.length === 1 && name !== undefined ? getField(document, name) : undefined;
  if (path.length === 1 && !Array.isArray(direct)) {
    return direct;
  }
  let key: unknown;
  let seen = false;
  reach(document, path, (value, element) => {
    if (element || !Array.isArray(value) || value.length === 0) {
      const next = Array.isArray(value) && !element ? EMPTY_ARRAY : value;
      if (!seen || compare(next, key) * (descending ? -1 : 1) < 0) {
        key = next;
        seen = true;
      }
    }
    return false;
  });
  return key;
}
