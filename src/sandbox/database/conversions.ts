import { Double, Int32, Long, ObjectId, Timestamp } from "bson";
import { check } from "./errors.js";
import { integer, isTruthy, toNumber } from "./numbers.js";
import { isNullish, isNumber, kindOf, type NumberValue } from "./values.js";

/** As `$toInt` and the like: null and missing stay null. @throws DatabaseError 241 when the value has no such form. */
export function convert(value: unknown, to: string): unknown {
  const conversion = Object.hasOwn(CONVERSIONS, to) ? CONVERSIONS[to] : undefined;
  check(conversion !== undefined, 2, `$convert's 'to' argument must be a type it can convert to, not ${to}`);
  const result = isNullish(value) ? null : conversion(value);
  check(result !== undefined, 241, `Unsupported conversion from ${kindOf(value)} to ${to}`);
  return result;
}

const milliseconds = (value: unknown) => (value instanceof Date ? Long.fromNumber(value.getTime()) : value);

const CONVERSIONS: Readonly<Record<string, (value: unknown) => unknown>> = {
  bool: isTruthy,
  int: (value) => toWhole(value, 32, integer),
  long: (value) => toWhole(milliseconds(value), 64, Long.fromBigInt),
  double: (value) => {
    const number = toNumeric(milliseconds(value));
    return number && new Double(toNumber(number));
  },
  string: (value) => {
    if (value instanceof Date) return value.toISOString();
    const text = /^(string|bool|int|long|double|decimal|objectId)$/.test(kindOf(value)) ? String(value) : undefined;
    return value instanceof Double ? text?.replace(/e([+-])(\d)$/, "e$10$2") : text;
  },
  objectId: (value) => {
    check(typeof value !== "string" || /^[0-9a-f]{24}$/i.test(value), 241, "Failed to parse objectId");
    return typeof value === "string" ? new ObjectId(value) : value instanceof ObjectId ? value : undefined;
  },
  date: (value) => {
    if (value instanceof ObjectId) return value.getTimestamp();
    if (value instanceof Timestamp) return new Date(value.t * 1000);
    if (typeof value !== "string" && (value instanceof Int32 || !isNumber(value)))
      return value instanceof Date ? value : undefined;
    const date = new Date(typeof value === "string" ? inUtc(value) : Math.trunc(toNumber(value)));
    check(!Number.isNaN(date.getTime()), 241, `no date: ${String(value)}`);
    return date;
  },
};

/** ISO 8601, which is UTC without a zone. */
function inUtc(text: string): string {
  check(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text), 241, `no date: '${text}'`);
  return text.includes("T") && !/(Z|[+-]\d\d:\d\d)$/.test(text) ? `${text}Z` : text;
}

function toNumeric(value: unknown): NumberValue | undefined {
  if (typeof value === "boolean") return new Int32(value ? 1 : 0);
  if (typeof value !== "string") return isNumber(value) ? value : undefined;
  check(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value), 241, `Failed to parse number '${value}'`);
  return new Double(Number(value));
}

function toWhole(value: unknown, bits: number, make: (whole: bigint) => Int32 | Long): Int32 | Long | undefined {
  const number = toNumeric(value);
  if (number === undefined) return undefined;
  check(Number.isFinite(toNumber(number)), 241, "Attempt to convert infinity or NaN to an integer");
  check(typeof value !== "string" || /^[+-]?\d+$/.test(value), 241, `Failed to parse number '${String(value)}'`);
  const exact = typeof value === "string" || number instanceof Long;
  const whole = exact ? BigInt(String(value).replace("+", "")) : BigInt(Math.trunc(toNumber(number)));
  check(BigInt.asIntN(bits, whole) === whole, 241, "Conversion would overflow target type");
  return make(whole);
}
