import { check, notSupported } from "../errors.js";
import { compileExpression, type Evaluate, onRoot, type Scope } from "./expressions.js";
import { isTruthy, toInteger } from "./numbers.js";
import { fieldPath, type Path, slice } from "./paths.js";
import { type Document, documentOf, fieldsOf, getField, isDocument, isNumber, isOperatorObject } from "./values.js";

/** Describes the change of each field. Nested documents and the elements of arrays follow the same tree. */
type Tree = Map<string, Entry>;
/** A field is kept, removed, cut by `$slice`, or computed. */
type Entry = Tree | boolean | ((value: unknown) => unknown) | { evaluate: Evaluate };

export type Project = (document: Document) => Document;

/** Lists the paths of a specification with their rules. */
function leavesOf(spec: Document, parents: Path = []): [Path, unknown][] {
  return fieldsOf(spec).flatMap(([name, value]): [Path, unknown][] => {
    const path = [...parents, ...fieldPath(name)];
    const nested = isDocument(value) && !isOperatorObject(value) && Object.keys(value).length > 0;
    return nested ? leavesOf(value, path) : [[path, value]];
  });
}

function treeOf(entries: [Path, Entry][]): Tree {
  const tree: Tree = new Map();
  for (const [[name = ""]] of entries) {
    const inner = entries
      .filter(([path]) => path[0] === name)
      .map(([path, entry]): [Path, Entry] => [path.slice(1), entry]);
    const [first, second] = inner;
    const collides = second !== undefined && inner.some(([path]) => path.length === 0);
    check(!collides, first?.[0].length === 0 ? 31249 : 31250, `Path collision at ${name}`);
    tree.set(name, first?.[0].length === 0 ? first[1] : treeOf(inner));
  }
  return tree;
}

/** Reads the `$slice` of find. It returns undefined for the `$slice` of expressions. */
function cutOf(operand: unknown): Entry | undefined {
  const [start, count] = [operand].flat().map(toInteger);
  if (Array.isArray(operand) && !isNumber(operand[0])) return undefined;
  const valid = Array.isArray(operand) ? operand.length === 2 && (count ?? 0) > 0 : true;
  check(valid && start !== undefined, 28724, "$slice needs one integer, or an offset and a positive count");
  return (list: unknown) => (Array.isArray(list) ? slice(list, start, count) : list);
}

function entryOf(value: unknown, scope: Scope, forFind: boolean): Entry {
  if (typeof value === "boolean" || isNumber(value)) return isTruthy(value);
  check(!isDocument(value) || isOperatorObject(value), 51270, "An empty sub-projection is not a valid value");
  const cut = forFind && isDocument(value) && Object.hasOwn(value, "$slice") ? cutOf(value.$slice) : undefined;
  return cut ?? { evaluate: compileExpression(value, scope) };
}

const isComputed = (entry: Entry | undefined) => typeof entry === "object" && !(entry instanceof Map);
const computes = (entry: Entry): boolean =>
  entry instanceof Map ? [...entry.values()].some(computes) : isComputed(entry);

type Mode = "include" | "exclude" | "add";

function applyEntry(entry: Entry, value: unknown, mode: Mode, variables: Scope): unknown {
  if (typeof entry === "boolean") return entry ? value : undefined;
  if (typeof entry === "function") return entry(value);
  if (!(entry instanceof Map)) return entry.evaluate(variables);
  if (Array.isArray(value)) {
    return value
      .map((element) => applyEntry(entry, element, mode, variables))
      .filter((element) => element !== undefined);
  }
  const computed = [...entry.keys()].filter((name) => computes(entry.get(name) ?? false));
  if (!isDocument(value) && computed.length === 0) return mode === "include" ? undefined : value;
  const source = isDocument(value) ? value : {};
  // Computed fields follow the included fields.
  const kept = Object.keys(source).filter((name) => mode === "add" || !isComputed(entry.get(name)));
  const fields = [...new Set([...kept, ...computed])].map((name) => {
    const inner = entry.get(name) ?? mode !== "include";
    return [name, applyEntry(inner, getField(source, name), mode, variables)] as const;
  });
  return documentOf(fields);
}

/**
 * Compiles the projection of find (with its own `$slice`) or of `$project`.
 * @throws DatabaseError 31254 for mixed modes, 31249 and 31250 for colliding paths, 115 for `$` in a path.
 */
export function compileProjection(spec: Document, scope: Scope, forFind: boolean): Project {
  if (forFind && Object.keys(spec).some((name) => name.endsWith(".$"))) throw notSupported("the projection operator $");
  const entries = leavesOf(spec).map(([path, value]): [Path, Entry] => [path, entryOf(value, scope, forFind)]);
  check(entries.length > 0, 51272, "a projection must have at least one field");
  const tree = treeOf(entries);
  const id = tree.get("_id");
  const deciding = entries
    .filter(([path, entry]) => (typeof entry === "boolean" ? path.join() !== "_id" : typeof entry !== "function"))
    .map(([, entry]) => entry !== false);
  const [includes = id === true && entries.length === 1] = deciding;
  check(!deciding.includes(!includes), 31254, "a projection cannot both include and exclude fields");
  if (includes && id === undefined) tree.set("_id", true);
  const mode = includes ? "include" : "exclude";
  return (root) => applyEntry(tree, root, mode, onRoot(scope, root)) as Document;
}

/** Compiles `$addFields`. Every value is an expression; nested documents address fields of documents and arrays. */
export function compileAddFields(spec: Document, scope: Scope): Project {
  const entries = leavesOf(spec).map(([path, value]): [Path, Entry] => [
    path,
    { evaluate: compileExpression(value, scope) },
  ]);
  const tree = treeOf(entries);
  return (root) => applyEntry(tree, root, "add", onRoot(scope, root)) as Document;
}
