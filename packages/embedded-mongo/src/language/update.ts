import { BSONRegExp, Int32, ObjectId } from "bson";
import { check, lookUp, notSupported } from "../errors.js";
import type { Scope } from "./expressions.js";
import { type Clause, compileFilter, equalities, LOGICAL } from "./matcher.js";
import { add, multiply, toInteger } from "./numbers.js";
import { compare, compileElementSort, distinctValues, equal, sorted } from "./ordering.js";
import { type Change, changeAt, type Path, remove, slice, splitPath, splitPaths, valueAt } from "./paths.js";
import { compileUpdatePipeline } from "./pipeline.js";
import {
  type Document,
  documentOf,
  fieldsOf,
  fillTimestamps,
  isDocument,
  isNumber,
  isOperatorObject,
  kindOf,
} from "./values.js";

export interface Update {
  /** Returns the document after the update and keeps its argument. `matched` is the index that `$` refers to. */
  apply: (document: Document, matched: number | undefined, inserting?: boolean) => Document;
  replaces: boolean;
}

const CHANGES: Readonly<Record<string, (operand: unknown) => Change>> = {
  $set: (operand) => () => operand,
  $setOnInsert: (operand) => () => operand,
  $unset: () => remove,
  $currentDate: (operand) => {
    const { $type } = isDocument(operand) ? operand : { $type: operand };
    if ($type === "timestamp") throw notSupported("$currentDate of a timestamp");
    check(typeof $type === "boolean" || $type === "date", 2, "$currentDate takes a bool or { $type: 'date' }");
    return () => new Date();
  },
  $inc: (operand) => arithmetic(operand, add),
  $mul: (operand) => arithmetic(operand, multiply),
  $min: (operand) => (current) => (current === undefined || compare(operand, current) < 0 ? operand : current),
  $max: (operand) => (current) => (current === undefined || compare(operand, current) > 0 ? operand : current),
  $push: push,
  $addToSet: (operand) => {
    const wanted = distinctValues(eachOf(operand, []).$each);
    const isNew = (value: unknown, list: unknown[]) => !list.some((element) => equal(element, value));
    return overArray(2, (list) => [...list, ...wanted.filter((value) => isNew(value, list))], []);
  },
  $pop: (operand) => {
    const end = toInteger(operand) ?? 0;
    check(Math.abs(end) === 1, 9, "$pop expects 1 or -1");
    return overArray(14, (list) => (end === 1 ? list.slice(0, -1) : list.slice(1)));
  },
  $pull: (operand) => {
    const onFields = isDocument(operand) && (!isOperatorObject(operand) || LOGICAL.test(Object.keys(operand)[0] ?? ""));
    const exact = !isDocument(operand) && !(operand instanceof BSONRegExp);
    // Wrap the element in a field, so that operators and patterns also match arrays among the elements.
    const { test } = compileFilter(onFields ? operand : { "": operand });
    const removes = (element: unknown) => (onFields ? isDocument(element) && test(element) : test({ "": element }));
    return overArray(2, (list) => list.filter((element) => !(exact ? equal(element, operand) : removes(element))));
  },
  $pullAll: (operand) => {
    check(Array.isArray(operand), 2, "$pullAll requires an array argument");
    return overArray(2, (list) => list.filter((element) => !operand.some((value) => equal(element, value))));
  },
};

/** Creates a numeric change. A missing field counts as 0. */
function arithmetic(operand: unknown, change: typeof add): Change {
  check(isNumber(operand), 14, `Cannot increment or multiply with a non-numeric argument: ${kindOf(operand)}`);
  return (current = new Int32(0)) => {
    check(isNumber(current), 14, `Cannot increment or multiply a value of non-numeric type ${kindOf(current)}`);
    return change(current, operand);
  };
}

