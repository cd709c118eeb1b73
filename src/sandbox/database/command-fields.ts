import type { Catalog } from "./catalog.js";
import type { Cursors } from "./cursors.js";
import { check, DatabaseError, notSupported } from "./errors.js";
import { rootScope, type Scope } from "./expressions.js";
import { toInteger, toNumber } from "./numbers.js";
import type { Effort } from "./query.js";
import { type Document, fieldsOf, isDocument, isNumber, kindOf } from "./values.js";

/** One command on its way through its handler. */
export interface Call {
  catalog: Catalog;
  cursors: Cursors;
  database: string;
  body: Document;
  connection: number;
  effort: Effort;
}

/** Gives the reply: a document without `ok`, or the whole reply already encoded. */
export type Command = (call: Call) => Promise<Document | Buffer> | Document | Buffer;

/** Reads one field of a command; refuses the wrong type with code 14, as MongoDB does. */
type Reader<T> = (value: unknown, name: string) => T;
type Fields = Readonly<Record<string, Reader<unknown>>>;
/** What the fields gave; null is as good as absent. */
type Given<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]> | undefined };

const typed =
  <T>(wanted: string, is: (value: unknown) => value is T): Reader<T> =>
  (value, name) => {
    if (is(value)) return value;
    throw new DatabaseError(14, `BSON field '${name}' is the wrong type '${kindOf(value)}', expected type '${wanted}'`);
  };

export const anything: Reader<unknown> = (value) => value;
export const object = typed("object", isDocument);
export const array = typed("array", (value): value is unknown[] => Array.isArray(value));
export const text = typed("string", (value) => typeof value === "string");
const number = typed("number", isNumber);
export const flag: Reader<boolean> = (value, name) =>
  value === true || (value !== false && toNumber(number(value, name)) !== 0);

/** A whole number of at least 0. */
export const count: Reader<number> = (value, name) => {
  const whole = toInteger(number(value, name));
  check(whole !== undefined, 9, `BSON field '${name}' must be a whole number`);
  check(whole >= 0, 51024, `BSON field '${name}' value must be >= 0, actual value '${whole}'`);
  return whole;
};

/** No collation but the simple one, which is what there is without one. */
export const collation: Reader<void> = (value, name) => {
  if ((object(value, name).locale ?? "simple") !== "simple") throw notSupported("collation");
};

/** Fields for what MongoDB does and this server does not; switched off they may be named. */
export function refused(names: string): Fields {
  const refuse: Reader<void> = (value, name) => {
    if (value !== false) throw notSupported(name);
  };
  return Object.fromEntries(names.split(" ").map((name) => [name, refuse]));
}

/** @throws DatabaseError 40415, or the code given, for a field that is not one of `fields`. */
export function readFields<F extends Fields>(
  fields: F,
  given: readonly [string, unknown][],
  where: string,
  unknownCode = 40415,
): Given<F> {
  const read: Document = {};
  for (const [name, value] of given) {
    const reader = Object.hasOwn(fields, name) ? fields[name] : undefined;
    check(reader !== undefined, unknownCode, `BSON field '${where}.${name}' is an unknown field.`);
    if (value !== null && value !== undefined) read[name] = reader(value, `${where}.${name}`);
  }
  return read as Given<F>;
}

/** The fields that every command takes. */
const EVERYWHERE: Fields = Object.fromEntries(
  `$db $readPreference $clusterTime lsid comment maxTimeMS readConcern writeConcern apiVersion apiStrict
   apiDeprecationErrors`
    .split(/\s+/)
    .map((name) => [name, anything]),
);

/** A command that takes the fields given beside those that every command takes. */
export function command<F extends Fields>(
  fields: F,
  run: (call: Call, given: Given<F>) => ReturnType<Command>,
): Command {
  const all = { ...EVERYWHERE, ...fields };
  return (call) => {
    const [[name = ""] = [], ...given] = fieldsOf(call.body);
    return run(call, readFields(all, given, name));
  };
}

/** The collection that a command names in its first field. */
export function collectionName(body: Document): string {
  const [command = "", name] = Object.entries(body)[0] ?? [];
  const code = command === "aggregate" || kindOf(name) !== "int" ? 14 : 73;
  check(typeof name === "string", code, `collection name has invalid type ${kindOf(name)}`);
  check(name !== "" && !name.startsWith(".") && !name.includes("\0"), 73, `Invalid namespace specified '${name}'`);
  return name;
}

/** @throws DatabaseError 40414 when the field is absent. */
export function arrayField(body: Document, name: string): readonly unknown[] {
  check(body[name] !== undefined, 40414, `BSON field '${name}' is missing but a required field`);
  return array(body[name], name);
}

/** The hint of a command; `$natural` as a sort amounts to one. */
export function hintOf({ hint, sort }: Document): unknown {
  if (isDocument(sort) && Object.hasOwn(sort, "$natural")) return sort;
  return isDocument(hint) && Object.keys(hint).length === 0 ? undefined : (hint ?? undefined);
}

/** The scope of a command's expressions: its `let` and the system's variables. */
export function scopeOf(body: Document): Scope {
  const variables = body.let === undefined ? [] : fieldsOf(object(body.let, "let"));
  const literal = (value: unknown) => (isDocument(value) && Object.hasOwn(value, "$literal") ? value.$literal : value);
  return rootScope(Object.fromEntries(variables.map(([name, value]) => [name, literal(value)])));
}
