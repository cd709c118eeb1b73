import { BSONRegExp } from "bson";
import { check, lookUp, notSupported } from "../errors.js";
import { compileExpression, onRoot, type Scope } from "./expressions.js";
import { isNaNValue, isTruthy, toInteger } from "./numbers.js";
import { compare, equal, identity } from "./ordering.js";
import { type Path, visitPath } from "./paths.js";
import { compileRegex, regexOf } from "./regex.js";
import { fieldsOf, isDocument, isNumber, isOperatorObject, kindNamed, kindOf, rankOf } from "./values.js";

/** A match sets it to the matching index of the first array. The positional operator `$` refers to it. */
export interface MatchDetails {
  position?: number;
}

type Test = (value: unknown, details?: MatchDetails) => boolean;

/** One condition of a filter. The planner reads `operator`, `path`, `operand`; `$and` and `$or` have children. */
export interface Clause {
  operator: string;
  path?: string;
  operand?: unknown;
  children?: Clause[];
  test: Test;
}

/**
 * Compiles a filter into one `$and` clause; without a scope it takes no `$expr`.
 * @throws DatabaseError 2 for unknown operators and operands of the wrong type, 224 for an `$expr` out of place.
 */
export function compileFilter(filter: unknown, scope?: Scope): Clause {
  check(isDocument(filter), 14, `the filter must be an object, not ${kindOf(filter)}`);
  return all(fieldsOf(filter).flatMap(([name, value]) => compileField(name, value, scope)));
}

function all(children: Clause[]): Clause {
  return { operator: "$and", children, test: (value, details) => children.every((one) => one.test(value, details)) };
}

/** Operators that join filters. In a condition on a document they make the condition a filter. */
export const LOGICAL = /^\$(and|n?or)$/;

const not = (children: Clause[], name = "$not"): Clause => ({
  operator: name,
  test: (value) => !children.every((child) => child.test(value)),
});

function compileField(name: string, value: unknown, scope: Scope | undefined): Clause[] {
  if (!name.startsWith("$")) return conditionOf(value, name);
  if (name === "$comment") return [];
  if (name === "$expr") {
    check(scope !== undefined, 224, "$expr is not allowed in this filter");
    const evaluate = compileExpression(value, scope);
    return [{ operator: name, test: (root) => isTruthy(evaluate(onRoot(scope, root))) }];
  }
  check(name !== "$text", 27, "text index required for $text query");
  if (name === "$jsonSchema") throw notSupported(name);
  check(LOGICAL.test(name), 2, `unknown top level operator: ${name}`);
  check(Array.isArray(value) && value.length > 0, 2, `${name} must be a nonempty array`);
  const children = value.map((branch) => compileFilter(branch, scope));
  if (name === "$and") return [all(children)];
  const some: Test = (document, details) => children.some((child) => child.test(document, details));
  return [name === "$or" ? { operator: name, children, test: some } : not([{ operator: "$or", test: some }], name)];
}

/**
 * Compiles a condition on the values of a path, or without a path on a value itself. The condition is an operator
 * object, or else an equality or a pattern.
 */
function conditionOf(value: unknown, path?: string): Clause[] {
  const spec = isOperatorObject(value) ? value : value instanceof BSONRegExp ? { $regex: value } : { $eq: value };
  const { $options, ...operators } = spec;
  check($options === undefined || operators.$regex !== undefined, 2, "$options needs a $regex");
  return fieldsOf(operators).flatMap(([name, operand]) =>
    compileOperator(name, name === "$regex" ? regexOf(operand, $options) : operand, path),
  );
}

const NOT_SERVED =
  "$mod $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $geoIntersects $geoWithin $near $nearSphere";

/** Operators that contain other operators. The others are in `TESTS`. */
function compileOperator(name: string, operand: unknown, path?: string): Clause[] {
  const negated = (operator: string, of = operand) => [not(compileOperator(operator, of, path))];
  if (name === "$nin") return negated("$in");
  if (name === "$exists" && !isTruthy(operand)) return negated("$exists", true);
  if (name === "$ne") {
    check(!(operand instanceof BSONRegExp), 2, "Can't have regex as arg to $ne.");
    return negated("$eq");
  }
  if (name === "$not") {
    check(operand instanceof BSONRegExp || isOperatorObject(operand), 2, "$not needs a regex or operators");
    return [not(conditionOf(operand, path))];
  }
  if (name === "$all") {
    check(Array.isArray(operand), 2, "$all needs an array");
    if (operand.some(isOperatorObject)) throw notSupported("a condition within $all");
    if (operand.length > 0) return operand.flatMap((item) => conditionOf(item, path));
  }
  const test = lookUp(TESTS, name === "$all" ? "$in" : name, NOT_SERVED, 2)(operand);
  return [onSubject(name, operand, typeof test === "function" ? { holds: test } : test, path)];
}

