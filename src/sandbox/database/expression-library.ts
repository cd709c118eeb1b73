import { BSONRegExp, Int32 } from "bson";
import { Context, evalExpr } from "mingo/core";
import * as library from "mingo/operators/expression";
import { check, DatabaseError, notSupported } from "./errors.js";
import { toNumber } from "./numbers.js";
import { compileRegex } from "./regex.js";
import { type Document, isDocument, isNullish, isNumber, kindOf } from "./values.js";

/** An operator whose operands are all evaluated first; values may be `undefined` for missing. */
export interface Operator {
  least: number;
  most: number;
  apply: (values: unknown[]) => unknown;
}

const context = Context.init({ expression: { ...library } });

/** Numbers and patterns as mingo knows them. */
function literal(value: unknown): Document {
  return {
    $literal: isNumber(value) ? toNumber(value) : value instanceof BSONRegExp ? compileRegex(value) : (value ?? null),
  };
}

const literals = (operand: Document) =>
  Object.fromEntries(Object.entries(operand).map(([name, value]) => [name, literal(value)]));

/** @throws DatabaseError `code` for operands of the wrong type. */
function run(name: string, operand: unknown, code: number): unknown {
  try {
    const result: unknown = evalExpr(null, { [name]: operand }, { context } as never);
    return typeof result === "number" ? new Int32(result) : result;
  } catch (error) {
    throw new DatabaseError(code, error instanceof Error ? error.message : `${name} failed`);
  }
}

const ofText = (name: string, count: number, code: number): [string, Operator] => {
  const operand = (values: unknown[]) => (count === 1 ? literal(values[0]) : values.map(literal));
  return [name, { least: count, most: count, apply: (values) => run(name, operand(values), code) }];
};

function withNames(name: string, fields: string[], code: number): [string, Operator] {
  const apply = ([operand]: unknown[]) => {
    check(isDocument(operand), code, `${name} only supports an object as its argument`);
    const stray = Object.keys(operand).find((field) => !fields.includes(field));
    check(stray === undefined, code, `Unrecognized parameter to ${name}: ${stray}`);
    return run(name, literals(operand), code);
  };
  return [name, { least: 1, most: 1, apply }];
}

/** Null for no date. Time zones: UTC, and those that mingo knows: offsets and `Area/City`. */
function ofDate(name: string, fields: string[], prepare?: (operand: Document) => void): [string, Operator] {
  const [first = ""] = fields;
  const [, { apply }] = withNames(name, [...fields, "timezone", "onNull"], 40485);
  const onDate = ([operand]: unknown[]) => {
    const args: Document = isDocument(operand) ? { ...operand } : { [first]: operand };
    if (isNullish(args[first]) || args.timezone === null) return args.onNull ?? null;
    check(args[first] instanceof Date, 16006, `can't convert from BSON type ${kindOf(args[first])} to Date`);
    if (/^(UTC|GMT|Z)$/.test(String(args.timezone))) delete args.timezone;
    prepare?.(args);
    return apply([args]);
  };
  return [name, { least: 1, most: 1, apply: onDate }];
}

const served = (condition: boolean, feature: string) => {
  if (!condition) throw notSupported(feature);
};

/** Operators left to mingo: they take and give strings and dates, where BSON's number classes do not matter. */
export const LIBRARY: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ofText("$split", 2, 40085),
  ofText("$strLenCP", 1, 34471),
  ofText("$strLenBytes", 1, 34473),
  ofText("$substr", 3, 16034),
  ofText("$substrBytes", 3, 16034),
  ofText("$substrCP", 3, 34450),
  ...["$trim", "$ltrim", "$rtrim"].map((name) => withNames(name, ["input", "chars"], 50699)),
  ...["$replaceOne", "$replaceAll"].map((name) => withNames(name, ["input", "find", "replacement"], 51746)),
  withNames("$regexMatch", ["input", "regex", "options"], 51104),
  ...["year", "month", "dayOfMonth", "hour", "minute", "second", "millisecond", "dayOfWeek", "dayOfYear"].map((part) =>
    ofDate(`$${part}`, ["date"]),
  ),
  ofDate("$isoDayOfWeek", ["date"]),
  ofDate("$dateToString", ["date", "format"], ({ format }) =>
    served(/^([^%]|%[YmdHMSLju])*$/.test(String(format)), `the date format ${String(format)}`),
  ),
  ofDate("$dateTrunc", ["date", "unit", "binSize", "startOfWeek"], ({ timezone }) =>
    served(timezone === undefined, "$dateTrunc in a time zone other than UTC"),
  ),
  ...["$dateAdd", "$dateSubtract"].map((name) =>
    ofDate(name, ["startDate", "unit", "amount"], ({ unit }) =>
      served(/^(week|day|hour|minute|second|millisecond)$/.test(String(unit)), `${name} of the unit ${String(unit)}`),
    ),
  ),
]);
