import { ObjectId } from "bson";
import { check, notSupported } from "./errors.js";
import type { Scope } from "./expressions.js";
import { type Clause, compileFilter, equalities } from "./matcher.js";
import { equal } from "./ordering.js";
import { checkViable, overlap, type Path, removePath, splitPath, valueAt, writePath } from "./paths.js";
import { compileUpdatePipeline } from "./pipeline.js";
import { type Change, changeOf, KEEP, REMOVE } from "./update-operators.js";
import {
  clone,
  type Document,
  documentOf,
  fieldsOf,
  getField,
  isDocument,
  isOperatorObject,
  kindOf,
} from "./values.js";

export interface Update {
  /** The document after the update; the argument is left alone. `matched` is the place that `$` stands for. */
  apply: (document: Document, matched: number | undefined, inserting?: boolean) => Document;
  replaces: boolean;
}

/** One operator on one field. */
interface Step {
  operator: string;
  name: string;
  path: Path;
  change: Change;
}

/** What `$[name]` takes. */
type ArrayFilters = ReadonlyMap<string, (element: unknown) => boolean>;

/**
 * Compiles what the `u` of an update says: operators, a replacement document or a pipeline.
 * @throws DatabaseError 9 for unknown operators and malformed operands, 40 for paths in conflict.
 */
export function compileUpdate(update: unknown, arrayFilters: unknown, scope: Scope): Update {
  if (Array.isArray(update)) {
    const run = compileUpdatePipeline(update, scope);
    return { replaces: false, apply: (document) => keepId(document, run(document)) };
  }
  check(isDocument(update), 9, `the update must be a document or a pipeline, not ${kindOf(update)}`);
  if (!isOperatorObject(update)) {
    const stray = Object.keys(update).find((name) => name.startsWith("$"));
    check(stray === undefined, 52, `The dollar ($) prefixed field '${stray}' is not allowed in a replacement document`);
    return { replaces: true, apply: (document) => keepId(document, clone(update)) };
  }
  const filters = compileArrayFilters(arrayFilters, scope);
  const steps = compileSteps(update, filters, scope);
  const standing = steps.filter(({ operator }) => operator !== "$setOnInsert");
  const apply: Update["apply"] = (document, matched, inserting = false) => {
    const after = clone(document);
    for (const { path, change } of inserting ? steps : standing) {
      for (const concrete of concretePaths(document, path, matched, filters)) applyChange(after, concrete, change);
    }
    check(Object.hasOwn(after, "_id") || !Object.hasOwn(document, "_id"), 66, "the immutable field '_id' was removed");
    return keepId(document, after);
  };
  return { replaces: false, apply };
}

function applyChange(document: Document, path: Path, change: Change): void {
  const next = change(valueAt(document, path));
  if (next === REMOVE) removePath(document, path);
  else if (next === KEEP) checkViable(document, path);
  else writePath(document, path, next);
}

/** `_id` cannot change; a replacement without one keeps it, in front. */
function keepId(before: Document, after: Document): Document {
  const id = getField(before, "_id");
  if (id === undefined) return after;
  check(equal(id, getField(after, "_id") ?? id), 66, "the (immutable) field '_id' was found to have been altered");
  return documentOf([["_id", id], ...fieldsOf(after).filter(([name]) => name !== "_id")]);
}

function compileArrayFilters(arrayFilters: unknown, scope: Scope): ArrayFilters {
  const filters = new Map<string, (element: unknown) => boolean>();
  for (const filter of Array.isArray(arrayFilters) ? arrayFilters : []) {
    const [name = "", ...others] = new Set(Object.keys(filter ?? {}).map((field) => field.split(".")[0]));
    if (name.startsWith("$")) throw notSupported(`${name} in an array filter`);
    const valid = others.length === 0 && /^[a-z][A-Za-z0-9]*$/.test(name) && !filters.has(name);
    check(valid, 9, "an array filter must use exactly one name of its own, beginning with a lowercase letter");
    const { test } = compileFilter(filter, scope);
    filters.set(name, (element) => test({ [name]: element }));
  }
  return filters;
}

const isPositional = (part: string) => part === "$" || /^\$\[.*\]$/.test(part);

/** New fields are added in the order of their names. */
function compileSteps(update: Document, filters: ArrayFilters, scope: Scope): Step[] {
  const steps = fieldsOf(update).flatMap(([operator, operands]) => {
    const compile = changeOf(operator);
    check(isDocument(operands), 9, `Modifiers operate on fields but we found type ${kindOf(operands)} instead`);
    return fieldsOf(operands).map(([name, operand]) => {
      const path = splitPath(name);
      const stray = path.find((part, at) => part.startsWith("$") && (at === 0 || !isPositional(part)));
      check(stray === undefined, 52, `The dollar ($) prefixed field '${stray}' in '${name}' is not allowed`);
      return { name, path, operator, change: compile(operand, scope) };
    });
  });
  const used = steps.flatMap(({ path }) =>
    path.filter((part) => /^\$\[.+\]$/.test(part)).map((part) => part.slice(2, -1)),
  );
  check(
    used.every((name) => filters.has(name)),
    2,
    "No array filter found for an identifier of the update",
  );
  check(
    [...filters.keys()].every((name) => used.includes(name)),
    9,
    "An array filter was not used in the update",
  );
  for (const [at, { path }] of steps.entries()) {
    const other = steps.slice(at + 1).find((later) => overlap(path, later.path));
    check(other === undefined, 40, `Updating the path '${other?.name}' would create a conflict`);
  }
  return steps.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The paths that one with `$`, `$[]` or `$[name]` means in this document. @throws DatabaseError 2 where no array is met. */
function concretePaths(document: Document, path: Path, matched: number | undefined, filters: ArrayFilters): Path[] {
  const at = path.findIndex(isPositional);
  const part = path[at];
  if (part === undefined) return [path];
  const [before, after] = [path.slice(0, at), path.slice(at + 1)];
  const into = (place: number) => concretePaths(document, [...before, String(place), ...after], matched, filters);
  if (part === "$") {
    check(matched !== undefined, 2, "The positional operator did not find the match needed from the query.");
    return into(matched);
  }
  const array = valueAt(document, before);
  check(Array.isArray(array), 2, `The path '${before.join(".")}' must be an array in order to apply array updates.`);
  const takes = part === "$[]" ? () => true : filters.get(part.slice(2, -1));
  return array.flatMap((element, place) => (takes?.(element) ? into(place) : []));
}

/**
 * The document an upsert inserts: what the filter fixes, then the update; `_id` first, made when nobody gave one.
 * @throws DatabaseError 54 when the filter fixes a path twice, 66 when the update changes an `_id` the filter fixed.
 */
export function upsertedDocument(filter: Clause, update: Update): Document {
  const fixed: Document = {};
  for (const [name, value] of equalities(filter)) {
    if (update.replaces && name !== "_id") continue;
    const path = name.split(".");
    check(valueAt(fixed, path) === undefined, 54, `cannot infer query fields to set, path '${name}' is matched twice`);
    writePath(fixed, path, clone(value));
  }
  const document = update.apply(fixed, undefined, true);
  return keepId({ _id: getField(document, "_id") ?? new ObjectId() }, document);
}
