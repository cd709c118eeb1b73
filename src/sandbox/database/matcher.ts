import { BSONRegExp } from "bson";
import { check, DatabaseError, notSupported } from "./errors.js";
import { compileExpression, type Scope } from "./expressions.js";
import { encodeKey } from "./keys.js";
import { isNaNValue, isTruthy, toInteger, toNumber } from "./numbers.js";
import { compare, equal } from "./ordering.js";
import { reach } from "./paths.js";
import { compileRegex } from "./regex.js";
import {
  type Document,
  fieldsOf,
  isDocument,
  isNumber,
  isOperatorObject,
  kindNamed,
  kindOf,
  rankOf,
} from "./values.js";

/** Filled by a match: the place in the first array met, which the positional operator `$` stands for. */
export interface MatchDetails {
  position?: number;
}

type Test = (document: Document, details?: MatchDetails) => boolean;

/** One condition of a compiled filter. The planner reads `operator`, `path`, `operand`; `$and`, `$or` and `$elemMatch` have children. */
export interface Clause {
  operator: string;
  path?: string;
  operand?: unknown;
  children?: Clause[];
  test: Test;
}

/** One operator of a condition on a path. */
interface Operator {
  name: string;
  operand?: unknown;
  /** Decides on one value by itself, as `$elemMatch` does with its elements. */
  holds: (value: unknown) => boolean;
  /** Looks at a leaf array itself, not at its elements. */
  wholeOnly?: boolean;
  /** Where in a matching array the match is. */
  position?: (value: unknown) => number;
  /** The filter inside `$elemMatch`. */
  children?: Clause[];
  /** True when each of these is, or `negated`: not each; each looks at the path anew. */
  parts?: Operator[];
  negated?: boolean;
}

/**
 * Compiles a filter into one `$and` clause.
 * @throws DatabaseError 2 for unknown operators and operands of the wrong type.
 */
export function compileFilter(filter: unknown, scope: Scope): Clause {
  check(isDocument(filter), 14, `the filter must be an object, not ${kindOf(filter)}`);
  return all(fieldsOf(filter).flatMap(([name, value]) => compileField(name, value, scope)));
}

function all(children: Clause[]): Clause {
  const [only] = children;
  const test: Test = (document, details) => children.every((child) => child.test(document, details));
  return { operator: "$and", children, test: only !== undefined && children.length === 1 ? only.test : test };
}

function compileField(name: string, value: unknown, scope: Scope): Clause[] {
  if (!name.startsWith("$")) return conditionOf(value, scope).map((operator) => pathClause(name, operator));
  if (name === "$comment") return [];
  if (name === "$and") return [all(branches(name, value, scope))];
  if (name === "$or" || name === "$nor") {
    const children = branches(name, value, scope);
    const some: Test = (document, details) => children.some((child) => child.test(document, details));
    return [{ operator: name, children, test: name === "$or" ? some : (document) => !some(document) }];
  }
  if (name === "$expr") {
    const evaluate = compileExpression(value, scope);
    return [{ operator: name, test: (root) => isTruthy(evaluate({ root, variables: scope.values })) }];
  }
  check(name !== "$text", 27, "text index required for $text query");
  throw name === "$jsonSchema" ? notSupported(name) : new DatabaseError(2, `unknown top level operator: ${name}`);
}

function branches(name: string, value: unknown, scope: Scope): Clause[] {
  check(Array.isArray(value) && value.length > 0, 2, `${name} must be a nonempty array`);
  check(value.every(isDocument), 2, "$or/$and/$nor entries need to be full objects");
  return value.map((branch) => compileFilter(branch, scope));
}

function pathClause(path: string, { name, operand, parts, negated = false, ...operator }: Operator): Clause {
  if (parts !== undefined) {
    const children = parts.map((part) => pathClause(path, part));
    const test: Test = (document) => children.every((child) => child.test(document)) !== negated;
    return negated ? { operator: name, path, test } : { operator: name, children, test };
  }
  const { holds, position, wholeOnly, children } = operator;
  const names = path.split(".");
  const test: Test = (document, details) =>
    reach(document, names, (value, element, index) => {
      if ((wholeOnly && element) || !holds(value)) return false;
      const place = index ?? position?.(value);
      if (details !== undefined && place !== undefined) details.position = place;
      return true;
    });
  return { operator: name, path, operand, ...(children && { children }), test };
}

