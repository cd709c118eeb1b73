import { DatabaseError } from "./errors.js";
import { isArrayIndex, type Path } from "./paths.js";
import { type Document, getField, isDocument, kindOf, setField } from "./values.js";

/** MongoDB pads arrays with null up to this distance. */
const MOST_PADDING = 1_500_000;

/** Where the positional parts of an update path point. */
export interface Positions {
  /** For `$`: the place found by the filter. */
  matched: number | undefined;
  /** For `$[name]`: tells which elements the array filter takes. */
  filters: ReadonlyMap<string, (element: unknown) => boolean>;
}

/**
 * The concrete paths that an update path with `$`, `$[]` or `$[name]` means in this document.
 * @throws DatabaseError 2 when a positional part does not meet an array.
 */
export function concretePaths(document: Document, path: Path, positions: Positions): Path[] {
  const at = path.findIndex((name) => name === "$" || name.startsWith("$["));
  const part = path[at];
  if (part === undefined) {
    return [path];
  }
  const [before, after] = [path.slice(0, at), path.slice(at + 1)];
  if (part === "$") {
    if (positions.matched === undefined) {
      throw new DatabaseError(2, "The positional operator did not find the match needed from the query.");
    }
    return concretePaths(document, [...before, String(positions.matched), ...after], positions);
  }
  const array = before.reduce<unknown>((value, name) => child(value, name), document);
  if (!Array.isArray(array)) {
    throw new DatabaseError(
      2,
      array === undefined
        ? `The path '${before.join(".")}' must exist in the document in order to apply array updates.`
        : `Cannot apply array updates to non-array element ${before.join(".")}`,
    );
  }
  const takes = part === "$[]" ? () => true : positions.filters.get(part.slice(2, -1));
  return [...array.entries()]
    .filter(([, element]) => takes?.(element))
    .flatMap(([place]) => concretePaths(document, [...before, String(place), ...after], positions));
}

function child(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    return isArrayIndex(name) ? value[Number(name)] : undefined;
  }
  return isDocument(value) ? getField(value, name) : undefined;
}

/** The value at a concrete path, `undefined` when it is not there. */
export function readPath(document: Document, path: Path): unknown {
  return path.reduce<unknown>(child, document);
}

/**
 * Writes into the document itself, making the documents on the way.
 * @throws DatabaseError 28 when the path runs through something that is neither a document nor an array position.
 */
export function writePath(document: Document, path: Path, value: unknown): void {
  let current: unknown = document;
  for (const [at, name] of path.entries()) {
    const last = at === path.length - 1;
    const next = last ? value : (child(current, name) ?? (child(current, name) === null ? null : {}));
    if (Array.isArray(current)) {
      writeElement(current, name, next);
    } else if (isDocument(current)) {
      setField(current, name, next);
    } else {
      const parent = path.slice(0, at).join(".");
      throw new DatabaseError(28, `Cannot create field '${name}' in element {${parent}: ${kindOf(current)}}`);
    }
    current = next;
  }
}

function writeElement(array: unknown[], name: string, value: unknown): void {
  if (!isArrayIndex(name)) {
    throw new DatabaseError(28, `Cannot create field '${name}' in an array`);
  }
  const place = Number(name);
  if (place - array.length > MOST_PADDING) {
    throw new DatabaseError(2, `can't backfill more than ${MOST_PADDING} elements`);
  }
  while (array.length < place) {
    array.push(null);
  }
  array[place] = value;
}

/** Removes a field; an array position becomes null. */
export function removePath(document: Document, path: Path): void {
  const parent = readPath(document, path.slice(0, -1));
  const name = path.at(-1) ?? "";
  if (Array.isArray(parent)) {
    if (isArrayIndex(name) && Number(name) < parent.length) {
      parent[Number(name)] = null;
    }
  } else if (isDocument(parent)) {
    delete parent[name];
  }
}

/** @throws DatabaseError 28 when the path could not even be made, because a value on the way is no document. */
export function checkViable(document: Document, path: Path): void {
  let current: unknown = document;
  for (const [at, name] of path.entries()) {
    if (current === undefined) {
      return;
    }
    if (!isDocument(current) && !(Array.isArray(current) && isArrayIndex(name))) {
      const parent = path.slice(0, at).join(".");
      throw new DatabaseError(28, `Cannot use the part (${name}) of (${path.join(".")}) to traverse ${parent}`);
    }
    current = child(current, name);
  }
}
