import { BSONRegExp } from "bson";
import { DatabaseError, notSupported } from "./errors.js";
import { compileExpression, isTruthy, type Scope } from "./expressions.js";
import { type Operator, parseOperators } from "./match-operators.js";
import { reach } from "./paths.js";
import { type Document, fieldsOf, isDocument, kindOf } from "./values.js";

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

const REFUSED: Readonly<Record<string, () => DatabaseError>> = {
  $where: () => new DatabaseError(2, "$where is not supported: there is no JavaScript engine for queries"),
  $text: () => new DatabaseError(27, "text index required for $text query"),
  $jsonSchema: () => notSupported("$jsonSchema"),
};

/**
 * Compiles a filter into one `$and` clause.
 * @throws DatabaseError 2 for unknown operators and operands of the wrong type.
 */
export function compileFilter(filter: unknown, scope: Scope): Clause {
  if (!isDocument(filter)) {
    throw new DatabaseError(14, `the filter must be an object, not ${kindOf(filter)}`);
  }
  return all(fieldsOf(filter).flatMap(([name, value]) => compileField(name, value, scope)));
}

function all(children: Clause[]): Clause {
  const [only] = children;
  if (children.length === 1 && only !== undefined) {
    return { operator: "$and", children, test: only.test };
  }
  return {
    operator: "$and",
    children,
    test: (document, details) => children.every((child) => child.test(document, details)),
  };
}

function compileField(name: string, value: unknown, scope: Scope): Clause[] {
  if (!name.startsWith("$")) {
    return compilePath(name, value, scope);
  }
  switch (name) {
    case "$and":
    case "$or":
    case "$nor":
      return [combine(name, branches(name, value, scope))];
    case "$expr": {
      const evaluate = compileExpression(value, scope);
      return [{ operator: name, test: (document) => isTruthy(evaluate({ root: document, variables: scope.values })) }];
    }
    case "$comment":
      return [];
    case "$alwaysTrue":
    case "$alwaysFalse":
      return [{ operator: name, test: () => name === "$alwaysTrue" }];
    default:
      throw REFUSED[name]?.() ?? new DatabaseError(2, `unknown top level operator: ${name}`);
  }
}

function branches(name: string, value: unknown, scope: Scope): Clause[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new DatabaseError(2, `${name} must be a nonempty array`);
  }
  return value.map((branch) => {
    if (!isDocument(branch)) {
      throw new DatabaseError(2, "$or/$and/$nor entries need to be full objects");
    }
    return compileFilter(branch, scope);
  });
}

function combine(operator: string, children: Clause[]): Clause {
  switch (operator) {
    case "$and":
      return all(children);
    case "$or":
      return {
        operator,
        children,
        test: (document, details) => children.some((child) => child.test(document, details)),
      };
    default:
      return { operator, children, test: (document) => !children.some((child) => child.test(document)) };
  }
}

/** An operator object has a first field that begins with `$`; anything else is compared as it is. */
export function isOperatorObject(value: unknown): value is Document {
  return (
    isDocument(value) &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value)[0]?.startsWith("$") === true
  );
}

function compilePath(path: string, value: unknown, scope: Scope): Clause[] {
  if (isOperatorObject(value)) {
    return parseOperators(value, (inner) => compileFilter(inner, scope)).map((operator) => pathClause(path, operator));
  }
  const spec = value instanceof BSONRegExp ? { $regex: value } : { $eq: value };
  return parseOperators(spec, (inner) => compileFilter(inner, scope)).map((operator) => pathClause(path, operator));
}

function pathClause(path: string, operator: Operator): Clause {
  const parts = path.split(".");
  if (operator.negated !== undefined) {
    const children = operator.negated.map((inner) => pathClause(path, inner));
    return { operator: "$not", path, test: (document) => !children.every((child) => child.test(document)) };
  }
  if (operator.each !== undefined) {
    const children = operator.each.map((inner) => pathClause(path, inner));
    const test: Test = (document) => children.length > 0 && children.every((child) => child.test(document));
    return { operator: "$and", children, test };
  }
  const { name, operand, holds, position, wholeOnly, children } = operator;
  const test: Test = (document, details) =>
    reach(document, parts, (value, element, index) => {
      if ((wholeOnly && element) || !holds(value)) {
        return false;
      }
      const place = index ?? position?.(value);
      if (details !== undefined && place !== undefined) {
        details.position = place;
      }
      return true;
    });
  return { operator: name, path, operand, ...(children && { children }), test };
}

/** The values that a clause list requires a path to equal, for upserts: `[path, value]` in order. */
export function equalities(clause: Clause): [string, unknown][] {
  if (clause.operator === "$and" || (clause.operator === "$or" && clause.children?.length === 1)) {
    return (clause.children ?? []).flatMap(equalities);
  }
  if (clause.path !== undefined && clause.operator === "$eq") {
    return [[clause.path, clause.operand]];
  }
  if (
    clause.path !== undefined &&
    clause.operator === "$in" &&
    Array.isArray(clause.operand) &&
    clause.operand.length === 1
  ) {
    return clause.operand[0] instanceof BSONRegExp ? [] : [[clause.path, clause.operand[0]]];
  }
  return [];
}