/** Whether one value by itself meets a condition. */
export function compileCondition(condition: unknown, scope: Scope): (value: unknown) => boolean {
  const operators = conditionOf(condition, scope);
  return (value) => operators.every((operator) => operator.holds(value));
}

/** The operators of a condition: an operator object's own, otherwise equality or a pattern. */
function conditionOf(value: unknown, scope: Scope): Operator[] {
  const spec = isOperatorObject(value) ? value : value instanceof BSONRegExp ? { $regex: value } : { $eq: value };
  check(!Object.hasOwn(spec, "$options") || Object.hasOwn(spec, "$regex"), 2, "$options needs a $regex");
  return fieldsOf(spec)
    .filter(([name]) => name !== "$options" && name !== "$comment")
    .map(([name, operand]) => parse(name, name === "$regex" ? regexOf(operand, spec.$options) : operand, scope));
}

const NOT_SERVED = /^\$(bits(All|Any)(Set|Clear)|geo(Within|Intersects)|near|nearSphere)$/;

function parse(name: string, operand: unknown, scope: Scope): Operator {
  const compile = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (NOT_SERVED.test(name)) throw notSupported(name);
  check(compile !== undefined, 2, `unknown operator: ${name}`);
  const operator = compile(operand, scope);
  return typeof operator === "function" ? { name, operand, holds: operator } : { name, operand, ...operator };
}

function group(parts: Operator[], negated: boolean): Operator {
  const holds = (value: unknown) => parts.every((part) => part.holds(value)) !== negated;
  return { name: negated ? "$not" : "$and", parts, negated, holds };
}

type Compiled = Operator["holds"] | (Partial<Operator> & Pick<Operator, "holds">);

const OPERATORS: Readonly<Record<string, (operand: unknown, scope: Scope) => Compiled>> = {
  $eq: (operand) => (value) => equal(value, operand),
  $ne: (operand, scope) => {
    check(!(operand instanceof BSONRegExp), 2, "Can't have regex as arg to $ne.");
    return group([parse("$eq", operand, scope)], true);
  },
  $gt: (operand) => inequality(operand, 1, false),
  $gte: (operand) => inequality(operand, 1, true),
  $lt: (operand) => inequality(operand, -1, false),
  $lte: (operand) => inequality(operand, -1, true),
  $in: membership,
  $nin: (operand, scope) => group([parse("$in", operand, scope)], true),
  $exists: (operand) => {
    const exists = { name: "$exists", operand: true, wholeOnly: true, holds: (value: unknown) => value !== undefined };
    return isTruthy(operand) ? exists : group([exists], true);
  },
  $type: typeTest,
  $mod: modulo,
  $regex: (operand) => regexTest(operand as BSONRegExp),
  $size: (operand) => {
    const size = toInteger(operand) ?? -1;
    check(size >= 0, 2, "Failed to parse $size. Expected a non-negative integer");
    return { wholeOnly: true, holds: (value) => Array.isArray(value) && value.length === size };
  },
  $all: (operand, scope) => {
    check(Array.isArray(operand), 2, "$all needs an array");
    const plain = operand.every((item) => !isOperatorObject(item) || Object.hasOwn(item, "$elemMatch"));
    check(plain, 2, "no $ expressions in $all");
    const parts = operand.flatMap((item) => conditionOf(item, scope));
    return group(parts.length > 0 ? parts : [parse("$in", [], scope)], false);
  },
  $elemMatch: elemMatch,
  $not: (operand, scope) => {
    check(operand instanceof BSONRegExp || isOperatorObject(operand), 2, "$not needs a regex or operators");
    return group(conditionOf(operand, scope), true);
  },
};

function inequality(operand: unknown, sign: 1 | -1, orEqual: boolean): Operator["holds"] {
  check(!(operand instanceof BSONRegExp), 2, "Can't have RegEx as arg to predicate over field");
  const anyType = /^(min|max)Key$/.test(kindOf(operand));
  if (isNaNValue(operand)) return (value) => orEqual && isNaNValue(value);
  return (value) => {
    if ((!anyType && rankOf(value) !== rankOf(operand)) || isNaNValue(value)) return false;
    const difference = compare(value, operand) * sign;
    return difference > 0 || (orEqual && difference === 0);
  };
}