/** Creates a change of an array. A missing array becomes `initial`, or stays missing. */
function overArray(code: number, change: (list: unknown[]) => unknown, initial?: unknown[]): Change {
  return (current: unknown = initial) => {
    if (current === undefined) return undefined;
    check(Array.isArray(current), code, `The field must be an array but is of type ${kindOf(current)}`);
    return change(current);
  };
}

/** Reads the values to add and the modifiers beside `$each`. */
function eachOf(operand: unknown, modifiers: string[]): Document & { $each: unknown[] } {
  if (!isDocument(operand) || !Object.hasOwn(operand, "$each")) return { $each: [operand] };
  const { $each, ...others } = operand;
  const known = Object.keys(others).every((name) => modifiers.includes(name));
  check(known && Array.isArray($each), 2, `$each takes an array, and beside it ${modifiers}`);
  return { $each, ...others };
}

function push(operand: unknown): Change {
  const { $each, $slice, $position, $sort } = eachOf(operand, ["$slice", "$sort", "$position"]);
  const [most, position] = [$slice, $position].map(toInteger);
  const whole = [$slice, $position].every((value) => value === undefined || toInteger(value) !== undefined);
  check(whole, 2, "The values for $slice and $position must be integers");
  const order = $sort === undefined ? undefined : compileElementSort($sort);
  const change = (current: unknown[]) => {
    const list = current.toSpliced(position ?? current.length, 0, ...$each);
    const ordered = order ? sorted(list, order) : list;
    return most === undefined ? ordered : slice(ordered, most);
  };
  return overArray(2, change, []);
}

/** The elements that `$[]` and each `$[name]` select. */
type ArrayFilters = ReadonlyMap<string, (element: unknown) => boolean>;

/**
 * Compiles the `u` of an update: operators, a replacement document or a pipeline.
 * @throws DatabaseError 9 for unknown operators and malformed operands, 40 for conflicting paths, 115 for unsupported
 * operators.
 */
export function compileUpdate(update: unknown, arrayFilters: unknown, scope: Scope): Update {
  const filters = compileArrayFilters(arrayFilters);
  check(filters.size === 1 || isOperatorObject(update), 9, "array filters are for the operators of an update");
  if (Array.isArray(update)) {
    const run = compileUpdatePipeline(update, scope);
    return { replaces: false, apply: (document) => keepId(document, run(document)) };
  }
  check(isDocument(update), 9, `the update must be a document or a pipeline, not ${kindOf(update)}`);
  if (!isOperatorObject(update)) {
    const stray = Object.keys(update).find((name) => name.startsWith("$"));
    check(stray === undefined, 52, `The dollar ($) prefixed field '${stray}' is not allowed in a replacement document`);
    const filled = fillTimestamps(update);
    return { replaces: true, apply: (document) => keepId(document, filled) };
  }
  const steps = compileSteps(update, filters);
  const apply: Update["apply"] = (document, matched, inserting = false) => {
    let after = document;
    for (const { path, change } of steps.filter(({ operator }) => inserting || operator !== "$setOnInsert")) {
      check(matched !== undefined || !path.includes("$"), 2, "The query found no match in an array.");
      const concrete = path.map((part) => (part === "$" ? String(matched) : part));
      after = changeElements(after, document, concrete, change, filters) as Document;
    }
    check(Object.hasOwn(after, "_id") || !Object.hasOwn(document, "_id"), 66, "the immutable field '_id' was removed");
    return keepId(document, after);
  };
  return { replaces: false, apply };
}

/** Applies a change to all elements that the positions of a path select. The values before the update decide. */
function changeElements(value: unknown, before: unknown, path: Path, change: Change, filters: ArrayFilters): unknown {
  const at = path.findIndex((part) => filters.has(part));
  if (at < 0) return changeAt(value, path, change);
  const [outer, inner, takes] = [path.slice(0, at), path.slice(at + 1), filters.get(path[at] ?? "")];
  const elements = valueAt(before, outer);
  return changeAt(value, outer, (list) => {
    const arrays = Array.isArray(elements) && Array.isArray(list);
    check(arrays, 2, `The path '${outer.join(".")}' must be an array in order to apply array updates.`);
    return list.map((element, place) => {
      const old = elements[place];
      return takes?.(old) ? (changeElements(element, old, inner, change, filters) ?? null) : element;
    });
  });
}

