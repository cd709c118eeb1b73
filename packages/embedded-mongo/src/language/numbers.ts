import { Decimal128, Double, Int32, Long } from "bson";
import { check, notSupported } from "../errors.js";
import { isNullish, isNumber, type NumberValue } from "./values.js";

/** Converts a number to the nearest double. A decimal beyond its range becomes ±Infinity. */
export function toNumber(value: NumberValue): number {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  return value instanceof Long ? value.toNumber() : Number(value.toString());
}

/** Converts a number to a JavaScript integer. A fraction, NaN, a number beyond 2^53 or another type gives undefined. */
export function toInteger(value: unknown): number | undefined {
  const number = isNumber(value) ? toNumber(value) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}

export const isNaNValue = (value: unknown): boolean => isNumber(value) && Number.isNaN(toNumber(value));

/** Converts a value to a boolean, as MongoDB's conditions do. Missing, null, false and zero are false. */
export const isTruthy = (value: unknown): boolean =>
  !(isNullish(value) || value === false || (isNumber(value) && toNumber(value) === 0));

/** Chooses the narrowest integer class, at least Int32. @throws DatabaseError 2 beyond 64 bits. */
export const integer = (value: bigint | number): Int32 | Long =>
  value >= -0x80000000 && value <= 0x7fffffff ? new Int32(Number(value)) : long(BigInt(value));

function long(value: bigint): Long {
  check(BigInt.asIntN(64, value) === value, 2, "integer overflow: the result does not fit 64 bits");
  return Long.fromBigInt(value);
}

/** Returns the exact coefficient and exponent of ten. A finite double has both: m × 2^-k = m × 5^k × 10^-k. */
function decimal(value: NumberValue | number): [bigint, number] {
  if (typeof value === "number") {
    let [mantissa, halvings] = [value, 0];
    for (; !Number.isInteger(mantissa); halvings += 1) mantissa *= 2;
    return [BigInt(mantissa) * 5n ** BigInt(halvings), -halvings];
  }
  const [digits = "0", exponent = "0"] = value.toString().split("E");
  const [whole = "0", fraction = ""] = digits.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

/** Returns the difference of a number and its nearest double, as coefficient and exponent of ten. */
function remainderOf(value: NumberValue, double: number): [bigint, number] {
  const [[a, p], [b, q]] = [decimal(value), decimal(double)];
  const exponent = Math.min(p, q);
  return [a * 10n ** BigInt(p - exponent) - b * 10n ** BigInt(q - exponent), exponent];
}

/** Computes in the wider of the two classes: Double, Long, Int32. Int32 widens to Long instead of overflowing. */
function combine(a: NumberValue, b: NumberValue, multiplied: boolean): NumberValue {
  if (a instanceof Decimal128 || b instanceof Decimal128) throw notSupported("arithmetic on Decimal128");
  if (a instanceof Double || b instanceof Double) {
    const [x, y] = [toNumber(a), toNumber(b)];
    return new Double(multiplied ? x * y : x + y);
  }
  const [x, y] = [BigInt(a.toString()), BigInt(b.toString())];
  const whole = multiplied ? x * y : x + y;
  return a instanceof Long || b instanceof Long ? long(whole) : integer(whole);
}

export const add = (a: NumberValue, b: NumberValue) => combine(a, b, false);
export const multiply = (a: NumberValue, b: NumberValue) => combine(a, b, true);
export const subtract = (a: NumberValue, b: NumberValue) => add(a, multiply(b, new Int32(-1)));

/**
 * Encodes a number in nine or more bytes. The byte order is the numeric order of all four classes, and equal numbers
 * have equal bytes. The nearest double comes first, then the exact rest of a Long beyond 2^53 or a Decimal128. NaN
 * sorts first.
 */
export function encodeNumber(value: NumberValue): Buffer {
  const infinite = /NaN|Infinity/.test(String(value));
  const near = infinite ? toNumber(value) : Math.max(-Number.MAX_VALUE, Math.min(toNumber(value), Number.MAX_VALUE));
  const inexact = value instanceof Long ? !Number.isSafeInteger(near) : value instanceof Decimal128 && !infinite;
  const [rest, exponent] = inexact ? remainderOf(value, near) : [0n, 0];
  const head = Buffer.alloc(9, rest === 0n ? 2 : rest < 0n ? 1 : 3);
  head.writeDoubleBE(near + 0); // -0 becomes 0
  const bits = near < 0 ? ~head.readBigUInt64BE() : head.readBigUInt64BE() | (1n << 63n);
  head.writeBigUInt64BE(Number.isNaN(near) ? 0n : BigInt.asUintN(64, bits));
  if (rest === 0n) return head;
  const digits = String(rest).replace("-", "");
  const tail = Buffer.from(`\0\0${digits.replace(/(?<!0)0+$/, "")}\0`, "latin1");
  tail.writeUInt16BE(digits.length + exponent + 0x8000);
  return Buffer.concat([head, rest < 0n ? tail.map((byte) => ~byte) : tail]);
}

/** Compares numbers of the four classes. NaN sorts first and equals itself. */
export function compareNumbers(a: NumberValue, b: NumberValue): number {
  if ((a instanceof Int32 || a instanceof Double) && (b instanceof Int32 || b instanceof Double)) {
    const [x, y] = [a.value, b.value];
    return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number(Number.isNaN(y)) - Number(Number.isNaN(x));
  }
  return Buffer.compare(encodeNumber(a), encodeNumber(b));
}
