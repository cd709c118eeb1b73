import { Binary, Decimal128, Double, Int32, Long, ObjectId } from "bson";
import { DatabaseError } from "./errors.js";
import { integer, toNumber } from "./numbers.js";
import { bytesOf } from "./ordering.js";
import { isNullish, isNumber, type Kind, kindOf, type NumberValue } from "./values.js";

const failure = (message: string) => new DatabaseError(241, message);

const TARGETS: Readonly<Record<number, Kind>> = {
  1: "double",
  2: "string",
  7: "objectId",
  8: "bool",
  9: "date",
  16: "int",
  18: "long",
  19: "decimal",
};

/** The target of `$convert`: an alias or a type number. @throws DatabaseError 9. */
export function conversionTarget(to: unknown): Kind {
  const target = isNumber(to) ? TARGETS[toNumber(to)] : Object.values(TARGETS).find((kind) => kind === to);
  if (target === undefined) {
    throw new DatabaseError(2, `$convert's 'to' argument must be a type it can convert to, not ${String(to)}`);
  }
  return target;
}

/** As `$convert`: null and missing stay null. @throws DatabaseError 241 when the value has no such form. */
export function convert(value: unknown, to: Kind): unknown {
  if (isNullish(value)) {
    return null;
  }
  const result = CONVERSIONS[to]?.(value);
  if (result === undefined) {
    throw failure(`Unsupported conversion from ${kindOf(value)} to ${to} in $convert with no onError value`);
  }
  return result;
}

const CONVERSIONS: Partial<Record<Kind, (value: unknown) => unknown>> = {
  bool: (value) => (isNumber(value) ? toNumber(value) !== 0 : value !== false),
  string: toText,
  int: (value) => toWhole(value, 32, "int"),
  long: (value) => toWhole(value, 64, "long"),
  double: (value) => {
    if (value instanceof Date) {
      return new Double(value.getTime());
    }
    const number = toNumeric(value, "double");
    return number === undefined ? undefined : new Double(toNumber(number));
  },
  decimal: (value) => {
    if (typeof value === "string") {
      return toNumeric(value, "decimal");
    }
    const number = value instanceof Date ? Long.fromNumber(value.getTime()) : toNumeric(value, "decimal");
    if (number === undefined || number instanceof Decimal128) {
      return number;
    }
    const text =
      number instanceof Double && Number.isFinite(number.value) ? number.value.toPrecision(15) : number.toString();
    return Decimal128.fromString(text);
  },
  objectId: (value) => {
    if (value instanceof ObjectId) {
      return value;
    }
    if (typeof value !== "string") {
      return undefined;
    }
    if (!/^[0-9a-f]{24}$/i.test(value)) {
      throw failure(`Failed to parse objectId '${value}' in $convert with no onError value`);
    }
    return new ObjectId(value);
  },
  date: (value) => {
    if (value instanceof Date) {
      return value;
    }
    if (value instanceof ObjectId) {
      return value.getTimestamp();
    }
    if (isNumber(value) && !(value instanceof Int32)) {
      return new Date(Math.trunc(toNumber(value)));
    }
    if (typeof value !== "string") {
      return undefined;
    }
    const time = /^\d{4}-\d\d/.test(value)
      ? Date.parse(/[zZ]|[+-]\d\d:?\d\d$|T/.test(value) ? zoned(value) : value)
      : Number.NaN;
    if (Number.isNaN(time)) {
      throw failure(`Error parsing date string '${value}'`);
    }
    return new Date(time);
  },
};

const zoned = (text: string) => (/[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);

function toText(value: unknown): string | undefined {
  switch (kindOf(value)) {
    case "string":
      return String(value);
    case "bool":
    case "int":
    case "long":
    case "decimal":
      return String(value);
    case "double":
      return doubleText(toNumber(value as NumberValue));
    case "objectId":
      return Buffer.from(bytesOf(value)).toString("hex");
    case "date":
      return (value as Date).toISOString();
    case "binData":
      return (value as Binary).sub_type === Binary.SUBTYPE_UUID ? (value as Binary).toUUID().toString() : undefined;
    default:
      return undefined;
  }
}

function doubleText(value: number): string {
  return Number.isFinite(value) ? String(value).replace(/e([+-])(\d)$/, "e$10$2") : String(value).replace("inity", "");
}

function toNumeric(value: unknown, to: Kind): NumberValue | undefined {
  if (isNumber(value)) {
    return value;
  }
  if (typeof value === "boolean") {
    return new Int32(value ? 1 : 0);
  }
  if (typeof value !== "string") {
    return undefined;
  }
  const pattern = to === "int" || to === "long" ? /^[+-]?\d+$/ : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  if (!pattern.test(value) && !/^[+-]?(nan|inf(inity)?)$/i.test(value)) {
    throw failure(`Failed to parse number '${value}' in $convert with no onError value`);
  }
  if (to === "int" || to === "long") {
    if (!pattern.test(value)) {
      throw failure(`Failed to parse number '${value}' in $convert with no onError value`);
    }
    return ranged(BigInt(value.replace("+", "")), 64, value);
  }
  return to === "decimal" ? Decimal128.fromString(value) : new Double(Number(value.replace(/inf$/i, "Infinity")));
}

function ranged(whole: bigint, bits: 32 | 64, shown: unknown): NumberValue {
  if (BigInt.asIntN(bits, whole) !== whole) {
    throw failure(`Conversion would overflow target type in $convert with no onError value: ${String(shown)}`);
  }
  return integer(whole);
}

function toWhole(value: unknown, bits: 32 | 64, to: Kind): unknown {
  const number = value instanceof Date && bits === 64 ? Long.fromNumber(value.getTime()) : toNumeric(value, to);
  if (number === undefined) {
    return undefined;
  }
  let whole: bigint;
  if (number instanceof Double || number instanceof Decimal128) {
    if (!Number.isFinite(toNumber(number))) {
      throw failure(`Attempt to convert ${String(number)} to integer type in $convert with no onError value`);
    }
    whole = BigInt(Math.trunc(toNumber(number)));
  } else {
    whole = BigInt(number.toString());
  }
  const result = ranged(whole, bits, value);
  return bits === 64 ? Long.fromBigInt(whole) : result;
}
