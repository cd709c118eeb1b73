import { DatabaseError, notSupported } from "./errors.js";
import { compileExpression, type Evaluate, type Frame, type Scope } from "./expressions.js";
import { compileFilter, type MatchDetails } from "./matcher.js";
import { toInteger, toNumber } from "./numbers.js";
import type { Path } from "./paths.js";
import { type Document, fieldsOf, getField, isDocument, isNumber, setField } from "./values.js";

/** A tree of what happens to each field; nested documents and the elements of arrays follow the same tree. */
interface Node {
  fields: Map<string, Node | boolean | Special>;
}

/** A computed field, or one of find's array operators. */
interface Special {
  compute: (value: unknown, context: Context) => unknown;
  /** Keeps the field where it is; computed fields come after the kept ones. */
  inPlace?: boolean;
}

export type Project = (document: Document, details?: MatchDetails) => Document;

const isNode = (entry: unknown): entry is Node => typeof entry === "object" && entry !== null && "fields" in entry;

function place(tree: Node, path: Path, entry: boolean | Special): void {
  const [name = "", ...rest] = path;
  const existing = tree.fields.get(name);
  if (rest.length === 0) {
    if (existing !== undefined) {
      throw new DatabaseError(31250, `Path collision at ${name}`);
    }
    tree.fields.set(name, entry);
    return;
  }
  if (existing !== undefined && !isNode(existing)) {
    throw new DatabaseError(31249, `Path collision at ${path.join(".")}`);
  }
  const child = existing ?? { fields: new Map() };
  tree.fields.set(name, child);
  place(child, rest, entry);
}

function checkedPath(name: string): Path {
  if (name === "") {
    throw new DatabaseError(40352, "FieldPath cannot be constructed with empty string");
  }
  const path = name.split(".");
  if (path.includes("")) {
    throw new DatabaseError(name.endsWith(".") ? 40353 : 15998, "FieldPath field names may not be empty strings.");
  }
  if (path.some((part) => part.startsWith("$"))) {
    throw new DatabaseError(16410, `FieldPath field names may not start with '$': ${name}`);
  }
  return path;
}

/** What a specification says: which paths stay or go, and which are computed. */
class Specification {
  readonly tree: Node = { fields: new Map() };
  /** Undefined while only `_id` has been named. */
  inclusive: boolean | undefined;
  keepsId: boolean | undefined;
  private sliced = false;

  constructor(
    spec: Document,
    private readonly scope: Scope,
    private readonly forFind: boolean,
  ) {
    for (const [name, value] of fieldsOf(spec)) {
      this.read(name, value, []);
    }
    this.inclusive ??= this.keepsId === true && !this.sliced;
    if (this.inclusive && this.keepsId !== false && !this.tree.fields.has("_id")) {
      this.tree.fields.set("_id", true);
    } else if (!this.inclusive && this.keepsId === false) {
      this.tree.fields.set("_id", false);
    }
  }

  private read(name: string, value: unknown, parents: Path): void {
    const positional = this.forFind && name.endsWith(".$") ? name.slice(0, -2) : undefined;
    const path = [...parents, ...checkedPath(positional ?? name)];
    if (positional !== undefined) {
      this.mode(true, path);
      place(this.tree, path, { inPlace: true, compute: (array, { details }) => positionalElement(array, details) });
    } else if (typeof value === "boolean" || isNumber(value)) {
      this.flag(path, value === true || (isNumber(value) && toNumber(value) !== 0));
    } else if (isDocument(value) && !Object.keys(value)[0]?.startsWith("$")) {
      if (Object.keys(value).length === 0) {
        throw new DatabaseError(51270, "An empty sub-projection is not a valid value. Found empty object at path");
      }
      for (const [inner, field] of fieldsOf(value)) {
        this.read(inner, field, path);
      }
    } else {
      this.computed(path, value);
    }
  }

  private flag(path: Path, keep: boolean): void {
    if (path.length === 1 && path[0] === "_id") {
      this.keepsId = keep;
      if (keep) {
        place(this.tree, path, true);
      }
      return;
    }
    this.mode(keep, path);
    place(this.tree, path, keep);
  }

  private mode(inclusive: boolean, path: Path): void {
    this.inclusive ??= inclusive;
    if (this.inclusive !== inclusive) {
      throw inclusive
        ? new DatabaseError(31253, `Cannot do inclusion on field ${path.join(".")} in exclusion projection`)
        : new DatabaseError(31254, `Cannot do exclusion on field ${path.join(".")} in inclusion projection`);
    }
  }

