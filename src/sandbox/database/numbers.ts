import { Decimal128, Double, Int32, Long } from "bson";
import { DatabaseError } from "./errors.js";
import { isNumber, type NumberValue } from "./values.js";

/** coefficient × 10^exponent, exactly. */
interface ExactDecimal {
  coefficient: bigint;
  exponent: number;
}

/** The nearest double; a decimal beyond its range becomes ±Infinity. */
export function toNumber(value: NumberValue): number {
  if (value instanceof Int32 || value instanceof Double) {
    return value.value;
  }
  return value instanceof Long ? value.toNumber() : Number(value.toString());
}

/** The number as a JavaScript integer, or undefined when it is none (a fraction, NaN, beyond 2^53, not a number). */
export function toInteger(value: unknown): number | undefined {
  const number = isNumber(value) ? toNumber(value) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}

export function isNaNValue(value: unknown): boolean {
  return isNumber(value) && Number.isNaN(toNumber(value));
}

/** The narrowest integer class, at least Int32. @throws DatabaseError 2 beyond 64 bits. */
export function integer(value: bigint | number): Int32 | Long {
  if (value >= -0x80000000 && value <= 0x7fffffff) {
    return new Int32(Number(value));
  }
  const wide = BigInt(value);
  if (BigInt.asIntN(64, wide) !== wide) {
    throw new DatabaseError(2, "integer overflow: the result does not fit 64 bits");
  }
  return Long.fromBigInt(wide);
}

function parseDecimal(text: string): ExactDecimal {
  const [digits = "0", exponent = "0"] = text.split("E");
  const [whole = "0", fraction = ""] = digits.split(".");
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Every finite double is a finite decimal: m × 2^-k = m × 5^k × 10^-k. */
function exactDouble(value: number): ExactDecimal {
  let [mantissa, halvings] = [value, 0];
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    halvings += 1;
  }
  return { coefficient: BigInt(mantissa) * 5n ** BigInt(halvings), exponent: -halvings };
}

function aligned(a: ExactDecimal, b: ExactDecimal): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  const scale = (value: ExactDecimal) => value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return [scale(a), scale(b), exponent];
}

function toDecimal(value: NumberValue): Decimal128 {
  if (value instanceof Decimal128) {
    return value;
  }
  const text = value instanceof Double && Number.isFinite(value.value) ? value.value.toPrecision(15) : value.toString();
  return Decimal128.fromString(text.replace("e", "E"));
}

const isFiniteDecimal = (value: Decimal128) => !/^-?(NaN|Infinity)$/.test(value.toString());

function combine(
  a: NumberValue,
  b: NumberValue,
  onDoubles: (a: number, b: number) => number,
  onIntegers: (a: bigint, b: bigint) => bigint,
  onDecimals: (a: ExactDecimal, b: ExactDecimal) => ExactDecimal,
): NumberValue {
  if (a instanceof Decimal128 || b instanceof Decimal128) {
    const [left, right] = [toDecimal(a), toDecimal(b)];
    if (!isFiniteDecimal(left) || !isFiniteDecimal(right)) {
      return Decimal128.fromString(String(onDoubles(toNumber(left), toNumber(right))));
    }
    const result = onDecimals(parseDecimal(left.toString()), parseDecimal(right.toString()));
    return Decimal128.fromStringWithRounding(`${result.coefficient}E${result.exponent}`);
  }
  if (a instanceof Double || b instanceof Double) {
    return new Double(onDoubles(toNumber(a), toNumber(b)));
  }
  if (a instanceof Int32 && b instanceof Int32) {
    const result = onDoubles(a.value, b.value);
    if (Number.isSafeInteger(result)) {
      return integer(result);
    }
  }
  const wide = onIntegers(BigInt(a.toString()), BigInt(b.toString()));
  return a instanceof Long || b instanceof Long ? Long.fromBigInt(integerRange(wide)) : integer(wide);
}

function integerRange(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) {
    throw new DatabaseError(2, "integer overflow: the result does not fit 64 bits");
  }
  return value;
}

/** The widest of the two classes wins: Decimal128, Double, Long, Int32; Int32 widens to Long instead of overflowing. */
export function add(a: NumberValue, b: NumberValue): NumberValue {
  return combine(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
    (x, y) => {
      const [left, right, exponent] = aligned(x, y);
      return { coefficient: left + right, exponent };
    },
  );
}

