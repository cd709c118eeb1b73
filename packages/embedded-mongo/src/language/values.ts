import * as bson from "bson";
import { Binary, Decimal128, Double, deserialize, Int32, Long, ObjectId, serialize } from "bson";
import { check, DatabaseError, notSupported } from "../errors.js";

/**
 * A BSON document in memory. Numbers keep their BSON classes (Int32, Double, Long, Decimal128). `undefined` always
 * means a missing field.
 */
export type Document = { [field: string]: unknown };

export type NumberValue = Int32 | Double | Long | Decimal128;

/** Stands for an empty array in a sort or index key. It sorts before null. */
class EmptyArray {}
export const EMPTY_ARRAY = new EmptyArray();

/** The aliases of `$type` and two more: `undefined` is a missing value, and `emptyArray` occurs only in keys. */
export type Kind = keyof typeof TYPES;

/**
 * For each type: the rank (equal ranks compare by value; it is the first byte of a key), the `$type` number, the
 * classes.
 */
const TYPES = {
  minKey: [0x10, -1, bson.MinKey],
  emptyArray: [0x14, undefined, EmptyArray],
  undefined: [0x18, undefined],
  null: [0x18, 10],
  int: [0x20, 16, Int32],
  double: [0x20, 1, Double],
  long: [0x20, 18, Long],
  decimal: [0x20, 19, Decimal128],
  symbol: [0x30, 14, bson.BSONSymbol],
  string: [0x30, 2],
  object: [0x40, 3, Object],
  array: [0x50, 4, Array],
  binData: [0x60, 5, Binary, bson.UUID],
  objectId: [0x70, 7, ObjectId],
  bool: [0x80, 8],
  date: [0x90, 9, Date],
  timestamp: [0xa0, 17, bson.Timestamp],
  regex: [0xb0, 11, bson.BSONRegExp],
  javascript: [0xc0, 13, bson.Code],
  maxKey: [0xf0, 127, bson.MaxKey],
} as const;

const KINDS = Object.keys(TYPES) as Kind[];
const KIND_OF_PROTOTYPE = new Map<unknown, Kind>(
  KINDS.flatMap((kind) => TYPES[kind].slice(2).map((type): [unknown, Kind] => [Object(type).prototype, kind])),
);
const PRIMITIVES: Readonly<Record<string, Kind>> = { string: "string", boolean: "bool", undefined: "undefined" };

/**
 * Finds the type by prototype, because a field can be named `_bsontype` or `constructor`. @throws DatabaseError 115 for
 * a DBRef and a date beyond JavaScript's.
 */
export function kindOf(value: unknown): Kind {
  if (value === null) return "null";
  const kind = PRIMITIVES[typeof value] ?? KIND_OF_PROTOTYPE.get(Object.getPrototypeOf(value));
  if (kind === undefined) throw notSupported("a DBRef");
  if (kind === "date" && Number.isNaN(Number(value))) throw notSupported("a date beyond the year 275760");
  return kind;
}

/** Finds the type of a `$type` alias or number. */
export function kindNamed(name: unknown): Kind | undefined {
  const number = isNumber(name) ? Number(name) : undefined;
  return KINDS.find((kind) => TYPES[kind][1] !== undefined && (kind === name || TYPES[kind][1] === number));
}

export const rankOf = (value: unknown): number => TYPES[kindOf(value)][0];
export const isNumber = (value: unknown): value is NumberValue => rankOf(value) === TYPES.int[0];
export const isNullish = (value: unknown): value is null | undefined => value === null || value === undefined;
export const isDocument = (value: unknown): value is Document =>
  typeof value === "object" && value !== null && kindOf(value) === "object";

/** True when the first field begins with `$`, so that the object holds operators. */
export const isOperatorObject = (value: unknown): value is Document =>
  isDocument(value) && Object.keys(value)[0]?.startsWith("$") === true;

/** Lists the fields of a document in order. */
export const fieldsOf = (document: Document): [string, unknown][] => Object.entries(document);

export const getField = (document: Document, name: string): unknown =>
  Object.hasOwn(document, name) ? document[name] : undefined;

/** Builds a document of these fields without the missing ones. */
export const documentOf = (fields: Iterable<readonly [string, unknown]>): Document =>
  Object.fromEntries([...fields].filter(([, value]) => value !== undefined));

let lastTimestamp = 0n;

/** Replaces each empty timestamp in a top-level field, except in `_id`, by a timestamp above all earlier ones. */
export function fillTimestamps(document: Document): Document {
  const isEmpty = ([name, value]: [string, unknown]) =>
    name !== "_id" && value instanceof bson.Timestamp && value.isZero();
  if (!fieldsOf(document).some(isEmpty)) return document;
  const next = () => {
    const now = (BigInt(Math.floor(Date.now() / 1000)) << 32n) + 1n;
    lastTimestamp = now > lastTimestamp ? now : lastTimestamp + 1n;
    return new bson.Timestamp(lastTimestamp);
  };
  return documentOf(fieldsOf(document).map((field) => [field[0], isEmpty(field) ? next() : field[1]] as const));
}

export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 180;

/** Decodes a document. @throws BSONError on malformed bytes. */
export function decode(bytes: Uint8Array): Document {
  return deserialize(bytes, { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true });
}

/** Encodes a document. @throws DatabaseError 10334 above 16 MiB plus `more`, 2 for a value that BSON cannot hold. */
export function encode(document: Document, more = 0): Buffer {
  try {
    const bytes = serialize(document, { ignoreUndefined: true });
    if (bytes.length <= MAX_DOCUMENT_BYTES + more) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (error) {
    // The serializer's buffer ends slightly above the limit.
    if (!(error instanceof RangeError)) throw new DatabaseError(2, String(error));
  }
  throw new DatabaseError(10334, "BSONObj size is invalid. Size must be between 0 and 16793600(16MB)");
}

/** Checks the nesting. @throws DatabaseError 15 when documents and arrays are nested too deeply. */
export function checkDepth(value: unknown, depth = 0): void {
  check(depth <= MAX_DEPTH, 15, "cannot have more than 180 levels of nesting");
  const children = Array.isArray(value) ? value : isDocument(value) ? Object.values(value) : [];
  for (const child of children) checkDepth(child, depth + 1);
}