function membership(operand: unknown): Operator["holds"] {
  check(Array.isArray(operand), 2, "$in needs an array");
  check(!operand.some(isOperatorObject), 2, "cannot nest $ under $in");
  const patterns = operand.filter((item) => item instanceof BSONRegExp).map(regexTest);
  const keys = new Set(operand.map((item) => encodeKey(item).toString("latin1")));
  return (value) => keys.has(encodeKey(value).toString("latin1")) || patterns.some((test) => test(value));
}

function regexOf(operand: unknown, options: unknown = ""): BSONRegExp {
  check(typeof options === "string", 2, "$options has to be a string");
  if (operand instanceof BSONRegExp && options === "") return operand;
  check(!(operand instanceof BSONRegExp) || operand.options === "", 51075, "options set in both $regex and $options");
  const pattern = operand instanceof BSONRegExp ? operand.pattern : operand;
  check(typeof pattern === "string", 2, "$regex has to be a string");
  return new BSONRegExp(pattern, [...options].sort().join(""));
}

/** Matches texts, and the same pattern itself. */
function regexTest(regex: BSONRegExp): Operator["holds"] {
  const expression = compileRegex(regex);
  return (value) =>
    rankOf(value) === rankOf("") ? expression.test(String(value)) : value instanceof BSONRegExp && equal(value, regex);
}

function typeTest(operand: unknown): Operator["holds"] {
  const wanted = Array.isArray(operand) ? operand : [operand];
  check(wanted.length > 0, 9, "$type must match at least one type");
  const kinds = wanted.map((item) => (item === "number" ? item : kindNamed(isNumber(item) ? toNumber(item) : item)));
  check(!kinds.includes(undefined), 2, "Unknown type name alias");
  return (value) => kinds.includes(kindOf(value)) || (kinds.includes("number") && isNumber(value));
}

function modulo(operand: unknown): Operator["holds"] {
  const [divisor = 0, remainder = 0, ...others] = (Array.isArray(operand) ? operand : []).map((item) =>
    isNumber(item) ? Math.trunc(toNumber(item)) : Number.NaN,
  );
  const valid = Number.isFinite(divisor) && Number.isFinite(remainder) && divisor !== 0 && others.length === 0;
  check(valid && Array.isArray(operand) && operand.length === 2, 2, "malformed mod, needs a divisor and a remainder");
  return (value) => isNumber(value) && Math.trunc(toNumber(value)) % divisor === remainder;
}

/** Inside `$elemMatch` these begin a filter on the element's fields, not a condition on the element. */
const LOGICAL = /^\$(and|or|nor|expr|where|text|comment)$/;

function elemMatch(operand: unknown, scope: Scope): Partial<Operator> & Pick<Operator, "holds"> {
  check(isDocument(operand), 2, "$elemMatch needs an Object");
  const onValue = isOperatorObject(operand) && !LOGICAL.test(Object.keys(operand)[0] ?? "");
  const filter = onValue ? undefined : compileFilter(operand, scope);
  const onFields = (element: unknown) =>
    filter !== undefined &&
    (Array.isArray(element) ? filter.test({ ...element }) : isDocument(element) && filter.test(element));
  const takes = onValue ? compileCondition(operand, scope) : onFields;
  return {
    wholeOnly: true,
    holds: (value) => Array.isArray(value) && value.some(takes),
    position: (value) => (Array.isArray(value) ? value.findIndex(takes) : -1),
    ...(filter && { children: [filter] }),
  };
}

/** The values that a clause requires paths to equal, for upserts: `[path, value]` in order. */
export function equalities({ operator, path, operand, children = [] }: Clause): [string, unknown][] {
  if (operator === "$and" || (operator === "$or" && children.length === 1)) return children.flatMap(equalities);
  if (path === undefined) return [];
  if (operator === "$eq") return [[path, operand]];
  const values = operator === "$in" && Array.isArray(operand) ? operand : [];
  return values.length === 1 && !(values[0] instanceof BSONRegExp) ? [[path, values[0]]] : [];
}
