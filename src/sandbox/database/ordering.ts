import { Binary, type BSONRegExp, type Code, type Long, ObjectId } from "bson";
import { compareNumbers } from "./numbers.js";
import { type Document, fieldsOf, type Kind, kindOf, type NumberValue } from "./values.js";

/** The order of BSON types among each other; kinds with the same rank compare by value. Also the first byte of a key. */
const RANKS: Readonly<Record<Kind, number>> = {
  minKey: 0x10,
  emptyArray: 0x14,
  undefined: 0x18,
  null: 0x18,
  int: 0x20,
  double: 0x20,
  long: 0x20,
  decimal: 0x20,
  symbol: 0x30,
  string: 0x30,
  object: 0x40,
  array: 0x50,
  binData: 0x60,
  objectId: 0x70,
  bool: 0x80,
  date: 0x90,
  timestamp: 0xa0,
  regex: 0xb0,
  javascript: 0xc0,
  maxKey: 0xf0,
};

export function rankOf(value: unknown): number {
  return RANKS[kindOf(value)];
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;

/** UTF-8 byte order, which differs from UTF-16 order where surrogate pairs meet U+E000 to U+FFFF. */
export function compareStrings(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) {
      return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
    }
  }
  return a.length - b.length;
}

export function bytesOf(value: unknown): Uint8Array {
  return value instanceof ObjectId
    ? value.id
    : value instanceof Binary
      ? value.buffer.subarray(0, value.position)
      : new Uint8Array();
}

/** Total order of BSON values; a missing value (`undefined`) equals null. Embedded documents compare field by field, in order. */
export function compare(a: unknown, b: unknown): number {
  const rank = rankOf(a);
  const difference = rank - rankOf(b);
  return difference === 0 ? compareSameRank(rank, a, b) : difference;
}

export function equal(a: unknown, b: unknown): boolean {
  return compare(a, b) === 0;
}

function compareSameRank(rank: number, a: unknown, b: unknown): number {
  switch (rank) {
    case RANKS.int:
      return compareNumbers(a as NumberValue, b as NumberValue);
    case RANKS.string:
      return compareStrings(String(a), String(b));
    case RANKS.object:
      return compareDocuments(a as Document, b as Document);
    case RANKS.array:
      return compareArrays(a as unknown[], b as unknown[]);
    case RANKS.binData: {
      const [x, y] = [a as Binary, b as Binary];
      return x.position - y.position || x.sub_type - y.sub_type || Buffer.compare(bytesOf(x), bytesOf(y));
    }
    case RANKS.objectId:
      return Buffer.compare(bytesOf(a), bytesOf(b));
    case RANKS.bool:
      return Number(a) - Number(b);
    case RANKS.date:
      return (a as Date).getTime() - (b as Date).getTime();
    case RANKS.timestamp:
      return (a as Long).compare(b as Long);
    case RANKS.regex: {
      const [x, y] = [a as BSONRegExp, b as BSONRegExp];
      return compareStrings(x.pattern, y.pattern) || compareStrings(x.options, y.options);
    }
    case RANKS.javascript: {
      const [x, y] = [a as Code, b as Code];
      return compareStrings(x.code, y.code) || compare(x.scope ?? undefined, y.scope ?? undefined);
    }
    default:
      return 0;
  }
}

function compareDocuments(a: Document, b: Document): number {
  const [left, right] = [fieldsOf(a), fieldsOf(b)];
  for (const [at, [name, value]] of left.entries()) {
    const other = right[at];
    if (other === undefined) {
      return 1;
    }
    const difference = rankOf(value) - rankOf(other[1]) || compareStrings(name, other[0]) || compare(value, other[1]);
    if (difference !== 0) {
      return difference;
    }
  }
  return left.length - right.length;
}

function compareArrays(a: readonly unknown[], b: readonly unknown[]): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = compare(a[at], b[at]);
    if (difference !== 0) {
      return difference;
    }
  }
  return a.length - b.length;
}
