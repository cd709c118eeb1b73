import { BSONRegExp, Int32, Long, Timestamp } from "bson";
import { distinctValues } from "./accumulators.js";
import { DatabaseError } from "./errors.js";
import type { Scope } from "./expressions.js";
import { holdsFor, parseOperators } from "./match-operators.js";
import { compileFilter, isOperatorObject } from "./matcher.js";
import { add, multiply, toInteger } from "./numbers.js";
import { compare, equal } from "./ordering.js";
import { compileSort } from "./sorting.js";
import { clone, type Document, fieldsOf, isDocument, isNumber, kindOf } from "./values.js";

/** Tells a field's next value from its present one (`undefined`: missing); returning `KEEP` leaves the document alone. */
export type Change = (current: unknown) => unknown;

export const KEEP = Symbol("keep");

const bad = (message: string, code = 2) => new DatabaseError(code, message);

/** Compiles one operator's operand for one field. Absent here: $unset, $rename, $setOnInsert, which act on the document. */
export const CHANGES: ReadonlyMap<string, (operand: unknown, path: string, scope: Scope) => Change> = new Map([
  ["$set", (operand: unknown) => () => clone(operand)],
  ["$inc", (operand: unknown, path: string) => arithmetic("$inc", operand, path)],
  ["$mul", (operand: unknown, path: string) => arithmetic("$mul", operand, path)],
  [
    "$min",
    (operand: unknown) => (current) => (current === undefined || compare(operand, current) < 0 ? operand : KEEP),
  ],
  [
    "$max",
    (operand: unknown) => (current) => (current === undefined || compare(operand, current) > 0 ? operand : KEEP),
  ],
  ["$currentDate", (operand: unknown) => currentDate(operand)],
  ["$bit", (operand: unknown, path: string) => bitwise(operand, path)],
  ["$push", (operand: unknown, path: string) => push(operand, path)],
  ["$addToSet", (operand: unknown, path: string) => addToSet(operand, path)],
  ["$pop", (operand: unknown, path: string) => pop(operand, path)],
  ["$pull", (operand: unknown, path: string, scope: Scope) => pull(operand, path, scope)],
  ["$pullAll", (operand: unknown, path: string) => pullAll(operand, path)],
]);

function arithmetic(name: "$inc" | "$mul", operand: unknown, path: string): Change {
  if (!isNumber(operand)) {
    throw bad(
      `Cannot ${name === "$inc" ? "increment" : "multiply"} with non-numeric argument: {${path}: ${kindOf(operand)}}`,
      14,
    );
  }
  return (current) => {
    if (current === undefined) {
      return name === "$inc" ? operand : multiply(operand, new Int32(0));
    }
    if (!isNumber(current)) {
      throw bad(
        `Cannot apply ${name} to a value of non-numeric type. {${path}} has the field of type ${kindOf(current)}`,
        14,
      );
    }
    return name === "$inc" ? add(current, operand) : multiply(current, operand);
  };
}

function currentDate(operand: unknown): Change {
  const type = isDocument(operand) ? operand.$type : operand === true || operand === false ? "date" : undefined;
  if (type !== "date" && type !== "timestamp") {
    throw bad("$currentDate takes a boolean, or a document with $type 'date' or 'timestamp'");
  }
  return () => (type === "date" ? new Date() : new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 }));
}

function bitwise(operand: unknown, path: string): Change {
  const steps = isDocument(operand) ? fieldsOf(operand) : [];
  if (steps.length === 0) {
    throw bad("The $bit modifier needs a document of and, or, xor");
  }
  for (const [name, value] of steps) {
    if (!["and", "or", "xor"].includes(name) || !(value instanceof Int32 || value instanceof Long)) {
      throw bad(`The $bit modifier only supports 'and', 'or', and 'xor' with integers, not '${name}'`);
    }
  }
  return (current = new Int32(0)) => {
    if (!(current instanceof Int32 || current instanceof Long)) {
      throw bad(`Cannot apply $bit to a value of non-integral type. {${path}} has type ${kindOf(current)}`);
    }
    return steps.reduce<Int32 | Long>((value, [name, by]) => {
      const [x, y] = [BigInt(value.toString()), BigInt(String(by))];
      const result = name === "and" ? x & y : name === "or" ? x | y : x ^ y;
      return value instanceof Long || by instanceof Long ? Long.fromBigInt(result) : new Int32(Number(result));
    }, current);
  };
}

