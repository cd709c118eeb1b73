import { Double, Int32, ObjectId, Timestamp } from "bson";
import { Context, evalExpr } from "mingo/core";
import * as dates from "mingo/operators/expression/date";
import { check, notSupported } from "./errors.js";
import { toInteger, toNumber } from "./numbers.js";
import { eager, many, named, type Operator, type Read, read, required, text, typed } from "./operands.js";
import { type Document, isNumber, kindOf } from "./values.js";

/** What a value is as text, a date or an id; null and missing stay null. */
const converted = <T>(type: Read<T>) => typed<[T]>([type], (value) => value);

/** @throws DatabaseError 18537 for a year that has not four digits. */
function isoText(date: Date): string {
  const written = date.toISOString();
  check(/^\d/.test(written), 18537, "the date is outside the supported range of years, 0-9999");
  return written;
}

function toText(value: unknown): string | undefined {
  if (value instanceof Date) return isoText(value);
  if (!/^(string|bool|int|long|double|decimal|objectId)$/.test(kindOf(value))) return undefined;
  return value instanceof Double ? String(value).replace(/e([+-])(\d)$/, "e$10$2") : String(value);
}

/** Text is a day, or ISO 8601 in UTC. */
function toDate(value: unknown): Date | undefined {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  if (isNumber(value)) return value instanceof Int32 ? undefined : new Date(Math.trunc(toNumber(value)));
  const written = typeof value === "string" && /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(value);
  const date = new Date(written ? value : Number.NaN);
  // JavaScript takes the 30th of February for the 1st of March.
  return written && !Number.isNaN(date.getTime()) && value.startsWith(date.toISOString().slice(0, 10))
    ? date
    : undefined;
}

function toObjectId(value: unknown): ObjectId | undefined {
  if (typeof value === "string" && /^[0-9a-f]{24}$/i.test(value)) return new ObjectId(value);
  return value instanceof ObjectId ? value : undefined;
}

const asText = (value: unknown) => read(text, value ?? "");
const cased = (change: (value: string) => string) => eager(1, 1, (value) => change(asText(value)));

function codePoints(value: unknown, first: unknown, count: unknown): string {
  const [from, length] = [read(toInteger, first), read(toInteger, count)];
  check(from >= 0 && length >= 0, 34452, "$substrCP takes no negative place or length");
  return [...asText(value)].slice(from, from + length).join("");
}

const mingo = { context: Context.init({ expression: dates }) } as Parameters<typeof evalExpr>[2];

/** What mingo makes of a date, in UTC, and further operands that it takes; null without a date. */
function byMingo(name: string, value: unknown, operands: Document = {}): unknown {
  if (value === null) return null;
  const date = /^(date|timestamp|objectId)$/.test(kindOf(value)) ? toDate(value) : undefined;
  check(date !== undefined, 16006, `can't convert from BSON type ${kindOf(value)} to Date`);
  const all: Document = { date, ...operands };
  const paths = Object.keys(all).map((key) => [key, `$${key}`]);
  return evalExpr(all, { [name]: Object.fromEntries(paths) }, mingo);
}

const DATE_PARTS = "$year $month $dayOfMonth $hour $minute $second $millisecond $dayOfWeek".split(" ");
const datePart = (name: string) =>
  named(
    required("date"),
    (date) => {
      const part = byMingo(name, date);
      return typeof part === "number" ? new Int32(part) : null;
    },
    1,
  );

/** What mingo writes otherwise than MongoDB is refused. */
function dateToString(date: unknown, format: unknown, onNull: unknown): unknown {
  if (format === null || date === null) return format === null ? null : onNull;
  const simple = /^([^%]|%[YmdHMSL])*$/.test(read(text, format));
  if (!simple) throw notSupported("such a format of $dateToString");
  isoText(toDate(date) ?? new Date());
  return byMingo("$dateToString", date, { format });
}

const UNITS = /^(year|quarter|month|week|day|hour|minute|second|millisecond)$/;

/** Bins before 2000, which mingo gets wrong, are refused. */
function dateTrunc(date: unknown, unit: unknown, size: unknown): unknown {
  if (date === null || unit === null || size === null) return null;
  if (Number(toDate(date)) < Date.UTC(2000, 0, 2)) throw notSupported("$dateTrunc of this date");
  const binSize = read(toInteger, size);
  check(UNITS.test(String(unit)) && binSize > 0, 2, "$dateTrunc takes the name of a unit, and a size above 0");
  return byMingo("$dateTrunc", date, { unit, binSize });
}

export const TEXT_AND_DATES: Readonly<Record<string, Operator>> = {
  $toString: converted(toText),
  $toDate: converted(toDate),
  $toObjectId: converted(toObjectId),
  $concat: many(text, (values) => values.join("")),
  $toLower: cased((value) => value.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  $toUpper: cased((value) => value.replace(/[a-z]+/g, (part) => part.toUpperCase())),
  $split: typed([text, text], (value, separator) => {
    check(separator !== "", 40087, "$split requires a non-empty separator");
    return value.split(separator);
  }),
  $strLenCP: eager(1, 1, (value) => new Int32([...read(text, value)].length)),
  $substrCP: eager(3, 3, codePoints),
  ...Object.fromEntries(DATE_PARTS.map((name) => [name, datePart(name)])),
  $dateToString: named({ ...required("date"), format: "%Y-%m-%dT%H:%M:%S.%LZ", onNull: null }, dateToString),
  $dateTrunc: named({ ...required("date", "unit"), binSize: new Int32(1) }, dateTrunc),
};
