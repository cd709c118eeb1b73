import { Decimal128, Double, Int32, Long, ObjectId } from "bson";
import { check } from "./errors.js";
import { integer, isTruthy, toNumber } from "./numbers.js";
import { isNullish, isNumber, type Kind, kindNamed, kindOf, type NumberValue } from "./values.js";

/** As `$convert`: null and missing stay null. @throws DatabaseError 241 when the value has no such form, 2 for an unknown target. */
export function convert(value: unknown, to: unknown): unknown {
  const kind = kindNamed(isNumber(to) ? toNumber(to) : to);
  const conversion = kind === undefined ? undefined : CONVERSIONS[kind];
  check(conversion !== undefined, 2, `$convert's 'to' argument must be a type it can convert to, not ${String(to)}`);
  if (isNullish(value)) return null;
  const result = conversion(value);
  check(result !== undefined, 241, `Unsupported conversion from ${kindOf(value)} to ${kind}`);
  return result;
}

const CONVERSIONS: Partial<Record<Kind, (value: unknown) => unknown>> = {
  bool: isTruthy,
  string: toText,
  int: (value) => (value instanceof Date ? undefined : toWhole(value, 32)),
  long: (value) => toWhole(value instanceof Date ? new Double(value.getTime()) : value, 64),
  double: (value) => {
    const number = value instanceof Date ? new Double(value.getTime()) : toNumeric(value);
    return number && new Double(toNumber(number));
  },
  objectId: (value) => {
    check(typeof value !== "string" || /^[0-9a-f]{24}$/i.test(value), 241, "Failed to parse objectId");
    return typeof value === "string" ? new ObjectId(value) : value instanceof ObjectId ? value : undefined;
  },
  date: (value) => {
    if (value instanceof ObjectId) return value.getTimestamp();
    if (isNumber(value) && !(value instanceof Int32)) return toDate(toNumber(value));
    return typeof value === "string" ? toDate(value) : value instanceof Date ? value : undefined;
  },
};

const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** From milliseconds, or ISO 8601, which is UTC without a zone. */
function toDate(value: string | number): Date {
  const text = String(value);
  const zoned = text.includes("T") && !/(Z|[+-]\d\d:\d\d)$/.test(text) ? `${text}Z` : text;
  const date = new Date(typeof value === "number" ? Math.trunc(value) : ISO.test(text) ? zoned : Number.NaN);
  check(!Number.isNaN(date.getTime()), 241, `no date: '${text}'`);
  return date;
}

function toText(value: unknown): string | undefined {
  if (value instanceof Double) return String(value).replace(/e([+-])(\d)$/, "e$10$2");
  if (value instanceof Date) return value.toISOString();
  return /^(string|bool|int|long|decimal|objectId)$/.test(kindOf(value)) ? String(value) : undefined;
}

function toNumeric(value: unknown): NumberValue | undefined {
  if (isNumber(value)) return value;
  if (typeof value === "boolean") return new Int32(value ? 1 : 0);
  if (typeof value !== "string") return undefined;
  check(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value), 241, `Failed to parse number '${value}'`);
  return new Double(Number(value));
}

function toWhole(value: unknown, bits: 32 | 64): Int32 | Long | undefined {
  check(typeof value !== "string" || /^[+-]?\d+$/.test(value), 241, `Failed to parse number '${String(value)}'`);
  const number = typeof value === "string" ? Decimal128.fromStringWithRounding(value) : toNumeric(value);
  if (number === undefined) return undefined;
  check(Number.isFinite(toNumber(number)), 241, "Attempt to convert infinity or NaN to an integer");
  const exact = typeof value === "string" || number instanceof Long;
  const whole = exact ? BigInt(String(value).replace("+", "")) : BigInt(Math.trunc(toNumber(number)));
  check(BigInt.asIntN(bits, whole) === whole, 241, "Conversion would overflow target type");
  return bits === 32 ? integer(whole) : Long.fromBigInt(whole);
}
