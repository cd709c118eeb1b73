import { BSONRegExp } from "bson";
import { check, DatabaseError, notSupported } from "./errors.js";
import { compileExpression, type Scope } from "./expressions.js";
import { type Operator, parseOperators } from "./match-operators.js";
import { isTruthy } from "./numbers.js";
import { reach } from "./paths.js";
import { type Document, fieldsOf, isDocument, isOperatorObject, kindOf } from "./values.js";

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
  if (!name.startsWith("$")) return compilePath(name, value, scope);
  switch (name) {
    case "$and":
      return [all(branches(name, value, scope))];
    case "$or": {
      const children = branches(name, value, scope);
      return [
        { operator: name, children, test: (document, details) => children.some((c) => c.test(document, details)) },
      ];
    }
    case "$nor": {
      const children = branches(name, value, scope);
      return [{ operator: name, children, test: (document) => !children.some((child) => child.test(document)) }];
    }
    case "$expr": {
      const evaluate = compileExpression(value, scope);
      return [{ operator: name, test: (root) => isTruthy(evaluate({ root, variables: scope.values })) }];
    }
    case "$comment":
      return [];
    case "$where":
      throw new DatabaseError(2, "$where is not supported: there is no JavaScript engine for queries");
    case "$text":
      throw new DatabaseError(27, "text index required for $text query");
    default:
      throw name === "$jsonSchema" ? notSupported(name) : new DatabaseError(2, `unknown top level operator: ${name}`);
  }
}

function branches(name: string, value: unknown, scope: Scope): Clause[] {
  check(Array.isArray(value) && value.length > 0, 2, `${name} must be a nonempty array`);
  check(value.every(isDocument), 2, "$or/$and/$nor entries need to be full objects");
  return value.map((branch) => compileFilter(branch, scope));
}

/** The operators of a condition: an operator object's own, otherwise equality or a pattern. */
export function conditionOf(value: unknown, scope: Scope): Operator[] {
  const spec = isOperatorObject(value) ? value : value instanceof BSONRegExp ? { $regex: value } : { $eq: value };
  return parseOperators(spec, (inner) => compileFilter(inner, scope));
}

function compilePath(path: string, value: unknown, scope: Scope): Clause[] {
  return conditionOf(value, scope).map((operator) => pathClause(path, operator));
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

/** The values that a clause requires paths to equal, for upserts: `[path, value]` in order. */
export function equalities({ operator, path, operand, children = [] }: Clause): [string, unknown][] {
  if (operator === "$and" || (operator === "$or" && children.length === 1)) return children.flatMap(equalities);
  if (path === undefined) return [];
  if (operator === "$eq") return [[path, operand]];
  const values = operator === "$in" && Array.isArray(operand) ? operand : [];
  return values.length === 1 && !(values[0] instanceof BSONRegExp) ? [[path, values[0]]] : [];
}
