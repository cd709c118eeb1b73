import { Binary, BSONRegExp, BSONSymbol, Code, ObjectId, Timestamp } from "bson";
import { check } from "../errors.js";
import { encodeNumber } from "../language/numbers.js";
import { isArrayIndex, type Path } from "../language/paths.js";
import { type Document, EMPTY_ARRAY, fieldsOf, getField, isDocument, isNumber, rankOf } from "../language/values.js";

/** LMDB takes keys of 1,978 bytes. The rest is for the store number and for a record number or `BEHIND`. */
export const MAX_KEY_BYTES = 1900;
const END = Buffer.of(0);
/** Sorts after every key that begins with the bytes before it. */
export const BEHIND = Buffer.alloc(40, 0xff);

/** Ends text with a zero byte. The inner bytes 0 and 1 become 1, 1 and 1, 2, so that they sort behind the end. */
function terminate(text: string): Buffer {
  const escaped = Buffer.from(text).toString("latin1").replaceAll("\x01", "\x01\x02").replaceAll("\0", "\x01\x01");
  return Buffer.from(`${escaped}\0`, "latin1");
}

function unsigned64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value));
  return bytes;
}

function bodyOf(value: unknown): Uint8Array {
  if (isNumber(value)) return encodeNumber(value);
  if (typeof value === "string" || value instanceof BSONSymbol) return terminate(String(value));
  if (typeof value === "boolean") return Buffer.of(Number(value));
  if (value instanceof ObjectId) return value.id;
  if (value instanceof Date) return unsigned64(BigInt(value.getTime()) + (1n << 63n));
  if (value instanceof Timestamp) return unsigned64(value.toBigInt());
  if (value instanceof BSONRegExp) return Buffer.concat([terminate(value.pattern), terminate(value.options)]);
  if (value instanceof Code) return Buffer.concat([terminate(value.code), encodeKey(value.scope ?? undefined)]);
  if (Array.isArray(value)) return Buffer.concat([...value.map(encodeKey), END]);
  if (value instanceof Binary) {
    const head = Buffer.alloc(5, value.sub_type);
    head.writeUInt32BE(value.position);
    return Buffer.concat([head, value.buffer.subarray(0, value.position)]);
  }
  if (!isDocument(value)) return Buffer.alloc(0);
  const parts = fieldsOf(value).flatMap(([name, of]) => [Buffer.of(rankOf(of)), terminate(name), encodeKey(of)]);
  return Buffer.concat([...parts, END]);
}

/**
 * Encodes values so that bytes sort in BSON order and equal values have equal bytes. No encoding is a prefix of
 * another.
 */
export function encodeKey(value: unknown): Buffer {
  return Buffer.concat([Buffer.of(rankOf(value)), bodyOf(value)]);
}

/** Inverts the bytes, for descending index fields. */
export function invert(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => ~byte));
}

/** A field while its path is followed. Without `rest` it is complete; otherwise `value` is an array to expand. */
interface Slot {
  value: unknown;
  rest?: Path;
}

/**
 * Returns the distinct keys of a document in an index or a sort. An array gives one key per element; fields of one
 * array are expanded together. `sparse` leaves out a key without any present field. `multikey` reports an array.
 * `valuesOf` returns the values in a key, one for each field.
 * @throws DatabaseError `parallel` for two different arrays.
 */
export function documentKeys(
  document: Document,
  fields: readonly { path: Path; descending: boolean }[],
  { sparse = false, parallel = 171 } = {},
) {
  let multikey = false;
  const found = new Map<string, { key: Buffer; values: unknown[] }>();
  const expand = (slots: readonly Slot[]): void => {
    const open = slots.filter(({ rest }) => rest !== undefined);
    const array = open[0]?.value;
    if (!Array.isArray(array)) {
      if (sparse && slots.every(({ value }) => value === undefined)) return;
      const values = slots.map(({ value }) => value);
      const parts = values.map(encodeKey);
      const key = Buffer.concat(parts.map((part, at) => (fields[at]?.descending === true ? invert(part) : part)));
      found.set(key.toString("latin1"), { key, values });
      return;
    }
    const shared = open.every(({ value }) => value === array);
    check(shared, parallel, "cannot index or sort by parallel arrays");
    multikey = true;
    for (const element of array.length === 0 ? [EMPTY_ARRAY] : array) {
      expand(slots.map((slot) => (slot.rest === undefined ? slot : intoElement(element, slot.rest))));
    }
  };
  expand(fields.map(({ path }) => descend(document, path)));
  const valuesOf = (key: Buffer) => found.get(key.toString("latin1"))?.values ?? [];
  return { keys: Array.from(found.values(), ({ key }) => key), multikey, valuesOf };
}

/** Follows a path to its end or to the next array. */
function descend(value: unknown, path: Path): Slot {
  const [name, ...rest] = path;
  if (Array.isArray(value)) {
    return name !== undefined && isArrayIndex(name) ? descend(value[Number(name)], rest) : { value, rest: path };
  }
  if (name === undefined) return { value };
  return descend(isDocument(value) ? getField(value, name) : undefined, rest);
}

/** Returns the elements of an array. An array inside an array is a value. */
function intoElement(element: unknown, path: Path): Slot {
  if (path.length === 0) return { value: element };
  return isDocument(element) ? descend(element, path) : { value: undefined };
}
