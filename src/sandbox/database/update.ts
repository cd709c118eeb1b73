import { ObjectId } from "bson";
import { DatabaseError } from "./errors.js";
import type { Scope } from "./expressions.js";
import { type Clause, compileFilter, equalities } from "./matcher.js";
import { equal } from "./ordering.js";
import { overlap, type Path } from "./paths.js";
import { compileUpdatePipeline } from "./pipeline.js";
import { CHANGES, type Change, KEEP } from "./update-operators.js";
import { checkViable, concretePaths, type Positions, readPath, removePath, writePath } from "./update-paths.js";
import { clone, type Document, fieldsOf, getField, isDocument, kindOf, setField } from "./values.js";

/** One operator on one field. */
interface Step {
  operator: string;
  path: Path;
  change?: Change;
  /** The other path of `$rename`. */
  to?: Path;
}

export interface Update {
  /** The document after the update; the argument is left alone. */
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
  if (!isDocument(update)) {
    throw new DatabaseError(9, `the update must be a document or a pipeline, not ${kindOf(update)}`);
  }
  const [first] = Object.keys(update);
  if (first === undefined || !first.startsWith("$")) {
    const stray = Object.keys(update).find((name) => name.startsWith("$"));
    if (stray !== undefined) {
      throw new DatabaseError(52, `The dollar ($) prefixed field '${stray}' is not allowed in a replacement document`);
    }
    return { replaces: true, apply: (document) => keepId(document, clone(update) as Document) };
  }
  const filters = compileArrayFilters(arrayFilters, scope);
  const steps = compileSteps(update, scope);
  checkFilters(steps, filters);
  checkConflicts(steps);
  return {
    replaces: false,
    apply: (document, matched, inserting = false) => applySteps(steps, document, { matched, filters }, inserting),
  };
}

/** `_id` cannot change; a replacement without one keeps it, in front. */
function keepId(before: Document, after: Document): Document {
  const id = getField(before, "_id");
  if (id === undefined) {
    return after;
  }
  const next = getField(after, "_id");
  if (next !== undefined && !equal(id, next)) {
    throw new DatabaseError(
      66,
      "After applying the update, the (immutable) field '_id' was found to have been altered",
    );
  }
  const result: Document = { _id: id };
  for (const [name, value] of fieldsOf(after)) {
    if (name !== "_id") {
      setField(result, name, value);
    }
  }
  return result;
}

