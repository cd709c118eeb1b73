import { check, notSupported } from "./errors.js";
import { operatorOf } from "./expression-operators.js";
import { isTruthy } from "./numbers.js";
import { fieldPath, type Path } from "./paths.js";
import { type Document, documentOf, fieldsOf, getField, isDocument, isNullish, kindOf } from "./values.js";

type Variables = Readonly<Document>;

/** What an expression is evaluated on. */
export interface Frame {
  root: unknown;
  variables: Variables;
}

/** Missing is `undefined`. */
export type Evaluate = (frame: Frame) => unknown;

/** The variables an expression may name; the values of those known beforehand (`let` of a command, NOW). */
export interface Scope {
  names: ReadonlySet<string>;
  values: Variables;
}

export function rootScope(values: Variables = {}): Scope {
  return withValues({ names: new Set(), values: {} }, { NOW: new Date(), ...values });
}

export function withValues({ names, values }: Scope, added: Variables): Scope {
  return { names: new Set([...names, ...Object.keys(added)]), values: { ...values, ...added } };
}

/**
 * @throws DatabaseError 168 for an unknown operator, 115 for one that is not served, 17276 for an unknown variable, 16020
 * and 9 for malformed operands.
 */
export function compileExpression(expression: unknown, scope: Scope): Evaluate {
  if (typeof expression === "string" && expression.startsWith("$")) return compilePath(expression, scope);
  if (Array.isArray(expression)) {
    const elements = expression.map((element) => compileExpression(element, scope));
    return (frame) => elements.map((element) => element(frame) ?? null);
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
  return (frame) => documentOf(compiled.map(([name, evaluate]) => [name, evaluate(frame)] as const));
}

function compilePath(text: string, scope: Scope): Evaluate {
  check(text !== "$", 16872, "'$' by itself is not a valid FieldPath");
  const [name = "", ...rest] = text.startsWith("$$")
    ? text.slice(2).split(".")
    : ["CURRENT", ...fieldPath(text.slice(1))];
  const path = rest.length > 0 ? fieldPath(rest.join(".")) : [];
  if (name === "REMOVE") return () => undefined;
  if (name === "ROOT" || name === "CURRENT") return ({ root }) => spread(root, path, 0);
  check(scope.names.has(name), 17276, `Use of undefined variable: ${name}`);
  return ({ variables }) => spread(getField(variables, name), path, 0);
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
  const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
  if (form !== undefined) return compileForm(form, operand, scope);
  const { least, most, apply } = operatorOf(name);
  const compiled = (Array.isArray(operand) ? operand : [operand]).map((item) => compileExpression(item, scope));
  const fits = compiled.length >= least && compiled.length <= most;
  check(fits, 16020, `Expression ${name} does not take ${compiled.length} arguments`);
  return (frame) => apply(compiled.map((evaluate) => evaluate(frame)));
}

/** Evaluates an operand, with further variables. */
type Operand = (variables?: Variables) => unknown;

/** An operator that does not evaluate all its operands first, or evaluates the last with variables of its own. */
interface Form {
  fields?: string[];
  /** The fields may be given by place, or how many operands there are at least. */
  list?: boolean | number;
  variables?: (operand: Document) => string[];
  run: (operands: Operand[], as: string) => unknown;
}

const element = ({ as = "this" }: Document) => [String(as)];

const FORMS: Readonly<Record<string, Form>> = {
  $and: { run: (operands) => operands.every((operand) => isTruthy(operand())) },
  $or: { run: (operands) => operands.some((operand) => isTruthy(operand())) },
  $ifNull: { list: 2, run: (operands) => (operands.find((operand) => !isNullish(operand())) ?? operands.at(-1))?.() },
  $cond: {
    fields: ["if", "then", "else"],
    list: true,
    run: ([test, then, otherwise]) => (isTruthy(test?.()) ? then : otherwise)?.(),
  },
  $let: {
    fields: ["vars", "in"],
    variables: ({ vars }) => (isDocument(vars) ? Object.keys(vars) : []),
    run: ([vars, body]) => body?.(vars?.() as Variables),
  },
  $map: {
    fields: ["input", "in"],
    variables: element,
    run: ([input, body], as) => listOf(input, (list) => list.map((it) => body?.({ [as]: it }) ?? null)),
  },
  $filter: {
    fields: ["input", "cond"],
    variables: element,
    run: ([input, test], as) => listOf(input, (list) => list.filter((it) => isTruthy(test?.({ [as]: it })))),
  },
  $reduce: {
    fields: ["input", "initialValue", "in"],
    variables: () => ["this", "value"],
    run: ([input, initial, body]) =>
      listOf(input, (list) => list.reduce((value, it) => body?.({ this: it, value }), initial?.())),
  },
};

function listOf(input: Operand | undefined, change: (list: unknown[]) => unknown): unknown {
  const list = input?.();
  check(isNullish(list) || Array.isArray(list), 28651, `the input must be an array not ${kindOf(list)}`);
  return isNullish(list) ? null : change(list);
}

function compileForm({ fields, list: listed, variables, run }: Form, operand: unknown, scope: Scope): Evaluate {
  const list = Array.isArray(operand) ? operand : [operand];
  check(typeof listed !== "number" || list.length >= listed, 16020, `at least ${listed} arguments are needed`);
  check(fields === undefined || listed === true || isDocument(operand), 9, "an object of named operands is needed");
  const named = isDocument(operand) ? operand : Object.fromEntries(list.map((item, at) => [fields?.[at] ?? at, item]));
  const names = variables?.(named) ?? [];
  const stray = Object.keys(named).find(
    (name) => fields?.includes(name) === false && (name !== "as" || variables !== element),
  );
  const missing = fields?.find((name) => !Object.hasOwn(named, name));
  check((stray ?? missing) === undefined, 9, `the operands are ${fields}, not: ${stray ?? missing}`);
  check(
    names.every((name) => /^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name)),
    16867,
    "no name for a variable",
  );
  const inner = { names: new Set([...scope.names, ...names]), values: scope.values };
  const parts = fields?.map((name) => named[name]) ?? list;
  const compiled = parts.map((part, at) => compileExpression(part, at === parts.length - 1 ? inner : scope));
  return (frame) => {
    const evaluate = (part: Evaluate) => (added?: Variables) =>
      part(added === undefined ? frame : { root: frame.root, variables: { ...frame.variables, ...added } });
    return run(compiled.map(evaluate), names[0] ?? "");
  };
}

/** A `$switch` as nested conditions. */
function conditionsOf(operand: unknown): unknown {
  const { branches, default: otherwise, ...others } = isDocument(operand) ? operand : {};
  const valid = Array.isArray(branches) && branches.length > 0 && Object.keys(others).length === 0;
  check(valid, 40068, "$switch requires at least one branch, and knows branches and default");
  if (otherwise === undefined) throw notSupported("$switch without a default");
  return branches.reduceRight((rest: unknown, branch: unknown) => {
    const { case: test, then } = isDocument(branch) ? branch : {};
    check(
      test !== undefined && then !== undefined,
      40062,
      "$switch requires each branch to have a 'case' and a 'then'",
    );
    return { $cond: [test, then, rest] };
  }, otherwise);
}
