import { check, DatabaseError, notSupported } from "./errors.js";
import { compileExpression, type Frame, type Scope } from "./expressions.js";
import { compileFilter, type MatchDetails } from "./matcher.js";
import { isTruthy, toInteger } from "./numbers.js";
import { fieldPath, type Path, slice } from "./paths.js";
import { type Document, fieldsOf, getField, isDocument, isNumber, isOperatorObject, setField } from "./values.js";

/** What happens to each field; nested documents and the elements of arrays follow the same tree. */
type Tree = Map<string, Tree | boolean | Computed>;

/** A computed field, or one of find's array operators. */
interface Computed {
  compute: (value: unknown, context: Context) => unknown;
  /** Keeps the field where it is; computed fields come after the kept ones. */
  inPlace?: boolean;
}

interface Context {
  mode: "include" | "exclude" | "add";
  frame: Frame;
  details: MatchDetails;
}

export type Project = (document: Document, details?: MatchDetails) => Document;

function place(tree: Tree, path: Path, entry: boolean | Computed): void {
  const [name = "", ...rest] = path;
  const existing = tree.get(name);
  if (rest.length === 0) {
    check(existing === undefined, 31250, `Path collision at ${name}`);
    tree.set(name, entry);
    return;
  }
  const child = existing ?? new Map();
  check(child instanceof Map, 31249, `Path collision at ${path.join(".")}`);
  tree.set(name, child);
  place(child, rest, entry);
}

const isNested = (value: unknown): value is Document => isDocument(value) && !isOperatorObject(value);

/** What a projection says: which paths stay or go, and which are computed. */
class Specification {
  readonly tree: Tree = new Map();
  private inclusive: boolean | undefined;
  private keepsId: boolean | undefined;
  private sliced = false;

  constructor(
    spec: Document,
    private readonly scope: Scope,
    private readonly forFind: boolean,
  ) {
    for (const [name, value] of fieldsOf(spec)) this.read(name, value, []);
    if (this.includes && this.keepsId !== false && !this.tree.has("_id")) this.tree.set("_id", true);
    if (!this.includes && this.keepsId === false) this.tree.set("_id", false);
  }

  get includes(): boolean {
    return this.inclusive ?? (this.keepsId === true && !this.sliced);
  }

  private read(name: string, value: unknown, parents: Path): void {
    const positional = this.forFind && name.endsWith(".$");
    const path = [...parents, ...fieldPath(positional ? name.slice(0, -2) : name)];
    if (positional) {
      this.mode(true, path);
      place(this.tree, path, { inPlace: true, compute: (array, { details }) => positionalElement(array, details) });
    } else if (typeof value === "boolean" || isNumber(value)) {
      this.flag(path, isTruthy(value));
    } else if (isNested(value)) {
      check(Object.keys(value).length > 0, 51270, "An empty sub-projection is not a valid value");
      for (const [inner, field] of fieldsOf(value)) this.read(inner, field, path);
    } else {
      this.computed(path, value);
    }
  }

  private flag(path: Path, keep: boolean): void {
    const isId = path.length === 1 && path[0] === "_id";
    if (isId) this.keepsId = keep;
    else this.mode(keep, path);
    if (keep || !isId) place(this.tree, path, keep);
  }

  private mode(inclusive: boolean, path: Path): void {
    this.inclusive ??= inclusive;
    if (this.inclusive === inclusive) return;
    const [code, kind] = inclusive ? [31253, "inclusion"] : [31254, "exclusion"];
    throw new DatabaseError(code, `Cannot do ${kind} on field ${path.join(".")} in the other kind of projection`);
  }

  private computed(path: Path, value: unknown): void {
    const [operator, operand] = isDocument(value) ? (fieldsOf(value)[0] ?? []) : [];
    if (operator === "$meta") throw notSupported("$meta");
    if (this.forFind && operator === "$slice" && (!Array.isArray(operand) || isNumber(operand[0]))) {
      this.sliced = true;
      const slice = sliceOf(operand);
      place(this.tree, path, { inPlace: true, compute: (array) => (Array.isArray(array) ? slice(array) : array) });
    } else if (this.forFind && operator === "$elemMatch") {
      this.mode(true, path);
      place(this.tree, path, { compute: firstMatching(operand, this.scope) });
    } else {
      check(this.inclusive !== false, 31252, "Cannot use an expression in an exclusion projection");
      this.inclusive = true;
      const evaluate = compileExpression(value, this.scope);
      place(this.tree, path, { compute: (_, { frame }) => evaluate(frame) });
    }
  }
}

