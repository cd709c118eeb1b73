import { check } from "../errors.js";
import { type Operator, operatorOf } from "./operators.js";
import { fieldPath, type Path } from "./paths.js";
import { type Document, documentOf, fieldsOf, getField, isDocument, isOperatorObject } from "./values.js";

/**
 * The variables of an expression with their values. `ROOT` is the evaluated document. A variable that gets its value
 * later (`ROOT`, the element in `$map`) is present as `undefined`.
 */
export type Scope = Readonly<Document>;

/** Evaluates an expression. A missing value is `undefined`. */
export type Evaluate = (scope: Scope) => unknown;

export const rootScope = (): Scope => ({ NOW: new Date(), ROOT: undefined, CURRENT: undefined, REMOVE: undefined });

export const onRoot = (scope: Scope, root: unknown): Scope => ({ ...scope, ROOT: root, CURRENT: root });

/**
 * Compiles an expression.
 * @throws DatabaseError 168 for an unknown operator, 115 for an unsupported one, 17276 for an unknown variable, 16020
 * and 9 for malformed operands.
 */
export function compileExpression(expression: unknown, scope: Scope): Evaluate {
  if (typeof expression === "string" && expression.startsWith("$")) return compilePath(expression, scope);
  if (Array.isArray(expression)) {
    const elements = expression.map((element) => compileExpression(element, scope));
    return (variables) => elements.map((element) => element(variables) ?? null);
  }
  if (!isDocument(expression)) return () => expression;
  const fields = fieldsOf(expression);
  const operator = fields.find(([name]) => name.startsWith("$"));
  if (operator !== undefined) {
    check(fields.length === 1, 15983, "an object representing an expression must have exactly one field");
    return compileOperator(...operator, scope);
  }
  check(!fields.some(([name]) => name.includes(".")), 16412, "FieldPath field names may not contain '.'");
  const compiled = fields.map(([name, value]) => [name, compileExpression(value, scope)] as const);
  return (variables) => documentOf(compiled.map(([name, evaluate]) => [name, evaluate(variables)] as const));
}

function compilePath(text: string, scope: Scope): Evaluate {
  check(text !== "$", 16872, "'$' by itself is not a valid FieldPath");
  const [name = "", ...rest] = text.startsWith("$$") ? text.slice(2).split(".") : ["ROOT", text.slice(1)];
  const path = rest.length > 0 ? fieldPath(rest.join(".")) : [];
  check(Object.hasOwn(scope, name), 17276, `Use of undefined variable: ${name}`);
  return (variables) => spread(variables[name], path, 0);
}

/** Reads a path in an expression. An array on the path gives an array of the values in its documents. */
function spread(value: unknown, path: Path, at: number): unknown {
  const name = path[at];
  if (name === undefined) return value;
  if (Array.isArray(value)) {
    const found = value.map((element) => (isDocument(element) ? spread(element, path, at) : undefined));
    return found.filter((element) => element !== undefined);
  }
  return isDocument(value) ? spread(getField(value, name), path, at + 1) : undefined;
}

function compileOperator(name: string, operand: unknown, scope: Scope): Evaluate {
  if (name === "$literal") return () => operand;
  const operator = operatorOf(name);
  const operands = operandsOf(name, operand, operator);
  const inner = operator.binds ? withVariable(scope, operands[1]) : scope;
  const compiled = operands.map((part, at) => compileExpression(part, at === operands.length - 1 ? inner : scope));
  return (variables) => operator.run(variables, ...compiled);
}

/** Checks a variable's name. @throws DatabaseError 16867 for an invalid name. */
function withVariable(scope: Scope, name: unknown): Scope {
  const fits = typeof name === "string" && /^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name);
  check(fits, 16867, `${name} cannot be the name of a variable`);
  return { ...scope, [String(name)]: undefined };
}

/** Reads the operands in order. @throws DatabaseError 16020 and 9 */
function operandsOf(name: string, operand: unknown, { least, most, names }: Operator): unknown[] {
  if (names !== undefined && isDocument(operand) && !isOperatorObject(operand)) {
    const given = fieldsOf({ ...names, ...(operand as Document) });
    const fits = given.every(([key, value]) => Object.hasOwn(names, key) && value !== undefined);
    check(fits, 9, `${name} takes the operands ${Object.keys(names)}`);
    return given.map(([, value]) => value);
  }
  const operands = Array.isArray(operand) ? operand : [operand];
  const fits = operands.length >= least && operands.length <= most;
  check(fits, names ? 9 : 16020, `Expression ${name} does not take ${operands.length} arguments`);
  return operands;
}
