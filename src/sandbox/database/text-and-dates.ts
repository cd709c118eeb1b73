import { Double, Int32, Long, ObjectId, Timestamp } from "bson";
import { Context, evalExpr } from "mingo/core";
import * as dates from "mingo/operators/expression/date";
import { check, notSupported } from "./errors.js";
import { toInteger, toNumber } from "./numbers.js";
import { eager, many, named, type Operator, type Read, read, required, text, typed } from "./operands.js";
import { type Document, kindOf } from "./values.js";

/** What a value is as text, a date or an id; null and missing stay null. */
const converted = <T>(type: Read<T>) => typed<[T]>([type], (value) => value);

function toText(value: unknown): string | undefined {
  if (value instanceof Date) return dateOf(value).toISOString();
  if (!/^(string|bool|int|long|double|decimal|objectId)$/.test(kindOf(value))) return undefined;
  return value instanceof Double ? String(value).replace(/e([+-])(\d)$/, "e$10$2") : String(value);
}

/** @throws DatabaseError 115 for a text, of which JavaScript reads more than MongoDB. */
function toDate(value: unknown): Date | undefined {
  if (typeof value === "string") throw notSupported("reading a date from a text");
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  if (value instanceof Date) return value;
  const time = value instanceof Double || value instanceof Long ? Math.trunc(toNumber(value)) : Number.NaN;
  return Math.abs(time) <= 8.64e15 ? new Date(time) : undefined;
}

/** @throws DatabaseError 16006 for what is no date, 115 for a year that has not four digits. */
function dateOf(value: unknown): Date {
  const date = /^(date|timestamp|objectId)$/.test(kindOf(value)) ? toDate(value) : undefined;
  check(date !== undefined, 16006, `can't convert from BSON type ${kindOf(value)} to Date`);
  if (!/^\d/.test(date.toISOString())) throw notSupported("a date before the year 0 or after 9999");
  return date;
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

/** What mingo makes of a date, in UTC; null without one. */
function byMingo(name: string, date: unknown, operands: Document = {}): unknown {
  if (date === null) return null;
  const paths = ["date", ...Object.keys(operands)].map((key) => [key, `$${key}`]);
  const made = evalExpr({ date: dateOf(date), ...operands }, { [name]: Object.fromEntries(paths) }, mingo);
  return typeof made === "number" ? new Int32(made) : made;
}

const DATE_PARTS = "$year $month $dayOfMonth $hour $minute $second $millisecond $dayOfWeek".split(" ");
const datePart = (name: string) => named(required("date"), (date) => byMingo(name, date), 1);

/** What mingo writes otherwise than MongoDB is refused. */
function dateToString(date: unknown, format: unknown, onNull: unknown): unknown {
  if (format === null || date === null) return format === null ? null : onNull;
  const simple = /^([^%]|%[YmdHMSL])*$/.test(read(text, format));
  if (!simple) throw notSupported("such a format of $dateToString");
  return byMingo("$dateToString", date, { format });
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
};