function compileArrayFilters(arrayFilters: unknown, scope: Scope): Map<string, (element: unknown) => boolean> {
  const filters = new Map<string, (element: unknown) => boolean>();
  for (const filter of Array.isArray(arrayFilters) ? arrayFilters : []) {
    const names = new Set(isDocument(filter) ? filterNames(filter) : []);
    const [name] = names;
    if (name === undefined || names.size > 1 || !/^[a-z][A-Za-z0-9]*$/.test(name)) {
      throw new DatabaseError(9, "an array filter must use exactly one name, beginning with a lowercase letter");
    }
    if (filters.has(name)) {
      throw new DatabaseError(9, `Found multiple array filters with the same top-level field name ${name}`);
    }
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

function updatePath(name: string): Path {
  const path = name.split(".");
  if (path.includes("")) {
    throw new DatabaseError(56, `The update path '${name}' contains an empty field name, which is not allowed.`);
  }
  const stray = path.find((part) => part.startsWith("$") && part !== "$" && !/^\$\[.*\]$/.test(part));
  if (stray !== undefined || path[0]?.startsWith("$")) {
    throw new DatabaseError(52, `The dollar ($) prefixed field '${stray ?? path[0]}' in '${name}' is not allowed`);
  }
  return path;
}

function compileSteps(update: Document, scope: Scope): Step[] {
  const steps: Step[] = [];
  for (const [operator, operands] of fieldsOf(update)) {
    if (
      !operator.startsWith("$") ||
      !(CHANGES.has(operator) || ["$unset", "$rename", "$setOnInsert"].includes(operator))
    ) {
      throw new DatabaseError(
        9,
        `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update`,
      );
    }
    if (!isDocument(operands)) {
      throw new DatabaseError(9, `Modifiers operate on fields but we found type ${kindOf(operands)} instead`);
    }
    for (const [name, operand] of fieldsOf(operands)) {
      steps.push(compileStep(operator, name, operand, scope));
    }
  }
  return steps.sort((a, b) => comparePaths(a.path, b.path));
}

function compileStep(operator: string, name: string, operand: unknown, scope: Scope): Step {
  const path = updatePath(name);
  if (operator === "$rename") {
    if (typeof operand !== "string") {
      throw new DatabaseError(2, `The 'to' field for $rename must be a string: ${name}`);
    }
    const to = updatePath(operand);
    if ([...path, ...to].some((part) => part === "$" || part.startsWith("$["))) {
      throw new DatabaseError(2, "The source and destination of $rename may not be dynamic");
    }
    if (overlap(path, to)) {
      throw new DatabaseError(2, `The source and target field for $rename must differ: ${name}`);
    }
    return { operator, path, to };
  }
  const change = CHANGES.get(operator === "$setOnInsert" ? "$set" : operator)?.(operand, name, scope);
  return { operator, path, ...(change && { change }) };
}

/** New fields are added in this order: array positions by number, names by code unit. */
function comparePaths(a: Path, b: Path): number {
  for (const [at, name] of a.entries()) {
    const other = b[at];
    if (other === undefined) {
      return 1;
    }
    if (name !== other) {
      const [x, y] = [Number(name), Number(other)];
      return Number.isInteger(x) && Number.isInteger(y) ? x - y : name < other ? -1 : 1;
    }
  }
  return a.length - b.length;
}

function checkFilters(steps: readonly Step[], filters: ReadonlyMap<string, unknown>): void {
  const used = new Set(
    steps.flatMap(({ path }) => path.filter((part) => /^\$\[.+\]$/.test(part)).map((part) => part.slice(2, -1))),
  );
  const unknown = [...used].find((name) => !filters.has(name));
  if (unknown !== undefined) {
    throw new DatabaseError(2, `No array filter found for identifier '${unknown}'`);
  }
  const unused = [...filters.keys()].find((name) => !used.has(name));
  if (unused !== undefined) {
    throw new DatabaseError(9, `The array filter for identifier '${unused}' was not used in the update`);
  }
}

function checkConflicts(steps: readonly Step[]): void {
  const paths = steps.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]));
  for (const [at, path] of paths.entries()) {
    const other = paths.slice(at + 1).find((later) => overlap(path, later));
    if (other !== undefined) {
      throw new DatabaseError(
        40,
        `Updating the path '${other.join(".")}' would create a conflict at '${path.join(".")}'`,
      );
    }
  }
}

function applySteps(steps: readonly Step[], document: Document, positions: Positions, inserting: boolean): Document {
  const result = clone(document) as Document;
  for (const { operator, path, change, to } of steps) {
    if (operator === "$setOnInsert" && !inserting) {
      continue;
    }
    if (to !== undefined) {
      rename(result, path, to);
      continue;
    }
    for (const concrete of concretePaths(document, path, positions)) {
      if (change === undefined) {
        removePath(result, concrete);
        continue;
      }
      const next = change(readPath(result, concrete));
      if (next === KEEP) {
        checkViable(result, concrete);
      } else {
        writePath(result, concrete, next);
      }
    }
  }
  return inserting ? result : keepIdStrictly(document, result);
}

function keepIdStrictly(before: Document, after: Document): Document {
  const id = getField(before, "_id");
  if (id !== undefined && !equal(id, getField(after, "_id"))) {
    throw new DatabaseError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  }
  return after;
}

function rename(document: Document, from: Path, to: Path): void {
  checkViable(document, from);
  const value = readPath(document, from);
  if (value === undefined) {
    return;
  }
  for (const path of [from, to]) {
    if (path.slice(1).some((_, at) => Array.isArray(readPath(document, path.slice(0, at + 1))))) {
      throw new DatabaseError(2, `The source and destination of $rename cannot be array elements: '${path.join(".")}'`);
    }
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
    if (update.replaces && name !== "_id") {
      continue;
    }
    const path = name.split(".");
    if (readPath(fixed, path) !== undefined) {
      throw new DatabaseError(54, `cannot infer query fields to set, path '${name}' is matched twice`);
    }
    writePath(fixed, path, clone(value));
  }
  const fixedId = getField(fixed, "_id");
  const result = update.apply(fixed, undefined, true);
  const id = getField(result, "_id") ?? fixedId ?? new ObjectId();
  if (fixedId !== undefined && !equal(id, fixedId)) {
    throw new DatabaseError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  }
  return keepId({ _id: id }, result);
}
