import { check, DatabaseError, notSupported } from "./errors.js";
import { LIBRARY } from "./expression-library.js";
import { OPERATORS } from "./expression-operators.js";
import { isTruthy } from "./numbers.js";
import { fieldPath, type Path } from "./paths.js";
import { documentOf, fieldsOf, getField, isDocument, isNullish, kindOf } from "./values.js";

type Variables = Readonly<Record<string, unknown>>;

/** What an expression is evaluated on. */
export interface Frame {
  root: unknown;
  variables: Variables;
}

/** Missing is `undefined`. */
export type Evaluate = (frame: Frame) => unknown;

/** The variables an expression may name, and the values of those known beforehand (`let` of a command, NOW). */
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

/** MongoDB 7 has these too. */
const NOT_SERVED = new RegExp(
  `^\\$(${[
    "a?(sin|cos|tan)h?|atan2|degreesToRadians|radiansToDegrees|exp|ln|log|log10|rand|sampleRate|bit(And|Not|Or|Xor)",
    "stdDev(Pop|Samp)|median|percentile|(first|last|min|max|top|bottom)N|top|bottom|sortArray|zip|indexOf(CP|Bytes)",
    "(get|set|unset)Field|binarySize|bsonSize|toHashedIndexKey|tsIncrement|tsSecond|meta|function|accumulator|strcasecmp",
    "week|isoWeek|isoWeekYear|date(From|To)Parts|dateFromString|dateDiff|regexFind(All)?",
  ].join("|")})$`,
);

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
  const operator = fields.find(([field]) => field.startsWith("$"));
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
  if (!text.startsWith("$$")) return compilePath(`$$CURRENT.${text.slice(1)}`, scope);
  const [name = "", ...rest] = text.slice(2).split(".");
  const path = rest.length > 0 ? fieldPath(rest.join(".")) : [];
  check(name !== "", 9, "empty variable names are not allowed");
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
  const form = FORMS.get(name);
  if (form !== undefined) return form(operand, scope);
  const operator = OPERATORS.get(name) ?? LIBRARY.get(name);
  if (operator === undefined) {
    throw NOT_SERVED.test(name) ? notSupported(name) : new DatabaseError(168, `Unrecognized expression '${name}'`);
  }
  const compiled = listed(operand).map((item) => compileExpression(item, scope));
  const fits = compiled.length >= operator.least && compiled.length <= operator.most;
  check(fits, 16020, `Expression ${name} does not take ${compiled.length} arguments`);
  return (frame) => operator.apply(compiled.map((evaluate) => evaluate(frame)));
}

const listed = (operand: unknown): unknown[] => (Array.isArray(operand) ? operand : [operand]);

/** The operators that do not evaluate all their operands first, or evaluate them with variables of their own. */
const FORMS: ReadonlyMap<string, (operand: unknown, scope: Scope) => Evaluate> = new Map([
  ["$literal", (operand: unknown) => () => operand],
  ["$expr", compileExpression],
  ["$and", compileAnd],
  ["$or", compileOr],
  ["$ifNull", compileIfNull],
  ["$cond", compileCondition],
  ["$switch", compileSwitch],
  ["$let", compileLet],
  ["$map", compileMap],
  ["$filter", compileFilterForm],
  ["$reduce", compileReduce],
]);

/** The named operands, compiled; the last of them may use `variables` too. */
function named(operand: unknown, fields: string[], scope: Scope, variables: string[] = []): Evaluate[] {
  check(isDocument(operand), 9, `an object with ${fields} is needed`);
  const stray = Object.keys(operand).find((field) => !fields.includes(field) && field !== "as");
  const missing = fields.find((field) => !Object.hasOwn(operand, field));
  check((stray ?? missing) === undefined, 9, `an object with ${fields} is needed: ${stray ?? missing}`);
  for (const name of variables)
    check(/^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name), 16867, `no variable: ${name}`);
  const inner = { names: new Set([...scope.names, ...variables]), values: scope.values };
  return fields.map((field, at) => compileExpression(operand[field], at === fields.length - 1 ? inner : scope));
}

