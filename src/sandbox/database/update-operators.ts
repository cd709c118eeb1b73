import { Int32 } from "bson";
import { check, notSupported } from "./errors.js";
import type { Scope } from "./expressions.js";
import { compileCondition, compileFilter } from "./matcher.js";
import { add, multiply, toInteger } from "./numbers.js";
import { compare, distinctValues, equal } from "./ordering.js";
import { slice } from "./paths.js";
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
  $inc: (operand) => arithmetic(operand, add),
  $mul: (operand) => arithmetic(operand, multiply),
  $min: (operand) => (current) => (current === undefined || compare(operand, current) < 0 ? clone(operand) : KEEP),
  $max: (operand) => (current) => (current === undefined || compare(operand, current) > 0 ? clone(operand) : KEEP),
  $push: push,
  $addToSet: (operand) => {
    const values = distinctValues(eachOf(operand, []).$each);
    const change = overArray(2, (list) => {
      const added = values.filter((value) => !list.some((element) => equal(element, value)));
      return added.length === 0 && list.length > 0 ? KEEP : [...list, ...clone(added)];
    });
    return (current = []) => change(current);
  },
  $pop: (operand) => {
    const end = toInteger(operand) ?? 0;
    check(Math.abs(end) === 1, 9, "$pop expects 1 or -1");
    return overArray(14, (list) => (end === 1 ? list.slice(0, -1) : list.slice(1)));
  },
  $pull: (operand, scope) => {
    const fields = isDocument(operand) && !isOperatorObject(operand) ? compileFilter(operand, scope).test : undefined;
    const removes = fields ?? compileCondition(operand, scope);
    return overArray(2, (list) =>
      list.filter((element) => !((fields === undefined || isDocument(element)) && removes(element))),
    );
  },
  $pullAll: (operand) => {
    check(Array.isArray(operand), 2, "$pullAll requires an array argument");
    return overArray(2, (list) => list.filter((element) => !operand.some((value) => equal(element, value))));
  },
};

/** What compiles an operator's operand for one field. @throws DatabaseError 9 for an unknown operator, 115 for a rare one. */
export function changeOf(operator: string): CompileChange {
  if (/^\$(bit|rename|currentDate)$/.test(operator)) throw notSupported(operator);
  const compile = Object.hasOwn(CHANGES, operator) ? CHANGES[operator] : undefined;
  check(compile !== undefined, 9, `Unknown modifier: ${operator}. Expected a valid update modifier`);
  return compile;
}

/** A missing field counts as 0. */
function arithmetic(operand: unknown, change: typeof add): Change {
  check(isNumber(operand), 14, `Cannot increment or multiply with a non-numeric argument: ${kindOf(operand)}`);
  return (current = new Int32(0)) => {
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

/** The values to add, and the modifiers beside `$each`. */
function eachOf(operand: unknown, modifiers: string[]): Document & { $each: unknown[] } {
  if (!isDocument(operand) || !Object.hasOwn(operand, "$each")) return { $each: [operand] };
  const { $each, ...others } = operand;
  const known = Object.keys(others).every((name) => modifiers.includes(name));
  check(known && Array.isArray($each), 2, `$each takes an array, and beside it ${modifiers}`);
  return { $each, ...others };
}

function push(operand: unknown): Change {
  const { $each, $slice, $position, $sort } = eachOf(operand, ["$slice", "$sort", "$position"]);
  const [most, position] = [toInteger($slice), toInteger($position)];
  const valid = (most !== undefined || $slice === undefined) && (position !== undefined || $position === undefined);
  check(valid, 2, "$slice and $position must be integer values");
  const order = $sort === undefined ? undefined : arrayOrder($sort);
  const change = overArray(2, (current) => {
    const list = [...current];
    list.splice(position ?? list.length, 0, ...clone($each));
    if (order !== undefined) list.sort(order);
    return most === undefined ? list : slice(list, most);
  });
  return (current = []) => change(current);
}

function arrayOrder(sort: unknown): (a: unknown, b: unknown) => number {
  const direction = toInteger(sort) ?? 0;
  const valid = isDocument(sort) ? Object.keys(sort).length > 0 : Math.abs(direction) === 1;
  check(valid, 2, "$sort takes 1, -1, or fields of the elements");
  return isDocument(sort) ? compileSort(sort).compareElements : (a, b) => compare(a, b) * direction;
}
