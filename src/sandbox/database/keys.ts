import { createHash } from "node:crypto";
import type { BSONRegExp, Code, Long } from "bson";
import { DatabaseError } from "./errors.js";
import { encodeNumber } from "./numbers.js";
import { bytesOf, rankOf } from "./ordering.js";
import { type Document, EMPTY_ARRAY, fieldsOf, getField, isDocument, kindOf, type NumberValue } from "./values.js";

/** LMDB takes keys of 1,978 bytes; this leaves room for the store number, a hash and a record number. */
const LONGEST_KEY = 1900;

function terminated(text: string | Uint8Array): Buffer {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  if (!bytes.includes(0)) {
    return Buffer.concat([bytes, Buffer.from([0])]);
  }
  return Buffer.from([...[...bytes].flatMap((byte) => (byte === 0 ? [0, 0xff] : [byte])), 0]);
}

function signed64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value + (1n << 63n)));
  return bytes;
}

function bodyOf(value: unknown): Uint8Array | undefined {
  switch (kindOf(value)) {
    case "int":
    case "double":
    case "long":
    case "decimal":
      return encodeNumber(value as NumberValue);
    case "string":
    case "symbol":
      return terminated(String(value));
    case "objectId":
      return bytesOf(value);
    case "bool":
      return Buffer.from([value === true ? 1 : 0]);
    case "date":
      return signed64(BigInt(Math.trunc((value as Date).getTime())));
    case "timestamp":
      return signed64(BigInt((value as Long).toString()) - (1n << 63n));
    case "binData": {
      const head = Buffer.alloc(5);
      const bytes = bytesOf(value);
      head.writeUInt32BE(bytes.length);
      head[4] = (value as { sub_type: number }).sub_type;
      return Buffer.concat([head, bytes]);
    }
    case "regex":
      return Buffer.concat([terminated((value as BSONRegExp).pattern), terminated((value as BSONRegExp).options)]);
    case "javascript":
      return Buffer.concat([terminated((value as Code).code), encodeKey((value as Code).scope ?? undefined)]);
    case "object": {
      const parts = fieldsOf(value as Document).flatMap(([name, field]) => [
        Buffer.from([rankOf(field)]),
        terminated(name),
        encodeKey(field),
      ]);
      return Buffer.concat([...parts, Buffer.from([0])]);
    }
    case "array":
      return Buffer.concat([...(value as unknown[]).map(encodeKey), Buffer.from([0])]);
    default:
      return undefined;
  }
}

/** Bytes whose order is the BSON order of the values, and equal exactly for equal values. No encoding is a prefix of another. */
export function encodeKey(value: unknown): Buffer {
  const head = Buffer.from([rankOf(value)]);
  const body = bodyOf(value);
  return body === undefined ? head : Buffer.concat([head, body]);
}

/** Reverses the order, for descending index fields. */
export function invert(bytes: Buffer): Buffer {
  const inverted = Buffer.alloc(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    inverted[at] = ~(bytes[at] ?? 0);
  }
  return inverted;
}

/** A stored key: long ones are cut and end with a hash, so they keep equality but lose their order among each other. */
export function storedKey(key: Buffer): { key: Buffer; cut: boolean } {
  if (key.length <= LONGEST_KEY) {
    return { key, cut: false };
  }
  return { key: Buffer.concat([key.subarray(0, LONGEST_KEY), createHash("sha256").update(key).digest()]), cut: true };
}

/** A bound that holds every stored key beginning with `prefix`. */
export function storedBound(prefix: Buffer): Buffer {
  return prefix.length <= LONGEST_KEY ? prefix : prefix.subarray(0, LONGEST_KEY);
}

/** The keys of one document in one index. */
export interface DocumentKeys {
  /** Distinct, each the concatenation of its fields' encodings. */
  keys: Buffer[];
  /** Which fields went through an array. */
  multikey: boolean[];
  /** No field of the index is present at all. */
  absent: boolean;
}

interface Slot {
  value: unknown;
  path: readonly string[];
  done: boolean;
}

/**
 * The index keys of a document: one per array element, arrays taken together only where the fields share the array.
 * @throws DatabaseError 171 for two different arrays.
 */
export function documentKeys(
  document: Document,
  fields: readonly { path: readonly string[]; descending: boolean }[],
): DocumentKeys {
  const multikey = fields.map(() => false);
  const found = new Map<string, Buffer>();
  let absent = true;

  const emit = (slots: readonly Slot[]) => {
    const parts = slots.map(({ value }, at) => {
      const part = encodeKey(value);
      absent &&= value === undefined;
      return fields[at]?.descending === true ? invert(part) : part;
    });
    const key = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    found.set(key.toString("latin1"), key);
  };

  const expand = (slots: readonly Slot[]) => {
    const reached = slots.map((slot) => (slot.done ? slot : descend(slot)));
    const open = reached.filter((slot) => !slot.done);
    const array = open[0]?.value;
    if (!Array.isArray(array)) {
      emit(reached);
      return;
    }
    if (open.some((slot) => slot.value !== array)) {
      throw new DatabaseError(171, "cannot index parallel arrays");
    }
    for (const [at, slot] of reached.entries()) {
      multikey[at] ||= !slot.done;
    }
    const elements = array.length === 0 ? [EMPTY_ARRAY] : array;
    for (const element of elements) {
      expand(reached.map((slot) => (slot.done ? slot : intoElement(slot, element))));
    }
  };

  expand(fields.map(({ path }) => ({ value: document, path, done: false })));
  return { keys: [...found.values()], multikey, absent };
}

/** Follows a path until it ends (`done`) or meets an array that has to be spread. */
function descend(slot: Slot): Slot {
  let { value, path } = slot;
  for (;;) {
    if (Array.isArray(value)) {
      const name = path[0];
      if (name === undefined || !/^\d+$/.test(name)) {
        return { value, path, done: false };
      }
      value = value[Number(name)];
    } else if (path[0] === undefined) {
      return { value, path, done: true };
    } else {
      value = isDocument(value) ? getField(value, path[0]) : undefined;
    }
    path = path.slice(1);
  }
}

/** One element of the array in `slot`: an array inside an array is a value, not spread again. */
function intoElement(slot: Slot, element: unknown): Slot {
  if (slot.path.length === 0) {
    return { value: element, path: [], done: true };
  }
  return isDocument(element)
    ? { value: element, path: slot.path, done: false }
    : { value: undefined, path: [], done: true };
}
