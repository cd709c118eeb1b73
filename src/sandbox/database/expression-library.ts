import { BSONRegExp, Int32 } from "bson";
import { Context, evalExpr } from "mingo/core";
import * as dates from "mingo/operators/expression/date";
import * as strings from "mingo/operators/expression/string";
import { check, DatabaseError, notSupported } from "./errors.js";
import { toInteger, toNumber } from "./numbers.js";
import { compileRegex } from "./regex.js";
import { type Document, isDocument, isNullish, isNumber, kindOf } from "./values.js";

/** An operator whose operands are all evaluated first; values may be `undefined` for missing. */
export interface Operator {
  least: number;
  most: number;
  apply: (values: unknown[]) => unknown;
}

/** What mingo does with strings and dates as MongoDB does: how many operands, or which named ones. */
const BY_PLACE = { $split: 2, $strLenCP: 1, $strLenBytes: 1, $substr: 3, $substrBytes: 3, $substrCP: 3 };
const BY_NAME = {
  $trim: "input chars",
  $ltrim: "input chars",
  $rtrim: "input chars",
  $replaceOne: "input find replacement",
  $replaceAll: "input find replacement",
  $regexMatch: "input regex options",
};
const OF_DATE = {
  ...{ $year: "date", $month: "date", $dayOfMonth: "date", $hour: "date", $minute: "date", $second: "date" },
  ...{ $millisecond: "date", $dayOfWeek: "date", $dayOfYear: "date", $isoDayOfWeek: "date" },
  $dateToString: "date format onNull",
  $dateTrunc: "date unit binSize",
  $dateAdd: "startDate unit amount",
  $dateSubtract: "startDate unit amount",
};
const $literal: (document: unknown, value: unknown) => unknown = (_, value) => value;
const context = Context.init({ expression: { ...strings, ...dates, $literal: $literal as never } });

/** Numbers and patterns as mingo knows them. */
const literal = (value: unknown): Document => ({
  $literal: isNumber(value) ? toNumber(value) : value instanceof BSONRegExp ? compileRegex(value) : (value ?? null),
});

/** @throws DatabaseError 2 for operands of the wrong type. */
function run(name: string, operand: unknown): unknown {
  try {
    const result: unknown = evalExpr(null, { [name]: operand }, { context } as never);
    return typeof result === "number" ? new Int32(result) : result;
  } catch (error) {
    throw new DatabaseError(2, error instanceof Error ? error.message : `${name} failed`);
  }
}

function runNamed(name: string, fields: string, operand: unknown): unknown {
  check(isDocument(operand), 9, `${name} only supports an object as its argument`);
  const stray = Object.keys(operand).find((field) => !fields.split(" ").includes(field));
  check(stray === undefined, 9, `Unrecognized parameter to ${name}: ${stray}`);
  return run(name, Object.fromEntries(Object.entries(operand).map(([field, value]) => [field, literal(value)])));
}

const DAY = 86_400_000;
const MONTHS: Readonly<Record<string, number>> = { year: 12, quarter: 3, month: 1 };
const MILLISECONDS: Readonly<Record<string, number>> = {
  ...{ week: 7 * DAY, day: DAY, hour: DAY / 24, minute: 60_000, second: 1_000, millisecond: 1 },
};

/** The start of the bin of `binSize` units that holds the date; bins are counted from 2000-01-01, of weeks from the Sunday after it. */
function truncated(date: Date, { unit, binSize = new Int32(1) }: Document): Date {
  const bin = toInteger(binSize);
  check(bin !== undefined && bin > 0, 2, "$dateTrunc requires 'binSize' to be a whole number above 0");
  const floor = (value: number, step: number) => Math.floor(value / step) * step;
  const months = MONTHS[String(unit)];
  if (months !== undefined) {
    const since = (date.getUTCFullYear() - 2000) * 12 + date.getUTCMonth();
    return new Date(Date.UTC(2000, floor(since, months * bin)));
  }
  const step = MILLISECONDS[String(unit)];
  check(step !== undefined, 9, `unknown time unit value: ${String(unit)}`);
  const from = Date.UTC(2000, 0, unit === "week" ? 2 : 1);
  return new Date(floor(date.getTime() - from, step * bin) + from);
}

/** Null for no date. Time zones: UTC, and those that mingo knows: offsets and `Area/City`. */
function runOfDate(name: string, fields: string, operand: unknown): unknown {
  const first = fields.split(" ")[0] ?? "";
  const { timezone = "UTC", ...args } = isDocument(operand) ? operand : { [first]: operand };
  if (isNullish(args[first]) || timezone === null) return args.onNull ?? null;
  check(args[first] instanceof Date, 16006, `can't convert from BSON type ${kindOf(args[first])} to Date`);
  const inUtc = /^(UTC|GMT|Z)$/.test(String(timezone));
  const served =
    /^([^%]|%[YmdHMSLju])*$/.test(String(args.format)) &&
    (args.amount === undefined || /^(week|day|hour|minute|second|millisecond)$/.test(String(args.unit))) &&
    (inUtc || name !== "$dateTrunc");
  if (!served) throw notSupported(`${name} with these operands`);
  if (name === "$dateTrunc") return truncated(args[first], args);
  return runNamed(name, `${fields} timezone`, inUtc ? args : { ...args, timezone });
}

const entries = <T>(
  table: Readonly<Record<string, T>>,
  make: (name: string, of: T) => Operator,
): [string, Operator][] => Object.entries(table).map(([name, of]) => [name, make(name, of)]);
const single = (apply: (operand: unknown) => unknown): Operator => ({
  least: 1,
  most: 1,
  apply: ([value]) => apply(value),
});

export const LIBRARY: ReadonlyMap<string, Operator> = new Map([
  ...entries(BY_PLACE, (name, count) => ({
    least: count,
    most: count,
    apply: (values) => run(name, count === 1 ? literal(values[0]) : values.map(literal)),
  })),
  ...entries(BY_NAME, (name, fields) => single((operand) => runNamed(name, fields, operand))),
  ...entries(OF_DATE, (name, fields) => single((operand) => runOfDate(name, fields, operand))),
]);