/** Classes as in {@link add}. */
export function multiply(a: NumberValue, b: NumberValue): NumberValue {
  return combine(
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
    (x, y) => ({ coefficient: x.coefficient * y.coefficient, exponent: x.exponent + y.exponent }),
  );
}

const MINUS_ONE = new Int32(-1);

export function subtract(a: NumberValue, b: NumberValue): NumberValue {
  return add(a, multiply(b, MINUS_ONE));
}

/** Always a Double, or a Decimal128 (34 digits) when either side is one. `b` is not zero. */
export function divide(a: NumberValue, b: NumberValue): NumberValue {
  if (!(a instanceof Decimal128 || b instanceof Decimal128)) {
    return new Double(toNumber(a) / toNumber(b));
  }
  const [left, right] = [toDecimal(a), toDecimal(b)];
  if (!isFiniteDecimal(left) || !isFiniteDecimal(right)) {
    return Decimal128.fromString(String(toNumber(left) / toNumber(right)));
  }
  const [x, y] = [parseDecimal(left.toString()), parseDecimal(right.toString())];
  const quotient = (x.coefficient * 10n ** 40n) / y.coefficient;
  return plainDecimal({ coefficient: quotient, exponent: x.exponent - y.exponent - 40 });
}

function plainDecimal({ coefficient, exponent }: ExactDecimal): Decimal128 {
  let [digits, power] = [coefficient, exponent];
  while (power < 0 && digits !== 0n && digits % 10n === 0n) {
    digits /= 10n;
    power += 1;
  }
  return Decimal128.fromStringWithRounding(`${digits}E${digits === 0n ? 0 : power}`);
}

/**
 * Nine or more bytes whose byte order is the numeric order of all four classes together, equal for equal numbers: the
 * nearest double, then the exact rest (which only Long beyond 2^53 and Decimal128 have). NaN comes first.
 */
export function encodeNumber(value: NumberValue): Buffer {
  let approximation = toNumber(value);
  let rest: ExactDecimal | undefined;
  if (value instanceof Long && !Number.isSafeInteger(approximation)) {
    rest = { coefficient: value.toBigInt() - BigInt(approximation), exponent: 0 };
  } else if (value instanceof Decimal128 && isFiniteDecimal(value)) {
    if (!Number.isFinite(approximation)) {
      approximation = Math.sign(approximation) * Number.MAX_VALUE;
    }
    const [exact, near, exponent] = aligned(parseDecimal(value.toString()), exactDouble(approximation));
    rest = { coefficient: exact - near, exponent };
  }
  const head = Buffer.alloc(9);
  if (!Number.isNaN(approximation)) {
    head.writeDoubleBE(approximation === 0 ? 0 : approximation);
    const negative = (head[0] ?? 0) >= 0x80;
    for (let at = 0; at < 8; at += 1) {
      head[at] = negative ? ~(head[at] ?? 0) : at === 0 ? (head[0] ?? 0) | 0x80 : (head[at] ?? 0);
    }
  }
  head[8] = 2;
  if (rest === undefined || rest.coefficient === 0n) {
    return head;
  }
  head[8] = rest.coefficient < 0n ? 1 : 3;
  const digits = String(rest.coefficient).replace("-", "");
  const tail = Buffer.from(`\0\0${digits.replace(/0+$/, "")}\0`, "latin1");
  tail.writeUInt16BE(digits.length + rest.exponent + 0x8000);
  return Buffer.concat([head, rest.coefficient < 0n ? tail.map((byte) => ~byte) : tail]);
}

/** Numeric order across the four classes, NaN first and equal to itself. */
export function compareNumbers(a: NumberValue, b: NumberValue): number {
  if ((a instanceof Int32 || a instanceof Double) && (b instanceof Int32 || b instanceof Double)) {
    const [x, y] = [a.value, b.value];
    return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number(Number.isNaN(y)) - Number(Number.isNaN(x));
  }
  if (a instanceof Long && b instanceof Long) {
    return a.compare(b);
  }
  return Buffer.compare(encodeNumber(a), encodeNumber(b));
}
