import { check, DatabaseError, notSupported } from "./errors.js";
import { toInteger, toNumber } from "./numbers.js";
import { type Document, fieldsOf, isDocument, isNumber, kindOf } from "./values.js";

const typed =
  <T>(wanted: string, is: (value: unknown) => value is T) =>
  (value: unknown, name: string): T => {
    if (is(value)) return value;
    throw new DatabaseError(14, `BSON field '${name}' is the wrong type '${kindOf(value)}', expected type '${wanted}'`);
  };
const number = typed("number", isNumber);

/** How fields are read, by what they may be; the wrong type is refused with code 14, as MongoDB does. */
const KINDS = {
  any: (value: unknown) => value,
  object: typed("object", isDocument),
  array: typed("array", (value): value is unknown[] => Array.isArray(value)),
  text: typed("string", (value) => typeof value === "string"),
  flag: (value: unknown, name: string) => value === true || (value !== false && toNumber(number(value, name)) !== 0),
  /** A whole number of at least 0. */
  count: (value: unknown, name: string) => {
    const whole = toInteger(number(value, name));
    check(whole !== undefined, 9, `BSON field '${name}' must be a whole number`);
    check(whole >= 0, 51024, `BSON field '${name}' value must be >= 0, actual value '${whole}'`);
    return whole;
  },
  /** The simple collation, which is what there is without one. */
  simple: (value: unknown) => {
    if (!isDocument(value) || (value.locale ?? "simple") !== "simple") throw notSupported("collation");
  },
  /** MongoDB has it and this server does not; switched off it may be named. */
  refused: (value: unknown, name: string) => {
    if (value !== false) throw notSupported(name);
  },
};
type Kinds = typeof KINDS;

/** The names of fields, separated by spaces, under what they may be. */
export type Fields = { readonly [Kind in keyof Kinds]?: string };
type Words<Names> = Names extends `${infer First} ${infer Others}` ? First | Words<Others> : Names & string;
/** What the fields gave; null is as good as absent. */
export type Given<F extends Fields> = {
  readonly [Kind in keyof F & keyof Kinds as Words<F[Kind]>]?: ReturnType<Kinds[Kind]> | undefined;
};

/** @returns a reader of documents, which throws DatabaseError 40415, or the code given, for a field that is not listed. */
export function fieldReader<const F extends Fields>(fields: F) {
  const readers = new Map<string, (value: unknown, name: string) => unknown>();
  for (const kind of Object.keys(KINDS) as (keyof Kinds)[]) {
    for (const name of fields[kind]?.trim().split(/\s+/) ?? []) readers.set(name, KINDS[kind]);
  }
  return (given: Document, where: string, unknownCode = 40415): Given<F> => {
    const read: Document = {};
    for (const [name, value] of fieldsOf(given)) {
      const reader = readers.get(name);
      check(reader !== undefined, unknownCode, `BSON field '${where}.${name}' is an unknown field.`);
      if (value !== null && value !== undefined) read[name] = reader(value, `${where}.${name}`);
    }
    return read as Given<F>;
  };
}

/** @throws DatabaseError 40414 when the field is absent. */
export function required<T>(value: T, name: string): NonNullable<T> {
  if (value !== undefined && value !== null) return value;
  throw new DatabaseError(40414, `BSON field '${name}' is missing but a required field`);
}
