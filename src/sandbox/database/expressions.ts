import { DatabaseError } from "./errors.js";
import { LIBRARY_OPERATORS, libraryOperator } from "./expression-library.js";
import { OPERATORS } from "./expression-operators.js";
import { toNumber } from "./numbers.js";
import { type Document, fieldsOf, getField, isDocument, isNullish, isNumber, kindOf, setField } from "./values.js";

export type Variables = Readonly<Record<string, unknown>>;

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
  const known = { NOW: new Date(), ...values };
  return { names: new Set(Object.keys(known)), values: known };
}

export function withNames(scope: Scope, names: readonly string[]): Scope {
  return { names: new Set([...scope.names, ...names]), values: scope.values };
}

/** As MongoDB's conditions see it: missing, null, false and zero are false. */
export function isTruthy(value: unknown): boolean {
  return !(isNullish(value) || value === false || (isNumber(value) && toNumber(value) === 0));
}

const constant =
  (value: unknown): Evaluate =>
  () =>
    value;

/** @throws DatabaseError 168 for an unknown operator, 17276 for an unknown variable, and MongoDB's codes for malformed operands. */
export function compileExpression(expression: unknown, scope: Scope): Evaluate {
  if (typeof expression === "string") {
    return expression.startsWith("$") ? compilePath(expression, scope) : constant(expression);
  }
  if (Array.isArray(expression)) {
    const elements = expression.map((element) => compileExpression(element, scope));
    return (frame) => elements.map((element) => element(frame) ?? null);
  }
  if (!isDocument(expression)) {
    return constant(expression);
  }
  const fields = fieldsOf(expression);
  const name = fields.find(([field]) => field.startsWith("$"))?.[0];
  if (name === undefined) {
    return compileObject(fields, scope);
  }
  if (fields.length > 1) {
    throw new DatabaseError(15983, "an object representing an expression must have exactly one field");
  }
  return compileOperator(name, expression[name], scope);
}

function compileObject(fields: [string, unknown][], scope: Scope): Evaluate {
  const compiled = fields.map(([name, value]): [string, Evaluate] => {
    if (name.includes(".")) {
      throw new DatabaseError(
        16412,
        `FieldPath field names may not contain '.'. Consider using $getField or $setField`,
      );
    }
    return [name, compileExpression(value, scope)];
  });
  return (frame) => {
    const result: Document = {};
    for (const [name, evaluate] of compiled) {
      const value = evaluate(frame);
      if (value !== undefined) {
        setField(result, name, value);
      }
    }
    return result;
  };
}

