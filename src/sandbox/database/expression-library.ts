import { BSONRegExp, Double } from "bson";
import { Context, evalExpr } from "mingo/core";
import { $literal } from "mingo/operators/expression";
import * as dates from "mingo/operators/expression/date";
import * as strings from "mingo/operators/expression/string";
import * as trigonometry from "mingo/operators/expression/trignometry";
import { DatabaseError } from "./errors.js";
import type { Evaluate } from "./expressions.js";
import { integer, toNumber } from "./numbers.js";
import { compileRegex } from "./regex.js";
import { type Document, fieldsOf, isDocument, isNumber, setField } from "./values.js";

/** The operators left to mingo: they take and give strings, dates and plain numbers, where BSON's number classes do not matter. */
const { $concat: _concat, $toLower: _lower, $toUpper: _upper, ...leftToMingo } = strings;
const { $dateTrunc: _trunc, ...datesLeftToMingo } = dates;
const context = Context.init({ expression: { $literal, ...leftToMingo, ...datesLeftToMingo, ...trigonometry } });

export const LIBRARY_OPERATORS: ReadonlySet<string> = new Set(
  Object.keys({ ...leftToMingo, ...datesLeftToMingo, ...trigonometry }),
);

const ALWAYS_DOUBLE: ReadonlySet<string> = new Set(Object.keys(trigonometry));

/** MongoDB's codes for operands of the wrong type; the others refuse with code 2. */
const REFUSALS: Readonly<Record<string, number>> = {
  $strLenCP: 34471,
  $strLenBytes: 34473,
  $split: 40085,
  $indexOfCP: 40093,
  $indexOfBytes: 40091,
  $trim: 50699,
  $ltrim: 50699,
  $rtrim: 50699,
  $regexMatch: 51104,
  $regexFind: 51104,
  $regexFindAll: 51104,
  $replaceOne: 51746,
  $replaceAll: 51746,
  $dateToString: 16006,
};

function toPlain(value: unknown): unknown {
  if (isNumber(value)) {
    return toNumber(value);
  }
  if (value instanceof BSONRegExp) {
    return compileRegex(value.pattern, value.options);
  }
  if (Array.isArray(value)) {
    return value.map(toPlain);
  }
  return value;
}

function fromPlain(value: unknown, name: string): unknown {
  if (typeof value === "number") {
    return Number.isInteger(value) && !ALWAYS_DOUBLE.has(name) ? integer(value) : new Double(value);
  }
  if (Array.isArray(value)) {
    return value.map((element) => fromPlain(element, name));
  }
  if (isDocument(value)) {
    const result: Document = {};
    for (const [field, inner] of fieldsOf(value)) {
      setField(result, field, fromPlain(inner, name));
    }
    return result;
  }
  return value;
}

/**
 * An operator of mingo's with its operands evaluated here beforehand, so that paths and variables have one meaning.
 * @throws when evaluated: DatabaseError 16020-style refusals of mingo become code 2 with its message.
 */
export function libraryOperator(name: string, operand: unknown, compile: (expression: unknown) => Evaluate): Evaluate {
  const run = (expression: unknown) => {
    try {
      return fromPlain(evalExpr(null, { [name]: expression }, { context } as never), name);
    } catch (error) {
      throw new DatabaseError(REFUSALS[name] ?? 2, error instanceof Error ? error.message : `${name} failed`);
    }
  };
  if (Array.isArray(operand)) {
    const parts = operand.map(compile);
    return (frame) => run(parts.map((part) => ({ $literal: toPlain(part(frame)) ?? null })));
  }
  const fields = isDocument(operand) ? fieldsOf(operand) : [];
  if (fields.length > 0 && !fields[0]?.[0].startsWith("$")) {
    const parts = fields.map(([field, value]): [string, Evaluate] => [field, compile(value)]);
    return (frame) =>
      run(Object.fromEntries(parts.map(([field, part]) => [field, { $literal: toPlain(part(frame)) ?? null }])));
  }
  const only = compile(operand);
  return (frame) => {
    const value = toPlain(only(frame)) ?? null;
    return value === null && name in datesLeftToMingo ? null : run({ $literal: value });
  };
}