const binding = ({ root, variables }: Frame, added: Variables): Frame => ({
  root,
  variables: { ...variables, ...added },
});

function compileAnd(operand: unknown, scope: Scope): Evaluate {
  const parts = listed(operand).map((part) => compileExpression(part, scope));
  return (frame) => parts.every((part) => isTruthy(part(frame)));
}

function compileOr(operand: unknown, scope: Scope): Evaluate {
  const parts = listed(operand).map((part) => compileExpression(part, scope));
  return (frame) => parts.some((part) => isTruthy(part(frame)));
}

function compileIfNull(operand: unknown, scope: Scope): Evaluate {
  const parts = listed(operand).map((part) => compileExpression(part, scope));
  check(parts.length > 1, 1257300, "$ifNull needs at least two arguments");
  return (frame) => {
    const found = parts.slice(0, -1).find((part) => !isNullish(part(frame)));
    return (found ?? parts.at(-1))?.(frame);
  };
}

function compileCondition(operand: unknown, scope: Scope): Evaluate {
  check(!Array.isArray(operand) || operand.length === 3, 16020, "Expression $cond takes exactly 3 arguments");
  const fields = Array.isArray(operand) ? ["0", "1", "2"] : ["if", "then", "else"];
  const [test, then, otherwise] = named(Array.isArray(operand) ? { ...operand } : operand, fields, scope);
  return (frame) => (isTruthy(test?.(frame)) ? then : otherwise)?.(frame);
}

function compileSwitch(operand: unknown, scope: Scope): Evaluate {
  const { branches, default: otherwise, ...others } = isDocument(operand) ? operand : {};
  const valid = Array.isArray(branches) && branches.length > 0 && Object.keys(others).length === 0;
  check(valid, 40068, "$switch requires at least one branch, and knows branches and default");
  const cases = branches.map((branch) => named(branch, ["case", "then"], scope));
  const last = otherwise === undefined ? undefined : compileExpression(otherwise, scope);
  return (frame) => {
    const found = cases.find(([test]) => isTruthy(test?.(frame)))?.[1] ?? last;
    check(found !== undefined, 40066, "$switch could not find a matching branch, and no default was specified.");
    return found(frame);
  };
}

function compileLet(operand: unknown, scope: Scope): Evaluate {
  const vars = isDocument(operand) && isDocument(operand.vars) ? operand.vars : {};
  const [values, body] = named(operand, ["vars", "in"], scope, Object.keys(vars));
  return (frame) => body?.(binding(frame, values?.(frame) as Variables));
}

/** Null for null; `change` is given the input's elements and what evaluates the body with variables. */
function overList(
  [input, body]: Evaluate[],
  change: (list: unknown[], evaluate: (variables: Variables) => unknown, frame: Frame) => unknown,
): Evaluate {
  return (frame) => {
    const list = input?.(frame);
    if (isNullish(list)) return null;
    check(Array.isArray(list), 28651, `the input must be an array not ${kindOf(list)}`);
    return change(list, (variables) => body?.(binding(frame, variables)), frame);
  };
}

const elementName = (operand: unknown) => String((isDocument(operand) ? operand.as : undefined) ?? "this");

function compileMap(operand: unknown, scope: Scope): Evaluate {
  const name = elementName(operand);
  return overList(named(operand, ["input", "in"], scope, [name]), (list, evaluate) =>
    list.map((element) => evaluate({ [name]: element }) ?? null),
  );
}

function compileFilterForm(operand: unknown, scope: Scope): Evaluate {
  const name = elementName(operand);
  return overList(named(operand, ["input", "cond"], scope, [name]), (list, evaluate) =>
    list.filter((element) => isTruthy(evaluate({ [name]: element }))),
  );
}

function compileReduce(operand: unknown, scope: Scope): Evaluate {
  const [initial, input, body] = named(operand, ["initialValue", "input", "in"], scope, ["this", "value"]);
  return overList([input ?? (() => null), body ?? (() => null)], (list, evaluate, frame) =>
    list.reduce((value, element) => evaluate({ this: element, value }), initial?.(frame)),
  );
}
