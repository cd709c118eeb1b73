import { Double, Int32, ObjectId, Timestamp } from "bson";
import { Context, evalExpr } from "mingo/core";
import * as dates from "mingo/operators/expression/date";
import * as strings from "mingo/operators/expression/string";
import { check, DatabaseError, notSupported } from "./errors.js";
import { isTruthy, toInteger, toNumber } from "./numbers.js";
import { eager, many, named, type Operator, read, text, typed } from "./operands.js";
import { compileRegex, regexOf } from "./regex.js";
import { type Document, isNullish, isNumber, kindOf } from "./values.js";

/** As `$toInt` and the like: null and missing stay null. @throws DatabaseError 241 when the value has no such form. */
const converted = (convert: (value: unknown) => unknown) =>
  eager(1, 1, (value) => {
    const result = isNullish(value) ? null : convert(value);
    const failed = result === undefined || (result instanceof Date && Number.isNaN(result.getTime()));
    check(!failed, 241, `Failed to convert '${String(value)}' of type ${kindOf(value)}`);
    return result;
  });

function toText(value: unknown): string | undefined {
  if (value instanceof Date) return value.toISOString();
  if (!/^(string|bool|int|long|double|decimal|objectId)$/.test(kindOf(value))) return undefined;
  return value instanceof Double ? String(value).replace(/e([+-])(\d)$/, "e$10$2") : String(value);
}

const ISO_DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Text is ISO 8601, which is UTC without a zone. */
function toDate(value: unknown): Date | undefined {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  if (isNumber(value)) return value instanceof Int32 ? undefined : new Date(Math.trunc(toNumber(value)));
  const [iso, time, , , zone] = (typeof value === "string" && ISO_DATE.exec(value)) || [];
  return iso === undefined ? undefined : new Date(time !== undefined && zone === undefined ? `${iso}Z` : iso);
}

function toObjectId(value: unknown): ObjectId | undefined {
  if (typeof value === "string" && /^[0-9a-f]{24}$/i.test(value)) return new ObjectId(value);
  return value instanceof ObjectId ? value : undefined;
}

function toDouble(value: unknown): Double | undefined {
  const numeral = typeof value !== "string" || /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value);
  if (!numeral || !/^(string|bool|date|int|long|double|decimal)$/.test(kindOf(value))) return undefined;
  return new Double(isNumber(value) ? toNumber(value) : Number(value));
}

function toInt(value: unknown): Int32 | undefined {
  const fraction = typeof value === "string" && !/^[+-]?\d+$/.test(value);
  const whole = fraction || value instanceof Date ? Number.NaN : Math.trunc(toDouble(value)?.value ?? Number.NaN);
  return whole >= -(2 ** 31) && whole < 2 ** 31 ? new Int32(whole) : undefined;
}

/** What operators on text take for one: nothing is the empty one, numbers and dates are written out. */
function asText(value: unknown): string {
  if (isNullish(value)) return "";
  check(isNumber(value) || typeof value === "string" || value instanceof Date, 16007, `no text: ${kindOf(value)}`);
  return toText(value) ?? "";
}

const cased = (change: (value: string) => string) => eager(1, 1, (value) => change(asText(value)));

function codePoints(value: unknown, first: unknown, count: unknown): string {
  const [from, length] = [read(toInteger, first), read(toInteger, count)];
  check(from >= 0 && length >= 0, 34452, "$substrCP takes no negative place or length");
  return [...asText(value)].slice(from, from + length).join("");
}

const WHITESPACE = "\0\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a";

const trimmed = (start: boolean, end: boolean) =>
  named("input chars?", (input, chars = WHITESPACE) => {
    if (input === null || chars === null) return null;
    const [points, cut] = [[...read(text, input)], [...read(text, chars)]];
    const stays = (point: string) => !cut.includes(point);
    const first = points.findIndex(stays);
    const kept = points.slice(start ? first : 0, end ? points.findLastIndex(stays) + 1 : points.length);
    return first < 0 ? "" : kept.join("");
  });

/** The letter for `$dateToString` and the digits it writes there, and the operator that gives the number. */
const DATE_PARTS: readonly [letter: string, digits: number, operator: string, part: (date: Date) => number][] = [
  ["Y", 4, "$year", (date) => date.getUTCFullYear()],
  ["m", 2, "$month", (date) => date.getUTCMonth() + 1],
  ["d", 2, "$dayOfMonth", (date) => date.getUTCDate()],
  ["H", 2, "$hour", (date) => date.getUTCHours()],
  ["M", 2, "$minute", (date) => date.getUTCMinutes()],
  ["S", 2, "$second", (date) => date.getUTCSeconds()],
  ["L", 3, "$millisecond", (date) => date.getUTCMilliseconds()],
  ["w", 1, "$dayOfWeek", (date) => date.getUTCDay() + 1],
];

