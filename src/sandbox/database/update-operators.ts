import { Int32 } from "bson";
import { check, notSupported } from "./errors.js";
import type { Scope } from "./expressions.js";
import { compileCondition, compileFilter } from "./matcher.js";
import { add, multiply, toInteger } from "./numbers.js";
import { compare, distinctValues, equal } from "./ordering.js";
import { compileSort } from "./sorting.js";
import { clone, type Document, isDocument, isNumber, isOperatorObject, kindOf } from "./values.js";

/** Tells a field's next value from its present one (`undefined`: missing). */
export type Change = (current: unknown) => unknown;

/** As the next value: the document stays as it is. */
export const KEEP = Symbol("keep");
/** As the next value: the field goes. */
export const REMOVE = Symbol("remove");

type CompileChange = (operand: unknown, scope: Scope) => Change;

const CHANGES: Readonly<Record<string, CompileChange>> = {
  $set: (operand) => () => clone(operand),
  $setOnInsert: (operand) => () => clone(operand),
  $unset: () => () => REMOVE,
  $inc: (operand) => arithmetic(operand, add, (number) => number),
  $mul: (operand) => arithmetic(operand, multiply, (number) => multiply(number, new Int32(0))),
  $min: (operand) => (current) => (current === undefined || compare(operand, current) < 0 ? clone(operand) : KEEP),
  $max: (operand) => (current) => (current === undefined || compare(operand, current) > 0 ? clone(operand) : KEEP),
  $currentDate: (operand) => {
    const date = typeof operand === "boolean" || (isDocument(operand) && operand.$type === "date");
    check(date, 2, "$currentDate takes a boolean, or $type 'date'");
    return () => new Date();
  },
  $push: push,
  $addToSet: addToSet,
  $pop: (operand) => {
    const end = toInteger(operand) ?? 0;
    check(Math.abs(end) === 1, 9, "$pop expects 1 or -1");
    return overArray(14, (list) => (end === 1 ? list.slice(0, -1) : list.slice(1)));
  },
  $pull: (operand, scope) => {
    const removes = pullTest(operand, scope);
    return overArray(2, (list) => list.filter((element) => !removes(element)));
  },
  $pullAll: (operand) => {
    check(Array.isArray(operand), 2, "$pullAll requires an array argument");
    return overArray(2, (list) => list.filter((element) => !operand.some((value) => equal(element, value))));
  },
};

/** What compiles an operator's operand for one field. @throws DatabaseError 9 for an unknown operator, 115 for a rare one. */
export function changeOf(operator: string): CompileChange {
  if (operator === "$bit" || operator === "$rename") throw notSupported(operator);
  const compile = Object.hasOwn(CHANGES, operator) ? CHANGES[operator] : undefined;
  check(compile !== undefined, 9, `Unknown modifier: ${operator}. Expected a valid update modifier`);
  return compile;
}

function arithmetic(
  operand: unknown,
  change: typeof add,
  initial: (number: Parameters<typeof add>[0]) => unknown,
): Change {
  check(isNumber(operand), 14, `Cannot increment or multiply with a non-numeric argument: ${kindOf(operand)}`);
  return (current) => {
    if (current === undefined) return initial(operand);
    check(isNumber(current), 14, `Cannot increment or multiply a value of non-numeric type ${kindOf(current)}`);
    return change(current, operand);
  };
}

/** On what is there, which must be an array. */
function overArray(code: number, change: (list: unknown[]) => unknown): Change {
  return (current) => {
    if (current === undefined) return KEEP;
    check(Array.isArray(current), code, `The field must be an array but is of type ${kindOf(current)}`);
    return change(current);
  };
}

function eachOf(operand: unknown, others: string[], code: number): [unknown[], Document] {
  if (!isDocument(operand) || !Object.hasOwn(operand, "$each")) return [[operand], {}];
  const { $each, ...modifiers } = operand;
  const stray = Object.keys(modifiers).find((key) => !others.includes(key));
  check(stray === undefined, 2, `Unrecognized clause beside $each: ${stray}`);
  check(Array.isArray($each), code, "The argument to $each must be an array");
  return [$each, modifiers];
}

function push(operand: unknown): Change {
  const [values, { $slice, $position, $sort }] = eachOf(operand, ["$slice", "$sort", "$position"], 2);
  const [slice, position] = [toInteger($slice), toInteger($position)];
  const valid = (slice !== undefined || $slice === undefined) && (position !== undefined || $position === undefined);
  check(valid, 2, "$slice and $position must be integer values");
  const order = $sort === undefined ? undefined : arrayOrder($sort);
  const change = overArray(2, (current) => {
    const list = [...current];
    list.splice(position ?? list.length, 0, ...clone(values));
    if (order !== undefined) list.sort(order);
    return slice === undefined || slice > 0 ? list.slice(0, slice) : slice === 0 ? [] : list.slice(slice);
  });
  return (current = []) => change(current);
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
  const [values] = eachOf(operand, [], 14);
  const change = overArray(2, (list) => {
    const added = distinctValues(values).filter((value) => !list.some((element) => equal(element, value)));
    return added.length === 0 && list.length > 0 ? KEEP : [...list, ...clone(added)];
  });
  return (current = []) => change(current);
}

function pullTest(operand: unknown, scope: Scope): (element: unknown) => boolean {
  if (!isDocument(operand) || isOperatorObject(operand)) return compileCondition(operand, scope);
  const filter = compileFilter(operand, scope);
  return (element) => isDocument(element) && filter.test(element);
}
