import { Decimal128, Double, Int32, Long } from "bson";
import { ACCUMULATORS, distinctValues, pickN } from "./accumulators.js";
import { conversionTarget, convert } from "./conversions.js";
import { toLocal, truncateDate } from "./dates.js";
import { DatabaseError } from "./errors.js";
import { isTruthy } from "./expressions.js";
import { add, divide, integer, multiply, subtract, toInteger, toNumber } from "./numbers.js";
import { compare } from "./ordering.js";
import { compileSort } from "./sorting.js";
import {
  type Document,
  EMPTY_ARRAY,
  fieldsOf,
  isDocument,
  isNullish,
  isNumber,
  kindOf,
  type NumberValue,
  setField,
} from "./values.js";

interface ExpressionOperator {
  least: number;
  most: number;
  /** One operand that is an array stands for its elements (`$sum`, `$max`, …). */
  spreads?: boolean;
  apply: (values: unknown[]) => unknown;
}

const MANY = Number.POSITIVE_INFINITY;

/** In expressions a missing value comes after MinKey and before null. */
function ordered(a: unknown, b: unknown): number {
  return compare(a === undefined ? EMPTY_ARRAY : a, b === undefined ? EMPTY_ARRAY : b);
}

function numeric(name: string, value: unknown, code: number): NumberValue {
  if (!isNumber(value)) {
    throw new DatabaseError(code, `${name} only supports numeric types, not ${kindOf(value)}`);
  }
  return value;
}

/** One number in, one number out; null for null. */
function ofNumber(name: string, apply: (value: NumberValue) => unknown): [string, ExpressionOperator] {
  return [
    name,
    { least: 1, most: 1, apply: ([value]) => (isNullish(value) ? null : apply(numeric(name, value, 28765))) },
  ];
}

function ofDouble(
  name: string,
  apply: (value: number) => number,
  refuses?: (value: number) => DatabaseError | undefined,
) {
  return ofNumber(name, (value) => {
    const error = refuses?.(toNumber(value));
    if (error !== undefined) {
      throw error;
    }
    const result = apply(toNumber(value));
    return value instanceof Decimal128 ? Decimal128.fromString(String(result)) : new Double(result);
  });
}

function rounding(name: string, round: (value: number) => number): [string, ExpressionOperator] {
  return ofNumber(name, (value) => {
    if (value instanceof Decimal128) {
      return Decimal128.fromString(String(round(toNumber(value))));
    }
    return value instanceof Double ? new Double(round(value.value)) : value;
  });
}

/** Half to even, at `place` digits after the point (negative: before it). */
function roundTo(value: NumberValue, place: number, truncate: boolean): NumberValue {
  if (!Number.isFinite(toNumber(value)) || (!(value instanceof Double || value instanceof Decimal128) && place >= 0)) {
    return value;
  }
  const [digits = "0", exponent = "0"] = value.toString().toUpperCase().split("E");
  const [whole = "0", fraction = ""] = digits.split(".");
  const dropped = fraction.length - Number(exponent) - place;
  let coefficient = BigInt(whole + fraction);
  if (dropped > 0) {
    const unit = 10n ** BigInt(dropped);
    const rest = coefficient % unit;
    coefficient = (coefficient - rest) / unit;
    const twice = (rest < 0n ? -rest : rest) * 2n;
    if (!truncate && (twice > unit || (twice === unit && coefficient % 2n !== 0n))) {
      coefficient += rest < 0n ? -1n : 1n;
    }
  } else {
    return value;
  }
  const text = `${coefficient}E${-place}`;
  if (value instanceof Decimal128) {
    return Decimal128.fromString(text);
  }
  return value instanceof Double
    ? new Double(Number(text) || (toNumber(value) < 0 ? -0 : 0))
    : integer(BigInt(Number(text)));
}