/** Tests one value. */
type Holds = (value: unknown) => boolean;

interface ValueTest {
  holds: Holds;
  /** True when the operator tests a leaf array itself instead of its elements. */
  whole?: boolean;
  /** Returns the index of the match in a matching array. */
  position?: (value: unknown) => number;
}

function onSubject(operator: string, operand: unknown, valueTest: ValueTest, path?: string): Clause {
  const { holds, whole = false, position } = valueTest;
  if (path === undefined) return { operator, operand, test: (value) => holds(value) };
  const names: Path = path.split(".");
  const test: Test = (document, details) =>
    visitPath(document, names, (value, element, index) => {
      if ((whole && element) || !holds(value)) return false;
      const place = index ?? position?.(value);
      if (details !== undefined && place !== undefined) details.position = place;
      return true;
    });
  return { operator, path, operand, test };
}

const TESTS: Readonly<Record<string, (operand: unknown) => Holds | ValueTest>> = {
  $eq: (operand) => (value) => equal(value, operand),
  $gt: (operand) => createInequality(operand, (order) => order > 0),
  $gte: (operand) => createInequality(operand, (order) => order >= 0),
  $lt: (operand) => createInequality(operand, (order) => order < 0),
  $lte: (operand) => createInequality(operand, (order) => order <= 0),
  $in: (operand) => {
    check(Array.isArray(operand), 2, "$in needs an array");
    check(!operand.some(isOperatorObject), 2, "cannot nest $ under $in");
    const patterns = operand.filter((item) => item instanceof BSONRegExp).map(matches);
    const keys = new Set(operand.map(identity));
    return (value) => keys.has(identity(value)) || patterns.some((test) => test(value));
  },
  $exists: () => ({ whole: true, holds: (value) => value !== undefined }),
  $regex: (operand) => matches(operand as BSONRegExp),
  $type: (operand) => {
    const wanted = Array.isArray(operand) ? operand : [operand];
    check(wanted.length > 0, 9, "$type must match at least one type");
    const kinds = wanted.map((item) => (item === "number" ? item : kindNamed(item)));
    check(!kinds.includes(undefined), 2, "Unknown type name alias");
    return (value) => kinds.includes(kindOf(value)) || (kinds.includes("number") && isNumber(value));
  },
  $size: (operand) => {
    const size = toInteger(operand) ?? -1;
    check(size >= 0, 2, "Failed to parse $size. Expected a non-negative integer");
    return { whole: true, holds: (value) => Array.isArray(value) && value.length === size };
  },
  $elemMatch: (operand) => {
    check(isDocument(operand), 2, "$elemMatch needs an Object");
    const onValue = isOperatorObject(operand) && !LOGICAL.test(Object.keys(operand)[0] ?? "");
    const { test } = onValue ? all(conditionOf(operand)) : compileFilter(operand);
    // A filter treats an array among the elements as a document whose names are the positions.
    const fields = (element: unknown) => (Array.isArray(element) ? { ...element } : element);
    const takes: Holds = (element) =>
      onValue ? test(element) : (Array.isArray(element) || isDocument(element)) && test(fields(element));
    return {
      whole: true,
      holds: (value) => Array.isArray(value) && value.some(takes),
      position: (value) => (Array.isArray(value) ? value.findIndex(takes) : -1),
    };
  },
};

function createInequality(operand: unknown, fits: (order: number) => boolean): Holds {
  check(!(operand instanceof BSONRegExp), 2, "Can't have RegEx as arg to predicate over field");
  const anyType = /^(min|max)Key$/.test(kindOf(operand));
  if (isNaNValue(operand)) return (value) => fits(0) && isNaNValue(value);
  return (value) =>
    (anyType || (rankOf(value) === rankOf(operand) && !isNaNValue(value))) && fits(compare(value, operand));
}

/** Matches text by a pattern, and the pattern value itself. */
function matches(regex: BSONRegExp): Holds {
  const test = compileRegex(regex);
  return (value) =>
    rankOf(value) === rankOf("") ? test(String(value)) : value instanceof BSONRegExp && equal(value, regex);
}

/** Lists the values that a clause requires of paths, as `[path, value]` in order. Upserts use them. */
export function equalities({ operator, path, operand, children = [] }: Clause): [string, unknown][] {
  if (operator === "$and" || (operator === "$or" && children.length === 1)) return children.flatMap(equalities);
  if (path === undefined) return [];
  if (operator === "$eq") return [[path, operand]];
  const values = operator === "$in" && Array.isArray(operand) ? operand : [];
  return values.length === 1 && !(values[0] instanceof BSONRegExp) ? [[path, values[0]]] : [];
}