  private computed(path: Path, value: unknown): void {
    const operator = isDocument(value) ? Object.keys(value)[0] : undefined;
    const operand = isDocument(value) && operator !== undefined ? value[operator] : undefined;
    if (operator === "$meta") {
      throw notSupported("$meta");
    }
    if (this.forFind && operator === "$slice" && (!Array.isArray(operand) || isNumber(operand[0]))) {
      this.sliced = true;
      const slice = sliceOf(operand);
      place(this.tree, path, { inPlace: true, compute: (array) => (Array.isArray(array) ? slice(array) : array) });
      return;
    }
    if (this.forFind && operator === "$elemMatch") {
      this.mode(true, path);
      place(this.tree, path, { compute: firstMatching(operand, this.scope) });
      return;
    }
    if (this.inclusive === false) {
      throw new DatabaseError(31252, "Cannot use an expression in an exclusion projection");
    }
    this.inclusive = true;
    const evaluate: Evaluate = compileExpression(value, this.scope);
    place(this.tree, path, { compute: (_, { frame }) => evaluate(frame) });
  }
}

function positionalElement(array: unknown, { position }: MatchDetails): unknown {
  if (!Array.isArray(array)) {
    return array;
  }
  if (position === undefined) {
    throw new DatabaseError(51246, "positional operator '.$' couldn't find a matching element in the array");
  }
  return [array[position]];
}

function sliceOf(operand: unknown): (array: unknown[]) => unknown[] {
  const [first, count] = (Array.isArray(operand) ? operand : [operand]).map(toInteger);
  if (first === undefined || (Array.isArray(operand) && (count === undefined || count <= 0))) {
    throw new DatabaseError(28724, "$slice needs one integer, or an offset and a positive count");
  }
  return (array) => {
    if (count === undefined) {
      return first >= 0 ? array.slice(0, first) : array.slice(first);
    }
    const start = first >= 0 ? first : Math.max(0, array.length + first);
    return array.slice(start, start + count);
  };
}

function firstMatching(condition: unknown, scope: Scope): Special["compute"] {
  const filter = compileFilter({ list: { $elemMatch: condition } }, scope);
  return (value) => {
    const details: MatchDetails = {};
    if (!Array.isArray(value) || !filter.test({ list: value }, details) || details.position === undefined) {
      return undefined;
    }
    return [value[details.position]];
  };
}

function holdsComputed(node: Node): boolean {
  return [...node.fields.values()].some((entry) => (isNode(entry) ? holdsComputed(entry) : typeof entry === "object"));
}

type Mode = "include" | "exclude" | "add";

interface Context {
  mode: Mode;
  frame: Frame;
  details: MatchDetails;
}

function applyTree(tree: Node, value: unknown, context: Context): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => applyTree(tree, element, context)).filter((element) => element !== undefined);
  }
  if (!isDocument(value) && !holdsComputed(tree)) {
    return context.mode === "include" ? undefined : value;
  }
  const source = isDocument(value) ? value : {};
  const result: Document = {};
  const put = (name: string, field: unknown) => {
    if (field !== undefined) {
      setField(result, name, field);
    }
  };
  const added = new Map(tree.fields);
  for (const [name, field] of fieldsOf(source)) {
    const entry = tree.fields.get(name);
    if (entry === undefined ? context.mode !== "include" : entry === true) {
      put(name, field);
    } else if (isNode(entry)) {
      put(name, applyTree(entry, field, context));
      added.delete(name);
    } else if (typeof entry === "object" && (entry.inPlace === true || context.mode === "add")) {
      put(name, entry.compute(field, context));
      added.delete(name);
    }
  }
  for (const [name, entry] of added) {
    if (isNode(entry) && holdsComputed(entry)) {
      put(name, applyTree(entry, undefined, context));
    } else if (typeof entry === "object" && !isNode(entry) && entry.inPlace !== true) {
      put(name, entry.compute(getField(source, name), context));
    }
  }
  return result;
}

function projector(tree: Node, mode: Mode, scope: Scope): Project {
  return (document, details = {}) =>
    applyTree(tree, document, { mode, details, frame: { root: document, variables: scope.values } }) as Document;
}

/**
 * The projection of find (`forFind`: with `$`, `$slice` and `$elemMatch`) and of `$project`.
 * @throws DatabaseError 31253 and 31254 for mixed modes, 31249 and 31250 for colliding paths.
 */
export function compileProjection(spec: Document, scope: Scope, forFind: boolean): Project {
  const { tree, inclusive } = new Specification(spec, scope, forFind);
  return projector(tree, inclusive ? "include" : "exclude", scope);
}

/** `$addFields`: every value is an expression, nested documents reach into documents and arrays. */
export function compileAddFields(spec: Document, scope: Scope): Project {
  const tree: Node = { fields: new Map() };
  const read = (name: string, value: unknown, parents: Path) => {
    const path = [...parents, ...checkedPath(name)];
    if (isDocument(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]?.startsWith("$")) {
      for (const [inner, field] of fieldsOf(value)) {
        read(inner, field, path);
      }
      return;
    }
    const evaluate = compileExpression(value, scope);
    place(tree, path, { compute: (_, { frame }) => evaluate(frame) });
  };
  for (const [name, value] of fieldsOf(spec)) {
    read(name, value, []);
  }
  return projector(tree, "add", scope);
}