const roundOperator = (name: string, truncate: boolean): [string, ExpressionOperator] => [
  name,
  {
    least: 1,
    most: 2,
    apply: ([value, place = new Int32(0)]) => {
      if (isNullish(value) || place === null) {
        return null;
      }
      const digits = toInteger(place);
      if (digits === undefined || digits < -20 || digits > 100) {
        throw new DatabaseError(
          51083,
          `cannot apply ${name} with precision value ${String(place)} value must be in [-20, 100]`,
        );
      }
      return roundTo(numeric(name, value, 51081), digits, truncate);
    },
  },
];

function sum(values: unknown[]): unknown {
  let total: NumberValue = new Int32(0);
  let date: Date | undefined;
  for (const value of values) {
    if (isNullish(value)) {
      return null;
    }
    if (value instanceof Date) {
      if (date !== undefined) {
        throw new DatabaseError(16612, "only one date allowed in an $add expression");
      }
      date = value;
    } else {
      total = add(total, numeric("$add", value, 14));
    }
  }
  return date === undefined ? total : new Date(date.getTime() + Math.round(toNumber(total)));
}

function difference([a, b]: unknown[]): unknown {
  if (isNullish(a) || isNullish(b)) {
    return null;
  }
  if (a instanceof Date) {
    return b instanceof Date
      ? Long.fromNumber(a.getTime() - b.getTime())
      : new Date(a.getTime() - Math.round(toNumber(numeric("$subtract", b, 14))));
  }
  return subtract(numeric("$subtract", a, 14), numeric("$subtract", b, 14));
}

function quotient([a, b]: unknown[]): unknown {
  if (isNullish(a) || isNullish(b)) {
    return null;
  }
  const [left, right] = [numeric("$divide", a, 14), numeric("$divide", b, 14)];
  if (toNumber(right) === 0) {
    throw new DatabaseError(2, "can't $divide by zero");
  }
  return divide(left, right);
}

function remainder([a, b]: unknown[]): unknown {
  if (isNullish(a) || isNullish(b)) {
    return null;
  }
  const [left, right] = [numeric("$mod", a, 16611), numeric("$mod", b, 16611)];
  if (toNumber(right) === 0) {
    throw new DatabaseError(16610, "can't $mod by zero");
  }
  if (left instanceof Double || right instanceof Double || left instanceof Decimal128 || right instanceof Decimal128) {
    const result = toNumber(left) % toNumber(right);
    return left instanceof Decimal128 || right instanceof Decimal128
      ? Decimal128.fromString(String(result))
      : new Double(result);
  }
  const result = BigInt(left.toString()) % BigInt(right.toString());
  return left instanceof Long || right instanceof Long ? Long.fromBigInt(result) : integer(result);
}

function power([a, b]: unknown[]): unknown {
  if (isNullish(a) || isNullish(b)) {
    return null;
  }
  const [base, exponent] = [numeric("$pow", a, 28762), numeric("$pow", b, 28763)];
  if (toNumber(base) === 0 && toNumber(exponent) < 0) {
    throw new DatabaseError(28764, "$pow cannot take a base of 0 and a negative exponent");
  }
  const result = toNumber(base) ** toNumber(exponent);
  const whole = !(base instanceof Double || exponent instanceof Double) && Number.isSafeInteger(result);
  return whole
    ? base instanceof Long || exponent instanceof Long
      ? Long.fromNumber(result)
      : integer(result)
    : new Double(result);
}

function array(name: string, value: unknown, code: number): unknown[] {
  if (!Array.isArray(value)) {
    throw new DatabaseError(code, `${name} needs an array, not ${kindOf(value)}`);
  }
  return value;
}

/** An array operator that gives null for null. */
function ofArray(name: string, code: number, apply: (values: unknown[], ...rest: unknown[]) => unknown, most = 1) {
  const entry: ExpressionOperator = {
    least: 1,
    most,
    apply: ([value, ...rest]) => (isNullish(value) ? null : apply(array(name, value, code), ...rest)),
  };
  return [name, entry] as [string, ExpressionOperator];
}

