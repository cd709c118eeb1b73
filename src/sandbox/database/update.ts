import { ObjectId } from "bson";
import { check, DatabaseError } from "./errors.js";
import type { Scope } from "./expressions.js";
import { type Clause, compileFilter, equalities } from "./matcher.js";
import { equal } from "./ordering.js";
import { checkViable, overlap, type Path, removePath, splitPath, valueAt, writePath } from "./paths.js";
import { compileUpdatePipeline } from "./pipeline.js";
import { type Change, changeOf, KEEP, REMOVE } from "./update-operators.js";
import { clone, type Document, documentOf, fieldsOf, getField, isDocument, kindOf } from "./values.js";

type ArrayFilters = ReadonlyMap<string, (element: unknown) => boolean>;

/** One operator on one field. */
interface Step {
  operator: string;
  path: Path;
  change: Change;
  /** The other path of `$rename`. */
  to?: Path;
}

export interface Update {
  /** The document after the update; the argument is left alone. `matched` is the place that `$` stands for. */
  apply: (document: Document, matched: number | undefined, inserting?: boolean) => Document;
  replaces: boolean;
}

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
  const names = Object.keys(update);
  if (names[0]?.startsWith("$") !== true) {
    check(!names.some((name) => name.startsWith("$")), 52, "The dollar ($) prefixed field is not allowed here");
    return { replaces: true, apply: (document) => keepId(document, clone(update)) };
  }
  const filters = compileArrayFilters(arrayFilters, scope);
  const steps = compileSteps(update, scope);
  const standing = steps.filter(({ operator }) => operator !== "$setOnInsert");
  checkFilters(steps, filters);
  checkConflicts(steps.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to])));
  return {
    replaces: false,
    apply: (document, matched, inserting = false) => {
      const after = applySteps(inserting ? steps : standing, document, { matched, filters });
      const id = getField(document, "_id");
      check(id === undefined || inserting || equal(id, getField(after, "_id")), 66, "the field '_id' is immutable");
      return after;
    },
  };
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
    const [name = "", ...others] = new Set(isDocument(filter) ? filterNames(filter) : []);
    const valid = others.length === 0 && /^[a-z][A-Za-z0-9]*$/.test(name) && !filters.has(name);
    check(valid, 9, "an array filter must use exactly one name of its own, beginning with a lowercase letter");
    const clause = compileFilter(filter, scope);
    filters.set(name, (element) => clause.test({ [name]: element }));
  }
  return filters;
}

function filterNames(filter: Document): string[] {
  return fieldsOf(filter).flatMap(([name, value]) =>
    name.startsWith("$") && Array.isArray(value)
      ? value.filter(isDocument).flatMap(filterNames)
      : [name.split(".")[0] ?? ""],
  );
}

const isPositional = (part: string) => part === "$" || /^\$\[.*\]$/.test(part);

function updatePath(name: string): Path {
  const path = splitPath(name);
  const stray = path.find((part, at) => part.startsWith("$") && (at === 0 || !isPositional(part)));
  check(stray === undefined, 52, `The dollar ($) prefixed field '${stray}' in '${name}' is not allowed`);
  return path;
}

function compileSteps(update: Document, scope: Scope): Step[] {
  const steps = fieldsOf(update).flatMap(([operator, operands]) => {
    const compile = changeOf(operator);
    check(isDocument(operands), 9, `Modifiers operate on fields but we found type ${kindOf(operands)} instead`);
    return fieldsOf(operands).map(([name, operand]) => {
      const path = updatePath(name);
      const to = operator === "$rename" ? renamed(path, operand) : undefined;
      return { operator, path, change: compile(operand, scope), ...(to && { to }) };
    });
  });
  return steps.sort((a, b) => comparePaths(a.path, b.path));
}

function renamed(path: Path, operand: unknown): Path {
  check(typeof operand === "string", 2, "The 'to' field for $rename must be a string");
  const to = updatePath(operand);
  check(![...path, ...to].some(isPositional), 2, "The source and destination of $rename may not be dynamic");
  check(!overlap(path, to), 2, `The source and target field for $rename must differ: ${operand}`);
  return to;
}

/** New fields are added in this order: array positions by number, names by code unit. */
function comparePaths(a: Path, b: Path): number {
  const at = a.findIndex((name, place) => name !== b[place]);
  const [name, other] = [a[at], b[at]];
  if (name === undefined || other === undefined) return a.length - b.length;
  const difference = Number(name) - Number(other);
  return Number.isNaN(difference) ? (name < other ? -1 : 1) : difference;
}

function checkFilters(steps: readonly Step[], filters: ArrayFilters): void {
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
}

function checkConflicts(paths: readonly Path[]): void {
  for (const [at, path] of paths.entries()) {
    const other = paths.slice(at + 1).find((later) => overlap(path, later));
    check(other === undefined, 40, `Updating the path '${other?.join(".")}' would create a conflict`);
  }
}

interface Positions {
  matched: number | undefined;
  filters: ArrayFilters;
}

function applySteps(steps: readonly Step[], document: Document, positions: Positions): Document {
  const result = clone(document);
  for (const { path, change, to } of steps) {
    if (to !== undefined) {
      rename(result, path, to);
      continue;
    }
    for (const concrete of concretePaths(document, path, positions)) {
      const next = change(valueAt(result, concrete));
      if (next === REMOVE) removePath(result, concrete);
      else if (next === KEEP) checkViable(result, concrete);
      else writePath(result, concrete, next);
    }
  }
  return result;
}

/** The paths that one with `$`, `$[]` or `$[name]` means in this document. @throws DatabaseError 2 where no array is met. */
function concretePaths(document: Document, path: Path, positions: Positions): Path[] {
  const at = path.findIndex(isPositional);
  const part = path[at];
  if (part === undefined) return [path];
  const [before, after] = [path.slice(0, at), path.slice(at + 1)];
  const into = (place: number) => concretePaths(document, [...before, String(place), ...after], positions);
  if (part === "$") {
    const { matched } = positions;
    check(matched !== undefined, 2, "The positional operator did not find the match needed from the query.");
    return into(matched);
  }
  const array = valueAt(document, before);
  check(Array.isArray(array), 2, `The path '${before.join(".")}' must be an array in order to apply array updates.`);
  const takes = part === "$[]" ? () => true : positions.filters.get(part.slice(2, -1));
  return array.flatMap((element, place) => (takes?.(element) ? into(place) : []));
}

function rename(document: Document, from: Path, to: Path): void {
  checkViable(document, from);
  const value = valueAt(document, from);
  if (value === undefined) return;
  for (const path of [from, to]) {
    const inArray = path.some((_, at) => at > 0 && Array.isArray(valueAt(document, path.slice(0, at))));
    check(!inArray, 2, `The source and destination of $rename cannot be array elements: '${path.join(".")}'`);
  }
  removePath(document, from);
  writePath(document, to, value);
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
  const result = update.apply(fixed, undefined, true);
  const [fixedId, id] = [getField(fixed, "_id"), getField(result, "_id")];
  if (fixedId !== undefined && id !== undefined && !equal(id, fixedId)) {
    throw new DatabaseError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  }
  return keepId({ _id: id ?? fixedId ?? new ObjectId() }, result);
}