function positionalElement(array: unknown, { position }: MatchDetails): unknown {
  if (!Array.isArray(array)) return array;
  check(position !== undefined, 51246, "positional operator '.$' couldn't find a matching element in the array");
  return [array[position]];
}

function sliceOf(operand: unknown): (array: unknown[]) => unknown[] {
  const [first, count] = (Array.isArray(operand) ? operand : [operand]).map(toInteger);
  const valid = first !== undefined && (!Array.isArray(operand) || (count !== undefined && count > 0));
  check(valid, 28724, "$slice needs one integer, or an offset and a positive count");
  return (array) => slice(array, first, count);
}

function firstMatching(condition: unknown, scope: Scope): Computed["compute"] {
  const filter = compileFilter({ list: { $elemMatch: condition } }, scope);
  return (list) => {
    const details: MatchDetails = {};
    const found = Array.isArray(list) && filter.test({ list }, details) && details.position !== undefined;
    return found ? [list[details.position ?? 0]] : undefined;
  };
}

const isComputed = (entry: Tree | boolean | Computed): boolean =>
  entry instanceof Map ? [...entry.values()].some(isComputed) : typeof entry === "object" && entry.inPlace !== true;

function applyTree(tree: Tree, value: unknown, context: Context): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => applyTree(tree, element, context)).filter((element) => element !== undefined);
  }
  if (!isDocument(value) && !isComputed(tree)) return context.mode === "include" ? undefined : value;
  const source = isDocument(value) ? value : {};
  const result: Document = {};
  const nextOf = (entry: Tree | Computed, field: unknown) =>
    entry instanceof Map ? applyTree(entry, field, context) : entry.compute(field, context);
  const later = new Map(tree);
  for (const [name, field] of fieldsOf(source)) {
    const entry = tree.get(name);
    if (typeof entry !== "object") {
      if (entry ?? context.mode !== "include") setField(result, name, field);
    } else if (entry instanceof Map || entry.inPlace === true || context.mode === "add") {
      setField(result, name, nextOf(entry, field));
      later.delete(name);
    }
  }
  for (const [name, entry] of later) {
    if (typeof entry === "object" && isComputed(entry)) {
      setField(result, name, nextOf(entry, entry instanceof Map ? undefined : getField(source, name)));
    }
  }
  return result;
}

function projector(tree: Tree, mode: Context["mode"], scope: Scope): Project {
  return (root, details = {}) =>
    applyTree(tree, root, { mode, details, frame: { root, variables: scope.values } }) as Document;
}

/**
 * The projection of find (`forFind`: with `$`, `$slice` and `$elemMatch`) and of `$project`.
 * @throws DatabaseError 31253 and 31254 for mixed modes, 31249 and 31250 for colliding paths.
 */
export function compileProjection(spec: Document, scope: Scope, forFind: boolean): Project {
  const { tree, includes } = new Specification(spec, scope, forFind);
  return projector(tree, includes ? "include" : "exclude", scope);
}

/** `$addFields`: every value is an expression, nested documents reach into documents and arrays. */
export function compileAddFields(spec: Document, scope: Scope): Project {
  const tree: Tree = new Map();
  const read = (name: string, value: unknown, parents: Path) => {
    const path = [...parents, ...fieldPath(name)];
    if (isNested(value) && Object.keys(value).length > 0) {
      for (const [inner, field] of fieldsOf(value)) read(inner, field, path);
    } else {
      const evaluate = compileExpression(value, scope);
      place(tree, path, { compute: (_, { frame }) => evaluate(frame) });
    }
  };
  for (const [name, value] of fieldsOf(spec)) read(name, value, []);
  return projector(tree, "add", scope);
}