function index(name: string, value: unknown, code: number): number {
  const place = toInteger(value);
  if (place === undefined) {
    throw new DatabaseError(code, `${name} needs an integer, not ${String(value)}`);
  }
  return place;
}

function slice(values: unknown[], ...[position, count]: unknown[]): unknown {
  if (isNullish(position) || count === null) {
    return null;
  }
  const first = index("$slice", position, 28725);
  if (count === undefined) {
    return first >= 0 ? values.slice(0, first) : values.slice(first);
  }
  const most = index("$slice", count, 28727);
  if (most <= 0) {
    throw new DatabaseError(28729, "Third argument to $slice must be positive");
  }
  const start = first >= 0 ? first : Math.max(0, values.length + first);
  return values.slice(start, start + most);
}

function range([start, end, step]: unknown[]): unknown {
  const [from, to, by] = [
    index("$range", start, 34443),
    index("$range", end, 34444),
    step === undefined ? 1 : index("$range", step, 34446),
  ];
  if (by === 0) {
    throw new DatabaseError(34449, "$range requires a non-zero step value");
  }
  const count = Math.max(0, Math.ceil((to - from) / by));
  return Array.from({ length: count }, (_, at) => integer(from + at * by));
}

function toObject(values: unknown[]): Document {
  const result: Document = {};
  for (const value of values) {
    const [key, field] = Array.isArray(value) ? value : isDocument(value) ? [value.k, value.v] : [];
    if (typeof key !== "string") {
      throw new DatabaseError(40386, "$arrayToObject requires an array of key-value pairs with string keys");
    }
    setField(result, key, field);
  }
  return result;
}

const contains = (values: readonly unknown[], wanted: unknown) => values.some((value) => ordered(value, wanted) === 0);

function sets(
  name: string,
  code: number,
  apply: (sets: unknown[][]) => unknown,
  least = 2,
  most = 2,
): [string, ExpressionOperator] {
  return [name, { least, most, apply: (values) => apply(values.map((value) => array(name, value, code))) }];
}

/** The operands as arrays; undefined when a null or missing one comes before any that is no array. */
function untilNull(name: string, values: unknown[], code: number): unknown[][] | undefined {
  const parts: unknown[][] = [];
  for (const value of values) {
    if (isNullish(value)) {
      return undefined;
    }
    parts.push(array(name, value, code));
  }
  return parts;
}

/** Set operators that give null when an operand is null, and a sorted set otherwise. */
function setOf(
  name: string,
  code: number,
  apply: (sets: unknown[][]) => unknown[],
  least = 0,
  most = MANY,
): [string, ExpressionOperator] {
  const run = (values: unknown[]) => {
    const parts = untilNull(name, values, code);
    return parts && distinctValues(apply(parts)).sort(compare);
  };
  return [name, { least, most, apply: (values) => run(values) ?? null }];
}

function accumulate(name: string): [string, ExpressionOperator] {
  const apply = (values: unknown[]) => {
    const accumulator = ACCUMULATORS.get(name)?.();
    for (const value of values) {
      accumulator?.add(value);
    }
    return accumulator?.result();
  };
  return [name, { least: 0, most: MANY, spreads: true, apply }];
}

function comparison(name: string, holds: (difference: number) => unknown): [string, ExpressionOperator] {
  return [name, { least: 2, most: 2, apply: ([a, b]) => holds(ordered(a, b)) }];
}

function datePart(name: string, part: (local: Date) => number): [string, ExpressionOperator] {
  const apply = ([operand]: unknown[]) => {
    const { date, timezone = "UTC" } = isDocument(operand) ? operand : { date: operand };
    if (isNullish(date) || timezone === null) {
      return null;
    }
    return new Int32(part(toLocal(convertDate(name, date), String(timezone))));
  };
  return [name, { least: 1, most: 1, apply }];
}

