import { check, notSupported } from "./errors.js";
import { operatorOf } from "./expression-operators.js";
import { LEFT_OUT, type Operator } from "./operands.js";
import { fieldPath, type Path } from "./paths.js";
import { type Document, documentOf, fieldsOf, getField, isDocument, isOperatorObject } from "./values.js";

/**
 * The variables that an expression may name, with their values: `ROOT` is the document it is evaluated on. A variable whose
 * value comes later (`ROOT`, those of `$let` and the like) is there as `undefined`.
 */
export type Scope = Readonly<Document>;

/** Missing is `undefined`. */
export type Evaluate = (scope: Scope) => unknown;

export const rootScope = (): Scope => ({ NOW: new Date(), ROOT: undefined, CURRENT: undefined, REMOVE: undefined });

export const onRoot = (scope: Scope, root: unknown): Scope => ({ ...scope, ROOT: root, CURRENT: root });

/** An expression as a function of documents. @throws as `compileExpression` */
export function compileOnRoot(expression: unknown, scope: Scope): (root: unknown) => unknown {
  const evaluate = compileExpression(expression, scope);
  return (root) => evaluate(onRoot(scope, root));
}

/**
 * @throws DatabaseError 168 for an unknown operator, 115 for one that is not served, 17276 for an unknown variable, 16020
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

/** A path in an expression: arrays on the way give an array of what their documents have there. */
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
  if (name === "$expr") return compileExpression(operand, scope);
  if (name === "$switch") return compileExpression(conditionsOf(operand), scope);
  if (name === "$let") return compileLet(operand, scope);
  const operator = operatorOf(name);
  const operands = operandsOf(name, operand, operator);
  const bound = operator.binds && isDocument(operand) ? operator.binds(operand) : [];
  const inner = declared(scope, bound);
  const compiled = operands.map((part, at) =>
    part === undefined ? LEFT_OUT : compileExpression(part, at === operands.length - 1 ? inner : scope),
  );
  return (variables) => operator.run(variables, ...compiled);
}

/** The scope in which further variables may be named. @throws DatabaseError 16867 for what cannot be a name. */
function declared(scope: Scope, names: string[]): Scope {
  const fitting = names.every((name) => /^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name));
  check(fitting, 16867, `${names} cannot be names of variables`);
  return { ...scope, ...Object.fromEntries(names.map((name) => [name, undefined])) };
}

/** Variables as a `let` gives them: the scope for what may name them, and what adds their values. */
export function compileVariables(vars: Document, scope: Scope): { inner: Scope; bind: (variables: Scope) => Scope } {
  const compiled = fieldsOf(vars).map(([name, value]) => [name, compileExpression(value, scope)] as const);
  const bind = (outer: Scope) => Object.fromEntries(compiled.map(([name, evaluate]) => [name, evaluate(outer)]));
  return { inner: declared(scope, Object.keys(vars)), bind: (outer) => ({ ...outer, ...bind(outer) }) };
}

function compileLet(operand: unknown, scope: Scope): Evaluate {
  const { vars, in: body, ...others } = isDocument(operand) ? operand : {};
  const valid = isDocument(vars) && body !== undefined && Object.keys(others).length === 0;
  check(valid, 9, "$let takes an object of 'vars', and 'in'");
  const { inner, bind } = compileVariables(vars, scope);
  const evaluate = compileExpression(body, inner);
  return (variables) => evaluate(bind(variables));
}

/** The operands in their order, undefined for those left out. @throws DatabaseError 16020 and 9 */
function operandsOf(name: string, operand: unknown, { least, most, names }: Operator): unknown[] {
  if (names !== undefined && isDocument(operand) && !isOperatorObject(operand)) {
    const stray = Object.keys(operand).find((key) => !names.includes(key) && !names.includes(`${key}?`));
    const missing = names.find((key) => !key.endsWith("?") && getField(operand, key) === undefined);
    check((stray ?? missing) === undefined, 9, `${name} takes ${names}, wrong or missing is: ${stray ?? missing}`);
    return names.map((key) => getField(operand, key.replace("?", "")));
  }
  const operands = Array.isArray(operand) ? operand : [operand];
  const fits = operands.length >= least && operands.length <= most;
  check(fits, names ? 9 : 16020, `Expression ${name} does not take ${operands.length} arguments`);
  return operands;
}

/** A `$switch` as nested conditions. */
function conditionsOf(operand: unknown): unknown {
  const { branches, default: otherwise, ...others } = isDocument(operand) ? operand : {};
  const valid = Array.isArray(branches) && branches.length > 0 && branches.every(isDocument);
  check(valid && Object.keys(others).length === 0, 40068, "$switch takes branches, at least one, and a default");
  if (otherwise === undefined) throw notSupported("$switch without a default");
  return branches.reduceRight((rest: unknown, { case: test, then, ...stray }) => {
    check(Object.keys(stray).length === 0, 40063, "a branch of $switch has a 'case' and a 'then' only");
    return { $cond: { if: test, then, else: rest } };
  }, otherwise);
}