/** @throws DatabaseError 15998, 16410 or 16872 for a malformed field path. */
export function checkFieldPath(path: string): readonly string[] {
  if (path === "") {
    throw new DatabaseError(40352, "FieldPath cannot be constructed with empty string");
  }
  const parts = path.split(".");
  if (path.endsWith(".")) {
    throw new DatabaseError(40353, "FieldPath must not end with a '.'.");
  }
  for (const part of parts) {
    if (part === "") {
      throw new DatabaseError(15998, "FieldPath field names may not be empty strings.");
    }
    if (part.startsWith("$")) {
      throw new DatabaseError(
        16410,
        `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
      );
    }
  }
  return parts;
}

function compilePath(text: string, scope: Scope): Evaluate {
  if (!text.startsWith("$$")) {
    if (text === "$") {
      throw new DatabaseError(16872, "'$' by itself is not a valid FieldPath");
    }
    const path = checkFieldPath(text.slice(1));
    const [name] = path;
    if (path.length === 1 && name !== undefined) {
      return ({ root }) => (isDocument(root) ? getField(root, name) : undefined);
    }
    return ({ root }) => spread(root, path, 0);
  }
  const [name = "", ...path] = text.slice(2).split(".");
  const inner = path.length > 0 ? checkFieldPath(path.join(".")) : [];
  if (name === "") {
    throw new DatabaseError(9, "empty variable names are not allowed");
  }
  if (name === "ROOT" || (name === "CURRENT" && !scope.names.has(name))) {
    return ({ root }) => spread(root, inner, 0);
  }
  if (name === "REMOVE") {
    return constant(undefined);
  }
  if (!scope.names.has(name)) {
    throw new DatabaseError(17276, `Use of undefined variable: ${name}`);
  }
  return ({ variables }) => spread(getField(variables, name), inner, 0);
}

/** A path in an expression: arrays on the way give an array of what their documents have there. */
function spread(value: unknown, path: readonly string[], at: number): unknown {
  const name = path[at];
  if (name === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.filter(isDocument).flatMap((element) => {
      const inner = spread(element, path, at);
      return inner === undefined ? [] : [inner];
    });
  }
  return isDocument(value) ? spread(getField(value, name), path, at + 1) : undefined;
}

function compileOperator(name: string, operand: unknown, scope: Scope): Evaluate {
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special !== undefined) {
    return special(operand, scope);
  }
  const operator = OPERATORS.get(name);
  if (operator === undefined) {
    if (LIBRARY_OPERATORS.has(name)) {
      return libraryOperator(name, operand, (part) => compileExpression(part, scope));
    }
    throw new DatabaseError(168, `Unrecognized expression '${name}'`);
  }
  const { least, most, apply } = operator;
  if (least === 1 && most === 1 && !Array.isArray(operand)) {
    const evaluate = compileExpression(operand, scope);
    return (frame) => apply([evaluate(frame)]);
  }
  if (operator.spreads === true && !(Array.isArray(operand) && operand.length !== 1)) {
    const evaluate = compileExpression(Array.isArray(operand) ? operand[0] : operand, scope);
    return (frame) => {
      const value = evaluate(frame);
      return apply(Array.isArray(value) ? value : [value]);
    };
  }
  const operands = Array.isArray(operand) ? operand : [operand];
  if (operands.length < least || operands.length > most) {
    throw new DatabaseError(
      16020,
      `Expression ${name} takes ${least} to ${most} arguments. ${operands.length} were passed in.`,
    );
  }
  const compiled = operands.map((item) => compileExpression(item, scope));
  return (frame) => apply(compiled.map((evaluate) => evaluate(frame)));
}

type Special = (operand: unknown, scope: Scope) => Evaluate;

/** The named arguments of an operator; those in `required` must be there. */
function named(
  name: string,
  operand: unknown,
  required: readonly string[],
  optional: readonly string[],
  code: number,
): Document {
  if (!isDocument(operand)) {
    throw new DatabaseError(code, `${name} only supports an object as its argument`);
  }
  for (const field of Object.keys(operand)) {
    if (!required.includes(field) && !optional.includes(field)) {
      throw new DatabaseError(code + 1, `Unrecognized parameter to ${name}: ${field}`);
    }
  }
  const missing = required.find((field) => !Object.hasOwn(operand, field));
  if (missing !== undefined) {
    throw new DatabaseError(code + 2, `Missing '${missing}' parameter to ${name}`);
  }
  return operand;
}

function requireArray(value: unknown, code: number, name: string): unknown[] {
  if (!Array.isArray(value)) {
    throw new DatabaseError(code, `input to ${name} must be an array not ${kindOf(value)}`);
  }
  return value;
}

const logical =
  (stopAt: boolean): Special =>
  (operand, scope) => {
    const parts = (Array.isArray(operand) ? operand : [operand]).map((item) => compileExpression(item, scope));
    return (frame) => parts.some((part) => isTruthy(part(frame)) === stopAt) === stopAt;
  };

function loopVariable(args: Document): string {
  const name = args.as ?? "this";
  if (typeof name !== "string" || !/^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name)) {
    throw new DatabaseError(16867, `'${String(name)}' starts with an invalid character for a user variable name`);
  }
  return name;
}

const SPECIAL: Readonly<Record<string, Special>> = {
  $literal: (operand) => constant(operand),
  $expr: compileExpression,
  $and: logical(false),
  $or: logical(true),
  $cond: (operand, scope) => {
    const [test, then, otherwise] = Array.isArray(operand)
      ? operand
      : ["if", "then", "else"].map((key) => named("$cond", operand, ["if", "then", "else"], [], 17080 - 1)[key]);
    if (Array.isArray(operand) && operand.length !== 3) {
      throw new DatabaseError(16020, `Expression $cond takes exactly 3 arguments. ${operand.length} were passed in.`);
    }
    const [condition, yes, no] = [
      compileExpression(test, scope),
      compileExpression(then, scope),
      compileExpression(otherwise, scope),
    ];
    return (frame) => (isTruthy(condition(frame)) ? yes(frame) : no(frame));
  },
  $ifNull: (operand, scope) => {
    if (!Array.isArray(operand) || operand.length < 2) {
      throw new DatabaseError(1257300, "$ifNull needs at least two arguments");
    }
    const parts = operand.map((item) => compileExpression(item, scope));
    return (frame) => {
      let value: unknown;
      for (const part of parts) {
        value = part(frame);
        if (!isNullish(value)) {
          return value;
        }
      }
      return value;
    };
  },
  $switch: (operand, scope) => {
    const args = isDocument(operand) ? operand : {};
    if (!Array.isArray(args.branches)) {
      throw new DatabaseError(
        isDocument(operand) && Object.hasOwn(args, "branches") ? 40061 : 40060,
        "$switch needs an array of branches",
      );
    }
    if (args.branches.length === 0) {
      throw new DatabaseError(40068, "$switch requires at least one branch.");
    }
    const branches = args.branches.map((branch): [Evaluate, Evaluate] => {
      const { case: test, then } = named("$switch", branch, ["case", "then"], [], 40062);
      return [compileExpression(test, scope), compileExpression(then, scope)];
    });
    const otherwise = Object.hasOwn(args, "default") ? compileExpression(args.default, scope) : undefined;
    return (frame) => {
      const branch = branches.find(([test]) => isTruthy(test(frame)));
      if (branch === undefined && otherwise === undefined) {
        throw new DatabaseError(
          40066,
          "$switch could not find a matching branch for an input, and no default was specified.",
        );
      }
      return (branch?.[1] ?? otherwise)?.(frame);
    };
  },
  $let: (operand, scope) => {
    const { vars, in: body } = named("$let", operand, ["vars", "in"], [], 16874);
    const bindings = fieldsOf(isDocument(vars) ? vars : {}).map(([name, value]): [string, Evaluate] => [
      loopVariable({ as: name }),
      compileExpression(value, scope),
    ]);
    const evaluate = compileExpression(
      body,
      withNames(
        scope,
        bindings.map(([name]) => name),
      ),
    );
    return (frame) => {
      const values = Object.fromEntries(bindings.map(([name, value]) => [name, value(frame)]));
      return evaluate({ root: frame.root, variables: { ...frame.variables, ...values } });
    };
  },
  $map: (operand, scope) => {
    const args = named("$map", operand, ["input", "in"], ["as"], 16878);
    const name = loopVariable(args);
    const [input, body] = [compileExpression(args.input, scope), compileExpression(args.in, withNames(scope, [name]))];
    return (frame) => {
      const value = input(frame);
      return isNullish(value)
        ? null
        : requireArray(value, 16883, "$map").map(
            (element) => body({ root: frame.root, variables: { ...frame.variables, [name]: element } }) ?? null,
          );
    };
  },
  $filter: (operand, scope) => {
    const args = named("$filter", operand, ["input", "cond"], ["as", "limit"], 28646);
    const name = loopVariable(args);
    const [input, test] = [
      compileExpression(args.input, scope),
      compileExpression(args.cond, withNames(scope, [name])),
    ];
    const limit = Object.hasOwn(args, "limit") ? compileExpression(args.limit, scope) : undefined;
    return (frame) => {
      const value = input(frame);
      if (isNullish(value)) {
        return null;
      }
      const kept = requireArray(value, 28651, "$filter").filter((element) =>
        isTruthy(test({ root: frame.root, variables: { ...frame.variables, [name]: element } })),
      );
      const most = limit?.(frame);
      return isNumber(most) ? kept.slice(0, toNumber(most)) : kept;
    };
  },
  $reduce: (operand, scope) => {
    const args = named("$reduce", operand, ["input", "initialValue", "in"], [], 40075);
    const input = compileExpression(args.input, scope);
    const initial = compileExpression(args.initialValue, scope);
    const body = compileExpression(args.in, withNames(scope, ["this", "value"]));
    return (frame) => {
      const value = input(frame);
      return isNullish(value)
        ? null
        : requireArray(value, 40080, "$reduce").reduce(
            (sofar, element) =>
              body({ root: frame.root, variables: { ...frame.variables, this: element, value: sofar } }),
            initial(frame),
          );
    };
  },
  $getField: (operand, scope) => {
    const args =
      isDocument(operand) && Object.hasOwn(operand, "field") ? operand : { field: operand, input: "$$CURRENT" };
    const [field, input] = [compileExpression(args.field, scope), compileExpression(args.input ?? "$$CURRENT", scope)];
    return (frame) => {
      const [name, value] = [field(frame), input(frame)];
      if (typeof name !== "string") {
        throw new DatabaseError(3041704, "$getField requires 'field' to evaluate to type String");
      }
      return isDocument(value) ? getField(value, name) : isNullish(value) ? value : undefined;
    };
  },
  $setField: (operand, scope) => {
    const args = named("$setField", operand, ["field", "input", "value"], [], 4161100);
    const [field, input, value] = [args.field, args.input, args.value].map((item) => compileExpression(item, scope));
    return (frame) => {
      const target = input?.(frame);
      return isDocument(target) ? withField(target, String(field?.(frame)), value?.(frame)) : null;
    };
  },
  $unsetField: (operand, scope) =>
    SPECIAL.$setField?.({ ...(operand as Document), value: "$$REMOVE" }, scope) ?? constant(null),
  $sortArray: (operand, scope) => {
    const { input, sortBy } = named("$sortArray", operand, ["input", "sortBy"], [], 2942500);
    const evaluate = compileExpression(input, scope);
    const order = OPERATORS.get("$sortArray");
    return (frame) => order?.apply([evaluate(frame), sortBy]);
  },
  $zip: (operand, scope) => byName("$zip", operand, ["inputs"], ["useLongestLength", "defaults"], 34460, scope),
  $convert: (operand, scope) => byName("$convert", operand, ["input", "to"], ["onError", "onNull"], 9, scope),
  $firstN: (operand, scope) => byName("$firstN", operand, ["n", "input"], [], 5787900, scope),
  $lastN: (operand, scope) => byName("$lastN", operand, ["n", "input"], [], 5787900, scope),
  $minN: (operand, scope) => byName("$minN", operand, ["n", "input"], [], 5787900, scope),
  $maxN: (operand, scope) => byName("$maxN", operand, ["n", "input"], [], 5787900, scope),
  $dateTrunc: (operand, scope) =>
    byName("$dateTrunc", operand, ["date", "unit"], ["binSize", "timezone", "startOfWeek"], 5439006, scope),
};

/** An operator with named arguments, handed to the table as one document of values. */
function byName(
  name: string,
  operand: unknown,
  required: string[],
  optional: string[],
  code: number,
  scope: Scope,
): Evaluate {
  const compiled = fieldsOf(named(name, operand, required, optional, code)).map(
    ([field, value]): [string, Evaluate] => [field, compileExpression(value, scope)],
  );
  const operator = OPERATORS.get(name);
  return (frame) =>
    operator?.apply([Object.fromEntries(compiled.map(([field, evaluate]) => [field, evaluate(frame)]))]);
}

function withField(target: Document, name: string, value: unknown): Document {
  const copy: Document = {};
  for (const [field, existing] of fieldsOf(target)) {
    if (field !== name) {
      setField(copy, field, existing);
    } else if (value !== undefined) {
      setField(copy, field, value);
    }
  }
  if (value !== undefined && !Object.hasOwn(target, name)) {
    setField(copy, name, value);
  }
  return copy;
}
