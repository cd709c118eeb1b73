import { check, notSupported } from "./errors.js";
import { compileExpression, onRoot, type Scope } from "./expressions.js";
import { compileCondition } from "./matcher.js";
import { isTruthy, toInteger } from "./numbers.js";
import { fieldPath, type Path, slice } from "./paths.js";
import { type Document, fieldsOf, getField, isDocument, isNumber, isOperatorObject, setField } from "./values.js";

/** What happens to each field; nested documents and the elements of arrays follow the same tree. */
type Tree = Map<string, Entry>;
type Entry = Tree | boolean | Computed;

/** A computed field; `inPlace` it stays where it is, other computed fields come after the kept ones. */
interface Computed {
  compute: (value: unknown, variables: Scope) => unknown;
  inPlace?: boolean;
}

export type Project = (document: Document) => Document;

/** The paths that a specification names, and what it says of them. */
function leavesOf(spec: Document, parents: Path = []): [Path, unknown][] {
  return fieldsOf(spec).flatMap(([name, value]): [Path, unknown][] => {
    const path = [...parents, ...fieldPath(name)];
    const nested = isDocument(value) && !isOperatorObject(value) && Object.keys(value).length > 0;
    return nested ? leavesOf(value, path) : [[path, value]];
  });
}

function place(tree: Tree, [name = "", ...rest]: Path, entry: Entry): void {
  const existing = tree.get(name);
  const free = existing === undefined || (rest.length > 0 && existing instanceof Map);
  check(free, rest.length > 0 ? 31249 : 31250, `Path collision at ${name}`);
  const child = existing instanceof Map ? existing : new Map<string, Entry>();
  tree.set(name, rest.length > 0 ? child : entry);
  if (rest.length > 0) place(child, rest, entry);
}

const computed = (expression: unknown, scope: Scope): Computed => {
  const evaluate = compileExpression(expression, scope);
  return { compute: (_, variables) => evaluate(variables) };
};

/** What find's projection knows beside expressions: some elements of an array. */
function elementsOf(operator: string, operand: unknown): Computed | undefined {
  if (operator === "$elemMatch") {
    const takes = compileCondition({ $elemMatch: operand });
    const first = (list: unknown[]) => list.filter((element) => takes([element])).slice(0, 1);
    return { compute: (list) => (Array.isArray(list) && takes(list) ? first(list) : undefined) };
  }
  const [start, count] = (Array.isArray(operand) ? operand : [operand]).map(toInteger);
  if (operator !== "$slice" || (Array.isArray(operand) && !isNumber(operand[0]))) return undefined;
  const valid = start !== undefined && (!Array.isArray(operand) || (count !== undefined && count > 0));
  check(valid, 28724, "$slice needs one integer, or an offset and a positive count");
  return { inPlace: true, compute: (list) => (Array.isArray(list) ? slice(list, start, count) : list) };
}

function entryOf(value: unknown, scope: Scope, forFind: boolean): boolean | Computed {
  if (typeof value === "boolean" || isNumber(value)) return isTruthy(value);
  check(!isDocument(value) || isOperatorObject(value), 51270, "An empty sub-projection is not a valid value");
  const [operator = "", operand] = isDocument(value) ? (fieldsOf(value)[0] ?? []) : [];
  if (operator === "$meta") throw notSupported("$meta");
  return (forFind ? elementsOf(operator, operand) : undefined) ?? computed(value, scope);
}

const isComputed = (entry: Entry): boolean =>
  entry instanceof Map ? [...entry.values()].some(isComputed) : typeof entry === "object" && entry.inPlace !== true;

type Mode = "include" | "exclude" | "add";

function applyTree(tree: Tree, value: unknown, mode: Mode, variables: Scope): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => applyTree(tree, element, mode, variables)).filter((element) => element !== undefined);
  }
  if (!isDocument(value) && !isComputed(tree)) return mode === "include" ? undefined : value;
  const source = isDocument(value) ? value : {};
  const result: Document = {};
  const put = (name: string, entry: Tree | Computed) => {
    const field = getField(source, name);
    const next = entry instanceof Map ? applyTree(entry, field, mode, variables) : entry.compute(field, variables);
    setField(result, name, next);
  };
  const later = new Map(tree);
  for (const [name, field] of fieldsOf(source)) {
    const entry = tree.get(name);
    if (typeof entry !== "object") {
      if (entry ?? mode !== "include") setField(result, name, field);
    } else if (entry instanceof Map || entry.inPlace === true || mode === "add") {
      put(name, entry);
      later.delete(name);
    }
  }
  for (const [name, entry] of later) {
    if (typeof entry === "object" && isComputed(entry)) put(name, entry);
  }
  return result;
}

const projector =
  (tree: Tree, mode: Mode, scope: Scope): Project =>
  (root) =>
    applyTree(tree, root, mode, onRoot(scope, root)) as Document;

/**
 * The projection of find (`forFind`: with `$slice` and `$elemMatch`) and of `$project`.
 * @throws DatabaseError 31254 for mixed modes, 31249 and 31250 for colliding paths, 115 for `$` in a path.
 */
export function compileProjection(spec: Document, scope: Scope, forFind: boolean): Project {
  if (forFind && Object.keys(spec).some((name) => name.endsWith(".$"))) throw notSupported("the projection operator $");
  const tree: Tree = new Map();
  const entries = leavesOf(spec).map(([path, value]) => [path, entryOf(value, scope, forFind)] as const);
  for (const [path, entry] of entries) place(tree, path, entry);
  const keepsId = tree.get("_id");
  const deciding = entries.flatMap(([path, entry]) => {
    const open = typeof entry === "boolean" ? path.join(".") === "_id" : entry.inPlace;
    return open ? [] : [entry !== false];
  });
  const [includes = keepsId === true && entries.length === 1] = deciding;
  check(!deciding.includes(!includes), 31254, "a projection cannot both include and exclude fields");
  if (includes && keepsId === undefined) tree.set("_id", true);
  return projector(tree, includes ? "include" : "exclude", scope);
}

/** `$addFields`: every value is an expression, nested documents reach into documents and arrays. */
export function compileAddFields(spec: Document, scope: Scope): Project {
  const tree: Tree = new Map();
  for (const [path, value] of leavesOf(spec)) place(tree, path, computed(value, scope));
  return projector(tree, "add", scope);
}