function requireArray(name: string, current: unknown, path: string, code: number): unknown[] {
  if (!Array.isArray(current)) {
    throw bad(`The field '${path}' must be an array but is of type ${kindOf(current)} (${name})`, code);
  }
  return current;
}

function eachOf(name: string, operand: unknown): { values: unknown[]; modifiers: Document } {
  if (!isDocument(operand) || !Object.hasOwn(operand, "$each")) {
    return { values: [operand], modifiers: {} };
  }
  const { $each, ...modifiers } = operand;
  if (!Array.isArray($each)) {
    throw bad(
      `The argument to $each in ${name} must be an array but it was of type: ${kindOf($each)}`,
      name === "$push" ? 2 : 14,
    );
  }
  return { values: $each, modifiers };
}

function push(operand: unknown, path: string): Change {
  const { values, modifiers } = eachOf("$push", operand);
  for (const name of Object.keys(modifiers)) {
    if (!["$slice", "$sort", "$position"].includes(name)) {
      throw bad(`Unrecognized clause in $push: ${name}`);
    }
  }
  const [slice, position] = [modifiers.$slice, modifiers.$position].map((value) => {
    const number = toInteger(value);
    if (value !== undefined && number === undefined) {
      throw bad("The value for $slice and $position must be an integer value");
    }
    return number;
  });
  const order = arrayOrder(modifiers.$sort);
  return (current = []) => {
    const list = [...requireArray("$push", current, path, 2)];
    list.splice(position ?? list.length, 0, ...values.map(clone));
    if (order !== undefined) {
      list.sort(order);
    }
    return slice === undefined ? list : slice === 0 ? [] : slice > 0 ? list.slice(0, slice) : list.slice(slice);
  };
}

function arrayOrder(sort: unknown): ((a: unknown, b: unknown) => number) | undefined {
  if (sort === undefined) {
    return undefined;
  }
  if (isDocument(sort)) {
    if (Object.keys(sort).length === 0) {
      throw bad("The $sort pattern is empty when it should be a set of fields.");
    }
    return compileSort(sort).compareElements;
  }
  const direction = toInteger(sort);
  if (direction !== 1 && direction !== -1) {
    throw bad("The $sort element value must be either 1 or -1");
  }
  return (a, b) => compare(a, b) * direction;
}

function addToSet(operand: unknown, path: string): Change {
  const { values, modifiers } = eachOf("$addToSet", operand);
  const [extra] = Object.keys(modifiers);
  if (extra !== undefined) {
    throw bad(`Found unexpected fields after $each in $addToSet: ${extra}`);
  }
  return (current = []) => {
    const list = requireArray("$addToSet", current, path, 2);
    const added = distinctValues(values).filter((value) => !list.some((element) => equal(element, value)));
    return added.length === 0 && current === list && list.length > 0 ? KEEP : [...list, ...added.map(clone)];
  };
}

function pop(operand: unknown, path: string): Change {
  const end = toInteger(operand);
  if (end !== 1 && end !== -1) {
    throw bad(`$pop expects 1 or -1, found: ${String(operand)}`, 9);
  }
  return (current) => {
    if (current === undefined) {
      return KEEP;
    }
    const list = requireArray("$pop", current, path, 14);
    return end === 1 ? list.slice(0, -1) : list.slice(1);
  };
}

function pullIf(current: unknown, path: string, removes: (element: unknown) => boolean): unknown {
  if (current === undefined) {
    return KEEP;
  }
  return requireArray("$pull", current, path, 2).filter((element) => !removes(element));
}

function pull(operand: unknown, path: string, scope: Scope): Change {
  const nested = (filter: Document) => compileFilter(filter, scope);
  if (isOperatorObject(operand) || operand instanceof BSONRegExp) {
    const operators = parseOperators(operand instanceof BSONRegExp ? { $regex: operand } : operand, nested);
    return (current) => pullIf(current, path, (element) => operators.every((operator) => holdsFor(operator, element)));
  }
  if (isDocument(operand)) {
    const filter = nested(operand);
    return (current) => pullIf(current, path, (element) => isDocument(element) && filter.test(element));
  }
  return (current) => pullIf(current, path, (element) => equal(element, operand));
}

function pullAll(operand: unknown, path: string): Change {
  if (!Array.isArray(operand)) {
    throw bad(`$pullAll requires an array argument but was given a ${kindOf(operand)}`);
  }
  return (current) => pullIf(current, path, (element) => operand.some((value) => equal(element, value)));
}