function convertDate(name: string, value: unknown): Date {
  if (value instanceof Date || kindOf(value) === "objectId") {
    return convert(value, "date") as Date;
  }
  throw new DatabaseError(16006, `can't convert from BSON type ${kindOf(value)} to Date for ${name}`);
}

function conversion(name: string, to: Parameters<typeof convert>[1]): [string, ExpressionOperator] {
  return [name, { least: 1, most: 1, apply: ([value]) => convert(value, to) }];
}

function text(name: string, change: (value: string) => string): [string, ExpressionOperator] {
  const apply = ([value]: unknown[]) => {
    if (isNullish(value)) {
      return "";
    }
    if (!["string", "int", "long", "double", "decimal", "date"].includes(kindOf(value))) {
      throw new DatabaseError(16007, `can't convert from BSON type ${kindOf(value)} to String`);
    }
    return change(String(convert(value, "string")));
  };
  return [name, { least: 1, most: 1, apply }];
}

/** The operators whose operands are all evaluated first; values may be `undefined` for missing. */
export const OPERATORS: ReadonlyMap<string, ExpressionOperator> = new Map<string, ExpressionOperator>([
  comparison("$cmp", (difference) => new Int32(Math.sign(difference))),
  comparison("$eq", (difference) => difference === 0),
  comparison("$ne", (difference) => difference !== 0),
  comparison("$gt", (difference) => difference > 0),
  comparison("$gte", (difference) => difference >= 0),
  comparison("$lt", (difference) => difference < 0),
  comparison("$lte", (difference) => difference <= 0),
  ["$not", { least: 1, most: 1, apply: ([value]) => !isTruthy(value) }],
  ["$add", { least: 0, most: MANY, apply: sum }],
  ["$subtract", { least: 2, most: 2, apply: difference }],
  [
    "$multiply",
    {
      least: 0,
      most: MANY,
      apply: (values) =>
        values.some(isNullish)
          ? null
          : values.reduce<NumberValue>(
              (product, value) => multiply(product, numeric("$multiply", value, 14)),
              new Int32(1),
            ),
    },
  ],
  ["$divide", { least: 2, most: 2, apply: quotient }],
  ["$mod", { least: 2, most: 2, apply: remainder }],
  ["$pow", { least: 2, most: 2, apply: power }],
  ofNumber("$abs", (value) => (compare(value, new Int32(0)) < 0 ? subtract(new Int32(0), value) : value)),
  rounding("$ceil", Math.ceil),
  rounding("$floor", Math.floor),
  roundOperator("$round", false),
  roundOperator("$trunc", true),
  ofDouble("$sqrt", Math.sqrt, (value) =>
    value < 0 ? new DatabaseError(28714, "$sqrt's argument must be >= 0") : undefined,
  ),
  ofDouble("$exp", Math.exp),
  ofDouble("$ln", Math.log, (value) =>
    value <= 0 ? new DatabaseError(28766, "$ln's argument must be positive") : undefined,
  ),
  ofDouble("$log10", Math.log10, (value) =>
    value <= 0 ? new DatabaseError(28761, "$log10's argument must be positive") : undefined,
  ),
  accumulate("$sum"),
  accumulate("$avg"),
  accumulate("$min"),
  accumulate("$max"),
  accumulate("$stdDevPop"),
  accumulate("$stdDevSamp"),
  accumulate("$mergeObjects"),
  [
    "$arrayElemAt",
    {
      least: 2,
      most: 2,
      apply: ([values, at]) =>
        isNullish(values) || isNullish(at)
          ? null
          : array("$arrayElemAt", values, 28689).at(index("$arrayElemAt", at, 28690)),
    },
  ],
  ofArray("$first", 28689, (values) => values[0]),
  ofArray("$last", 28689, (values) => values.at(-1)),
  ofArray("$reverseArray", 34435, (values) => [...values].reverse()),
  ofArray("$slice", 28724, slice, 3),
  ofArray("$arrayToObject", 40386, toObject),
  ["$isArray", { least: 1, most: 1, apply: ([value]) => Array.isArray(value) }],
  ["$isNumber", { least: 1, most: 1, apply: ([value]) => isNumber(value) }],
  ["$size", { least: 1, most: 1, apply: ([value]) => new Int32(array("The argument to $size", value, 17124).length) }],
  ["$range", { least: 2, most: 3, apply: range }],
  ["$in", { least: 2, most: 2, apply: ([wanted, values]) => contains(array("$in", values, 40081), wanted) }],
  [
    "$concatArrays",
    {
      least: 0,
      most: MANY,
      apply: (values) => untilNull("$concatArrays", values, 28664)?.flat() ?? null,
    },
  ],
  ofArray(
    "$indexOfArray",
    40090,
    (values, wanted, start, end) => {
      const [from, to] = [
        start === undefined ? 0 : index("$indexOfArray", start, 40096),
        end === undefined ? MANY : index("$indexOfArray", end, 40096),
      ];
      return new Int32(values.findIndex((value, at) => at >= from && at < to && ordered(value, wanted) === 0));
    },
    4,
  ),
  [
    "$objectToArray",
    {
      least: 1,
      most: 1,
      apply: ([value]) => {
        if (!isNullish(value) && !isDocument(value)) {
          throw new DatabaseError(40390, `$objectToArray requires a document input, found: ${kindOf(value)}`);
        }
        return isDocument(value) ? fieldsOf(value).map(([k, v]) => ({ k, v })) : null;
      },
    },
  ],
  [
    "$zip",
    {
      least: 1,
      most: 1,
      apply: ([operand]) => {
        const { inputs, useLongestLength, defaults } = operand as Document;
        if (isNullish(inputs) || array("$zip", inputs, 34461).some(isNullish)) {
          return null;
        }
        const lists = array("$zip", inputs, 34461).map((input) => array("$zip", input, 34468));
        const lengths = lists.map((list) => list.length);
        const length = useLongestLength === true ? Math.max(...lengths) : Math.min(...lengths);
        const fallback = Array.isArray(defaults) ? defaults : [];
        return Array.from({ length }, (_, at) =>
          lists.map((list, place) => (at < list.length ? list[at] : fallback[place]) ?? null),
        );
      },
    },
  ],
  [
    "$sortArray",
    {
      least: 2,
      most: 2,
      apply: ([values, sortBy]) => {
        if (isNullish(values)) {
          return null;
        }
        const list = [...array("$sortArray", values, 2942504)];
        if (isDocument(sortBy)) {
          const by = compileSort(sortBy);
          return list.sort(by.compareElements);
        }
        return list.sort((a, b) => compare(a, b) * index("$sortArray", sortBy, 2942507));
      },
    },
  ],
  ...["$firstN", "$lastN", "$minN", "$maxN"].map((name): [string, ExpressionOperator] => [
    name,
    {
      least: 1,
      most: 1,
      apply: ([operand]) => pickN(name, (operand as Document).n, array(name, (operand as Document).input, 5788200)),
    },
  ]),
  setOf("$setUnion", 17043, (parts) => parts.flat()),
  setOf("$setIntersection", 17047, ([head = [], ...rest]) =>
    head.filter((value) => rest.every((part) => contains(part, value))),
  ),
  [
    "$setDifference",
    {
      least: 2,
      most: 2,
      apply: ([a, b]) =>
        isNullish(a) || isNullish(b)
          ? null
          : distinctValues(
              array("$setDifference", a, 17048).filter((value) => !contains(array("$setDifference", b, 17049), value)),
            ),
    },
  ],
  sets(
    "$setEquals",
    17044,
    ([head = [], ...rest]) =>
      rest.every(
        (part) => part.every((value) => contains(head, value)) && head.every((value) => contains(part, value)),
      ),
    2,
    MANY,
  ),
  sets("$setIsSubset", 17046, ([part = [], whole = []]) => part.every((value) => contains(whole, value))),
  sets("$allElementsTrue", 17040, ([values = []]) => values.every(isTruthy), 1, 1),
  sets("$anyElementTrue", 17041, ([values = []]) => values.some(isTruthy), 1, 1),
  [
    "$concat",
    {
      least: 0,
      most: MANY,
      apply: (values) => {
        const wrong = values.find((value) => !isNullish(value) && typeof value !== "string");
        if (wrong !== undefined && !values.slice(0, values.indexOf(wrong)).some(isNullish)) {
          throw new DatabaseError(16702, `$concat only supports strings, not ${kindOf(wrong)}`);
        }
        return values.some(isNullish) ? null : values.join("");
      },
    },
  ],
  [
    "$indexOfCP",
    {
      least: 2,
      most: 4,
      apply: ([whole, part, ...bounds]) => {
        if (isNullish(whole)) {
          return null;
        }
        if (typeof whole !== "string" || typeof part !== "string") {
          throw new DatabaseError(typeof whole === "string" ? 40094 : 40093, "$indexOfCP requires two strings");
        }
        const points = [...whole];
        const [from = 0, to = points.length] = bounds.map((bound) => index("$indexOfCP", bound, 40096));
        const searched = points.slice(0, to).join("");
        const at = searched.indexOf(part, points.slice(0, from).join("").length);
        return new Int32(at < 0 || from > to ? -1 : [...searched.slice(0, at)].length);
      },
    },
  ],
  text("$toLower", (value) => value.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  text("$toUpper", (value) => value.replace(/[a-z]+/g, (part) => part.toUpperCase())),
  ["$type", { least: 1, most: 1, apply: ([value]) => (value === undefined ? "missing" : kindOf(value)) }],
  conversion("$toString", "string"),
  conversion("$toInt", "int"),
  conversion("$toLong", "long"),
  conversion("$toDouble", "double"),
  conversion("$toDecimal", "decimal"),
  conversion("$toBool", "bool"),
  conversion("$toDate", "date"),
  conversion("$toObjectId", "objectId"),
  [
    "$convert",
    {
      least: 1,
      most: 1,
      apply: ([operand]) => {
        const { input, to, onError, onNull = null } = operand as Document;
        if (isNullish(input) || isNullish(to)) {
          return isNullish(input) ? onNull : null;
        }
        const target = conversionTarget(isDocument(to) ? to.type : to);
        try {
          return convert(input, target);
        } catch (error) {
          if (Object.hasOwn(operand as Document, "onError")) {
            return onError;
          }
          throw error;
        }
      },
    },
  ],
  datePart("$year", (local) => local.getUTCFullYear()),
  datePart("$month", (local) => local.getUTCMonth() + 1),
  datePart("$dayOfMonth", (local) => local.getUTCDate()),
  datePart("$dayOfWeek", (local) => local.getUTCDay() + 1),
  datePart("$isoDayOfWeek", (local) => local.getUTCDay() || 7),
  datePart("$hour", (local) => local.getUTCHours()),
  datePart("$minute", (local) => local.getUTCMinutes()),
  datePart("$second", (local) => local.getUTCSeconds()),
  datePart("$millisecond", (local) => local.getUTCMilliseconds()),
  [
    "$dateTrunc",
    {
      least: 1,
      most: 1,
      apply: ([operand]) => {
        const { date, unit, binSize, timezone = "UTC", startOfWeek = "sunday" } = operand as Document;
        if ([date, unit, timezone, startOfWeek].some(isNullish) || binSize === null) {
          return null;
        }
        return truncateDate(
          convertDate("$dateTrunc", date),
          String(unit),
          binSize,
          String(timezone),
          String(startOfWeek),
        );
      },
    },
  ],
]);
