import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  deserialize,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
  UUID,
} from "bson";
import { DatabaseError } from "./errors.js";

/**
 * A BSON document in memory. Numbers stay in their wire classes (Int32, Double, Long, Decimal128), so that nothing loses its
 * type; `undefined` always means "no such field".
 */
export type Document = { [field: string]: unknown };

export type NumberValue = Int32 | Double | Long | Decimal128;

/** What an empty array is in a sort or index key; it comes just before null. */
class EmptyArray {}
export const EMPTY_ARRAY = new EmptyArray();

/** The aliases of `$type`, and two of this server's own: `undefined` is a missing value, `emptyArray` only occurs in keys. */
export type Kind =
  | "double"
  | "string"
  | "object"
  | "array"
  | "binData"
  | "undefined"
  | "emptyArray"
  | "objectId"
  | "bool"
  | "date"
  | "null"
  | "regex"
  | "javascript"
  | "symbol"
  | "int"
  | "timestamp"
  | "long"
  | "decimal"
  | "minKey"
  | "maxKey";

const KIND_OF_PROTOTYPE = new Map<unknown, Kind>([
  [Object.prototype, "object"],
  [DBRef.prototype, "object"],
  [Array.prototype, "array"],
  [EmptyArray.prototype, "emptyArray"],
  [Int32.prototype, "int"],
  [Double.prototype, "double"],
  [Long.prototype, "long"],
  [Decimal128.prototype, "decimal"],
  [ObjectId.prototype, "objectId"],
  [Date.prototype, "date"],
  [Binary.prototype, "binData"],
  [UUID.prototype, "binData"],
  [Timestamp.prototype, "timestamp"],
  [BSONRegExp.prototype, "regex"],
  [Code.prototype, "javascript"],
  [BSONSymbol.prototype, "symbol"],
  [MinKey.prototype, "minKey"],
  [MaxKey.prototype, "maxKey"],
]);

/** Told by prototype, never by a field: a stored document may have a field named `_bsontype` or `constructor`. */
export function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "undefined":
      return "undefined";
    case "number":
      return "double";
    default:
      return value === null ? "null" : (KIND_OF_PROTOTYPE.get(Object.getPrototypeOf(value)) ?? "object");
  }
}

export function isDocument(value: unknown): value is Document {
  return typeof value === "object" && value !== null && kindOf(value) === "object";
}

export function isNumber(value: unknown): value is NumberValue {
  const kind = kindOf(value);
  return kind === "int" || kind === "double" || kind === "long" || kind === "decimal";
}

export function isNullish(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** The fields of a document in order; a DBRef shows the fields it is written with. */
export function fieldsOf(document: Document): [string, unknown][] {
  if (document instanceof DBRef) {
    const { oid, collection, db, fields } = document;
    return [
      ["$ref", collection],
      ["$id", oid],
      ...(db ? [["$db", db] as [string, unknown]] : []),
      ...Object.entries(fields),
    ];
  }
  return Object.entries(document);
}

export function getField(document: Document, name: string): unknown {
  return Object.hasOwn(document, name) ? document[name] : undefined;
}

/** Own property always, `__proto__` included. */
export function setField(document: Document, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(document, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    document[name] = value;
  }
}

/** Copies documents and arrays, shares the immutable leaves. */
export function clone(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(clone);
  }
  if (!isDocument(value)) {
    return value;
  }
  const copy: Document = {};
  for (const [name, field] of fieldsOf(value)) {
    setField(copy, name, clone(field));
  }
  return copy;
}

export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 180;

/** @throws BSONError on malformed bytes. */
export function decode(bytes: Uint8Array): Document {
  return deserialize(bytes, { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true });
}

const tooLarge = (size: string) =>
  new DatabaseError(10334, `BSONObj size: ${size} is invalid. Size must be between 0 and 16793600(16MB)`);

/** @throws DatabaseError 10334 above 16 MiB, 2 for what BSON cannot hold. */
export function encode(document: Document): Buffer {
  let bytes: Uint8Array;
  try {
    bytes = serialize(document, { ignoreUndefined: true });
  } catch (error) {
    // The serializer's own buffer ends a little above the limit.
    throw error instanceof RangeError ? tooLarge("more than 17 MB") : new DatabaseError(2, String(error));
  }
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw tooLarge(String(bytes.length));
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** @throws DatabaseError 15 when documents and arrays are nested deeper than MongoDB takes. */
export function checkDepth(value: unknown, depth = 0): void {
  if (depth > MAX_DEPTH) {
    throw new DatabaseError(15, "cannot have more than 180 levels of nesting");
  }
  if (Array.isArray(value)) {
    for (const element of value) {
      checkDepth(element, depth + 1);
    }
  } else if (isDocument(value)) {
    for (const [, field] of fieldsOf(value)) {
      checkDepth(field, depth + 1);
    }
  }
}
