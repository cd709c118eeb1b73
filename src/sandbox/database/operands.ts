import { Decimal128, Double } from "bson";
import { check, notSupported } from "./errors.js";
import type { Evaluate, Scope } from "./expressions.js";
import { toNumber } from "./numbers.js";
import { type Document, isNullish, isNumber, kindOf, type NumberValue } from "./values.js";

/** An operator of expressions: how its operands are given, and what it makes of them. */
export interface Operator {
  /** How many operands it takes by place, in a list or one by itself. */
  least: number;
  most: number;
  /** What they are called in a document of operands, with the expression for one left out; `undefined`: it may not be. */
  names?: Readonly<Document>;
  /** The second operand names a variable that the last one may use. */
  binds?: boolean;
  run: (scope: Scope, ...operands: Evaluate[]) => unknown;
}

export const MANY = 1000;

/** All operands are evaluated first. */
export const eager = (least: number, most: number, apply: (...values: unknown[]) => unknown): Operator => ({
  least,
  most,
  run: (scope, ...operands) => apply(...operands.map((operand) => operand(scope))),
});

/** Names of operands that may not be left out. */
export const required = (...names: string[]): Document => Object.fromEntries(names.map((name) => [name, undefined]));

/** Operands with names, or `places` of them by place, evaluated first; a missing value is null. */
export const named = (names: Document, apply: (...values: unknown[]) => unknown, places = 0): Operator => ({
  ...eager(1, places, (...values) => apply(...values.map((value) => value ?? null))),
  names,
});

/** Reads an operand; undefined when it is of another type. */
export type Read<T> = (value: unknown) => T | undefined;

export const list: Read<unknown[]> = (value) => (Array.isArray(value) ? value : undefined);
export const text: Read<string> = (value) => (typeof value === "string" ? value : undefined);
export const numeric: Read<NumberValue> = (value) => {
  if (value instanceof Date) throw notSupported("arithmetic on dates");
  return isNumber(value) ? value : undefined;
};

/** A number that JavaScript reckons with as MongoDB does; what it cannot do exactly is refused. */
export const plain: Read<NumberValue> = (value) => {
  if (!isNumber(value)) return undefined;
  const exact = value instanceof Double || (!(value instanceof Decimal128) && Number.isSafeInteger(toNumber(value)));
  if (!exact) throw notSupported("arithmetic on such numbers");
  return value;
};

/** @throws DatabaseError 14 for a value of another type. */
export function read<T>(type: Read<T>, value: unknown): T {
  const known = type(value);
  check(known !== undefined, 14, `the operator does not take an operand of type ${kindOf(value)}`);
  return known;
}

/** Operands of these types, all or the first `least`; null as soon as one is null or missing. */
export function typed<T extends unknown[]>(
  types: [...{ [At in keyof T]: Read<T[At]> }],
  apply: (...values: T) => unknown,
  least = types.length,
): Operator {
  const reads: Read<unknown>[] = types;
  return eager(least, reads.length, (...values) =>
    values.some(isNullish) ? null : apply(...(values.map((value, at) => read(reads[at] ?? list, value)) as T)),
  );
}

/** Any number of operands of one type; null as soon as one is, those in front of it must be of the type. */
export const many = <T>(type: Read<T>, apply: (values: T[]) => unknown): Operator =>
  eager(0, MANY, (...values) => {
    const nothing = values.findIndex(isNullish);
    const known = (nothing < 0 ? values : values.slice(0, nothing)).map((value) => read(type, value));
    return nothing < 0 ? apply(known) : null;
  });