const isUtc = (zone: unknown) => /^(UTC|GMT|Z|[+-]00(:?00)?)$/.test(String(zone));

/** The date whose UTC fields are those that this one has in a zone: an offset or `Area/City`. @throws DatabaseError 40485 */
function inZone(value: unknown, timezone: unknown): Date {
  const date = /^(date|timestamp|objectId)$/.test(kindOf(value)) ? toDate(value) : undefined;
  check(date !== undefined, 16006, `can't convert from BSON type ${kindOf(value)} to Date`);
  const zone = read(text, timezone);
  if (isUtc(zone)) return date;
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset = Number(`${sign}60000`) * (Number(hours) * 60 + Number(minutes));
  if (sign !== undefined) return new Date(date.getTime() + offset);
  try {
    const seconds = date.toLocaleString("sv-SE", { timeZone: zone }).replace(" ", "T");
    return new Date(Date.parse(`${seconds}Z`) + date.getUTCMilliseconds());
  } catch {
    throw new DatabaseError(40485, `unrecognized time zone identifier: "${zone}"`);
  }
}

function dateToString(value: unknown, format: unknown, timezone: unknown = "UTC", onNull: unknown = null): unknown {
  if (timezone === null || format === null) return null;
  if (value === null) return onNull;
  const date = inZone(value, timezone);
  const ending = isUtc(timezone) ? "Z" : "";
  return read(text, format ?? `%Y-%m-%dT%H:%M:%S.%L${ending}`).replace(/%(.?)/g, (_, letter: string) => {
    const [, digits, , part] = DATE_PARTS.find((one) => one[0] === letter) ?? [];
    if (letter !== "%" && part === undefined) throw notSupported(`%${letter} in the format of $dateToString`);
    return part === undefined ? "%" : String(part(date)).padStart(digits ?? 0, "0");
  });
}

const mingo = { context: Context.init({ expression: { ...strings, ...dates } }) } as Parameters<typeof evalExpr>[2];

/** What mingo makes of operands that have the right types. @throws DatabaseError 2 for values it does not take. */
function byMingo(name: string, operands: Document): unknown {
  try {
    const paths = Object.keys(operands).map((key) => [key, `$${key}`]);
    return evalExpr(operands, { [name]: Object.fromEntries(paths) }, mingo);
  } catch (error) {
    throw new DatabaseError(2, error instanceof Error ? error.message : `${name} failed`);
  }
}

const replaced = (name: string) =>
  named("input find replacement", (...operands) => {
    if (operands.includes(null)) return null;
    const [input, find, replacement] = operands.map((operand) => read(text, operand));
    return byMingo(name, { input, find, replacement });
  });

/** Null without a date. What mingo reckons otherwise than MongoDB is refused: months added, bins before 2000, time zones. */
const moved = (name: string, dateName: string, amountName: string, exact: (date: Date, unit: string) => boolean) =>
  named(`${dateName} unit ${amountName}`, (value, unit, amount = new Int32(1)) => {
    if (value === null || unit === null || amount === null) return null;
    const date = inZone(value, "UTC");
    if (!exact(date, read(text, unit))) throw notSupported(`${name} of this date by ${String(unit)}`);
    return byMingo(name, { [dateName]: date, unit, [amountName.replace("?", "")]: read(toInteger, amount) });
  });

const hasOneLength = (_: Date, unit: string) => /^(week|day|hour|minute|second|millisecond)$/.test(unit);

const int = (value: number) => new Int32(value);

export const TEXT_AND_DATES: Readonly<Record<string, Operator>> = {
  $toBool: converted(isTruthy),
  $toInt: converted(toInt),
  $toDouble: converted(toDouble),
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
  $strLenCP: eager(1, 1, (value) => int([...read(text, value)].length)),
  $substrCP: eager(3, 3, codePoints),
  $trim: trimmed(true, true),
  $ltrim: trimmed(true, false),
  $rtrim: trimmed(false, true),
  $replaceOne: replaced("$replaceOne"),
  $replaceAll: replaced("$replaceAll"),
  $regexMatch: named("input regex options?", (input, regex, options = "") =>
    input === null || regex === null ? false : compileRegex(regexOf(regex, options ?? "")).test(read(text, input)),
  ),
  ...Object.fromEntries(
    DATE_PARTS.map(([, , operator, part]) => [
      operator,
      named(
        "date timezone?",
        (date, timezone = "UTC") => (date === null || timezone === null ? null : int(part(inZone(date, timezone)))),
        1,
      ),
    ]),
  ),
  $dateToString: named("date format? timezone? onNull?", dateToString),
  $dateTrunc: moved("$dateTrunc", "date", "binSize?", (date) => date >= new Date("2000-01-02")),
  $dateAdd: moved("$dateAdd", "startDate", "amount", hasOneLength),
  $dateSubtract: moved("$dateSubtract", "startDate", "amount", hasOneLength),
};
