import { Int32, Timestamp } from "bson";
import { check, notSupported } from "./errors.js";
import type { Scope } from "./expressions.js";
import { compileCondition, compileFilter } from "./matcher.js";
import { add, multiply, toInteger } from "./numbers.js";
import { compare, distinctValues, equal } from "./ordering.js";
import { compileSort } from "./sorting.js";
import { clone, type Document, isDocument, isNumber, isOperatorObject, kindOf } from "./values.js";

/** Tells a field's next value from its present one (`undefined`: missing); returning `KEEP` leaves the document alone. */
export type Change = (current: unknown) => unknown;

export const KEEP = Symbol("keep");
/** As the next value: the field goes. */
export const REMOVE = Symbol("remove");

type CompileChange = (operand: unknown, scope: Scope) => Change;

const CHANGES: Readonly<Record<string, CompileChange>> = {
  $set: (operand) => () => clone(operand),
  $setOnInsert: (operand) => () => clone(operand),
  $unset: () => () => REMOVE,
  // Acts on two fields: the caller moves it.
  $rename: () => () => KEEP,
  $inc: (operand) => arithmetic("$inc", operand),
  $mul: (operand) => arithmetic("$mul", operand),
  $min: (operand) => (current) => (current === undefined || compare(operand, current) < 0 ? clone(operand) : KEEP),
  $max: (operand) => (current) => (current === undefined || compare(operand, current) > 0 ? clone(operand) : KEEP),
  $currentDate: currentDate,
  $push: push,
  $addToSet: addToSet,
  $pop: pop,
  $pull: (operand, scope) => without("$pull", pullTest(operand, scope)),
  $pullAll: (operand) => {
    check(Array.isArray(operand), 2, "$pullAll requires an array argument");
    return without("$pullAll", (element) => operand.some((value) => equal(element, value)));
  },
};

/** What compiles an operator's operand for one field. @throws DatabaseError 9 for an unknown operator, 115 for `$bit`. */
export function changeOf(operator: string): CompileChange {
  if (operator === "$bit") throw notSupported("$bit");
  const compile = Object.hasOwn(CHANGES, operator) ? CHANGES[operator] : undefined;
  check(compile !== undefined, 9, `Unknown modifier: ${operator}. Expected a valid update modifier`);
  return compile;
}

function arithmetic(name: "$inc" | "$mul", operand: unknown): Change {
  check(isNumber(operand), 14, `Cannot apply ${name} with a non-numeric argument`);
  return (current) => {
    if (current === undefined) return name === "$inc" ? operand : multiply(operand, new Int32(0));
    check(isNumber(current), 14, `Cannot apply ${name} to a value of non-numeric type ${kindOf(current)}`);
    return name === "$inc" ? add(current, operand) : multiply(current, operand);
  };
}

function currentDate(operand: unknown): Change {
  const type = isDocument(operand) ? operand.$type : typeof operand === "boolean" ? "date" : undefined;
  check(type === "date" || type === "timestamp", 2, "$currentDate takes a boolean, or $type 'date' or 'timestamp'");
  return () => (type === "date" ? new Date() : new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 }));
}

function arrayIn(name: string, current: unknown, code = 2): unknown[] {
  check(Array.isArray(current), code, `The field of ${name} must be an array but is of type ${kindOf(current)}`);
  return current;
}

function eachOf(operand: unknown, name: string, others: string[], code: number): [unknown[], Document] {
  if (!isDocument(operand) || !Object.hasOwn(operand, "$each")) return [[operand], {}];
  const { $each, ...modifiers } = operand;
  const stray = Object.keys(modifiers).find((key) => !others.includes(key));
  check(stray === undefined, 2, `Unrecognized clause in ${name}: ${stray}`);
  check(Array.isArray($each), code, `The argument to $each in ${name} must be an array`);
  return [$each, modifiers];
}

function push(operand: unknown): Change {
  const [values, modifiers] = eachOf(operand, "$push", ["$slice", "$sort", "$position"], 2);
  const [slice, position] = [modifiers.$slice, modifiers.$position].map((value) => {
    const number = toInteger(value);
    check(value === undefined || number !== undefined, 2, "$slice and $position must be integer values");
    return number;
  });
  const order = modifiers.$sort === undefined ? undefined : arrayOrder(modifiers.$sort);
  return (current = []) => {
    const list = [...arrayIn("$push", current)];
    list.splice(position ?? list.length, 0, ...clone(values));
    if (order !== undefined) list.sort(order);
    return slice === undefined || slice > 0 ? list.slice(0, slice) : slice === 0 ? [] : list.slice(slice);
  };
}

function arrayOrder(sort: unknown): (a: unknown, b: unknown) => number {
  if (isDocument(sort)) {
    check(Object.keys(sort).length > 0, 2, "The $sort pattern is empty when it should be a set of fields.");
    return compileSort(sort).compareElements;
  }
  const direction = toInteger(sort) ?? 0;
  check(Math.abs(direction) === 1, 2, "The $sort element value must be either 1 or -1");
  return (a, b) => compare(a, b) * direction;
}

function addToSet(operand: unknown): Change {
  const [values] = eachOf(operand, "$addToSet", [], 14);
  return (current = []) => {
    const list = arrayIn("$addToSet", current);
    const added = distinctValues(values).filter((value) => !list.some((element) => equal(element, value)));
    return added.length === 0 && list.length > 0 ? KEEP : [...list, ...clone(added)];
  };
}

function pop(operand: unknown): Change {
  const end = toInteger(operand) ?? 0;
  check(Math.abs(end) === 1, 9, "$pop expects 1 or -1");
  return (current) => {
    if (current === undefined) return KEEP;
    const list = arrayIn("$pop", current, 14);
    return end === 1 ? list.slice(0, -1) : list.slice(1);
  };
}

function without(name: string, removes: (element: unknown) => boolean): Change {
  return (current) => (current === undefined ? KEEP : arrayIn(name, current).filter((element) => !removes(element)));
}

function pullTest(operand: unknown, scope: Scope): (element: unknown) => boolean {
  if (isDocument(operand) && !isOperatorObject(operand)) {
    const filter = compileFilter(operand, scope);
    return (element) => isDocument(element) && filter.test(element);
  }
  return compileCondition(operand, scope);
}