/** Keeps `_id`. A replacement without `_id` gets the old one in front. */
function keepId({ _id }: Document, after: Document): Document {
  if (_id === undefined) return after;
  const same = !Object.hasOwn(after, "_id") || equal(_id, after._id);
  check(same, 66, "the (immutable) field '_id' was found to have been altered");
  return documentOf([["_id", _id], ...fieldsOf(after).filter(([name]) => name !== "_id")]);
}

function compileArrayFilters(arrayFilters: unknown): ArrayFilters {
  const filters = new Map<string, (element: unknown) => boolean>([["$[]", () => true]]);
  for (const filter of Array.isArray(arrayFilters) ? arrayFilters : []) {
    const [name = "", ...others] = new Set(Object.keys(filter ?? {}).map((field) => field.split(".")[0]));
    if (name.startsWith("$")) throw notSupported(`${name} in an array filter`);
    const valid = others.length === 0 && /^[a-z][A-Za-z0-9]*$/.test(name) && !filters.has(`$[${name}]`);
    check(valid, 9, "an array filter must use exactly one name of its own, beginning with a lowercase letter");
    const { test } = compileFilter(filter);
    filters.set(`$[${name}]`, (element) => test({ [name]: element }));
  }
  return filters;
}

const isPositional = (part: string) => /^\$(\[.*\])?$/.test(part);

/** Adds new fields in the order of their names. */
function compileSteps(update: Document, filters: ArrayFilters) {
  const steps = fieldsOf(update).flatMap(([operator, operands]) => {
    const compile = lookUp(CHANGES, operator, "$bit $rename", 9);
    check(isDocument(operands), 9, `Modifiers operate on fields but we found type ${kindOf(operands)} instead`);
    return fieldsOf(operands).map(([name, operand]) => {
      const path = splitPath(name);
      const [first = ""] = path;
      check(!first.startsWith("$"), isPositional(first) ? 2 : 52, `A path must not begin with '${first}'`);
      check(path.filter((part) => part === "$").length < 2, 2, `Too many positional elements in the path '${name}'`);
      return { name, path, operator, change: compile(operand) };
    });
  });
  const used = steps.flatMap(({ path }) => path.filter(isPositional));
  const known = used.every((part) => part === "$" || filters.has(part));
  check(known, 2, "No array filter found for an identifier of the update");
  const needed = [...filters.keys()].every((part) => part === "$[]" || used.includes(part));
  check(needed, 9, "An array filter was not used in the update");
  for (const [at, { path }] of steps.entries()) {
    const ways = steps.slice(at + 1).flatMap((later) => splitPaths(path, later.path, 40));
    if (ways.some(isPositional)) throw notSupported("an update that goes into one array in two ways");
  }
  return steps.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Builds the document that an upsert inserts: first the values that the filter fixes, then the update. `_id` comes
 * first and is generated when missing.
 * @throws DatabaseError 54 when the filter fixes a path twice, 66 when the update changes an `_id` from the filter.
 */
export function upsertedDocument(filter: Clause, update: Update): Document {
  let fixed: Document = {};
  const all = equalities(filter).map(([name, value]) => ({ path: name.split("."), value }));
  const used = all.filter(({ path }) => !update.replaces || path[0] === "_id");
  for (const [at, { path, value }] of used.entries()) {
    check(path.length === 1 || !update.replaces, 111, "the field '_id' must be exactly specified");
    for (const earlier of used.slice(0, at)) splitPaths(earlier.path, path, 54);
    fixed = changeAt(fixed, path, () => value) as Document;
  }
  const document = update.apply(fixed, undefined, true);
  const { _id = new ObjectId() } = document;
  return keepId({ _id }, document);
}
