import { z } from "zod";
import { hasManyMarks, normalForm } from "./normal-form.js";

/** Returns the fields of an object that are not undefined. */
export const presentFields = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Length in Unicode code points, as users count characters. */
export const codePoints = (text: string): number => [...text].length;

/** Replaces lone surrogates, which the database cannot store, by U+FFFD. */
export const toWellFormed = (text: string): string => text.toWellFormed();

/** A character that shows something: no space, control or format character, and no filler such as U+2800 or U+3164. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{16FE4}\u{1D159}]/u;

/** Whether a text has only spaces, format and filler characters. */
export const showsNothing = (value: string): boolean => !visible.test(value);

/** A text may have this many times its limit in UTF-16 units before it is trimmed and composed. */
const maxRawFactor = 4;

/**
 * A string that is refused before anything works on it: one far over `max` characters, or with more than 30 combining
 * marks in a row.
 */
export const boundedString = (max: number, refusal = `over ${max} characters`) =>
  z
    .string()
    .refine((value) => value.length <= maxRawFactor * max, { error: refusal, abort: true })
    .refine((value) => !hasManyMarks(value), { error: "over 30 combining marks in a row", abort: true });

/** Brings a trimmed text to NFC, so that composed and decomposed letters are equal. A text that shows nothing becomes empty. */
const normalise = (value: string): string => (showsNothing(value) ? "" : normalForm(value.toWellFormed()));

const hasLength = (value: string, min: number, max: number): boolean => {
  const length = codePoints(value);
  return length >= min && length <= max;
};

/** Trimmed text in NFC of `min` to `max` code points. Too long is refused, never cut. */
export function text(min: number, max: number) {
  const refusal = min === 0 ? `over ${max} characters` : `not ${min} to ${max} characters`;
  return boundedString(max, refusal)
    .trim()
    .overwrite(normalise)
    .refine((value) => hasLength(value, min, max), refusal)
    .meta({ type: "string", minLength: min, maxLength: max });
}

/** A list of `min` to `max` items. A longer list is refused before its items are read. */
export function list<Item extends z.ZodType>(item: Item, max: number, min = 0) {
  const items = z.array(item).max(max);
  return z.preprocess(
    (value, context) => {
      if (!Array.isArray(value) || value.length <= max) return value;
      context.addIssue({ code: "too_big", origin: "array", maximum: max, input: value });
      return z.NEVER;
    },
    min > 0 ? items.min(min) : items,
  );
}

/** An object with at most `max` keys of any name. A larger object is refused before its values are read. */
export function dictionary<Value extends z.ZodType>(value: Value, max: number) {
  return z.preprocess(
    (input, context) => {
      if (typeof input !== "object" || input === null || Object.keys(input).length <= max) return input;
      context.addIssue({ code: "too_big", origin: "object", maximum: max, input });
      return z.NEVER;
    },
    z.record(z.string(), value),
  );
}

/** A 24-digit hex object id, read in lower case. In a path, anything else is an error (500); see `route`. */
export const objectId = z
  .string()
  .regex(/^[0-9a-fA-F]{24}$/)
  .toLowerCase()
  .meta({ description: "object id, 24 hex digits", example: "665f1c2ab7e4d90012ab34cd" });

/** True for a string that can be an object id: ids from bodies and queries that are not, match nothing. */
export const isObjectId = (value: string): boolean => /^[0-9a-fA-F]{24}$/.test(value);

/** A name in addresses that an educator chooses. */
export const slugText = z
  .string()
  .trim()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .refine((value) => !isObjectId(value), "looks like an id")
  .meta({ description: "name in addresses; the former one leads to it and stays reserved" });

const present = z.custom<{ toString(): string }>((value) => value !== null && value !== undefined);

/** Writes an object id (or a string) of a stored document as a string. */
export const id = z.codec(present, z.string(), { decode: String, encode: (text) => text });

/** Writes a stored date as ISO 8601 in UTC. */
export const timestamp = z.codec(z.date(), z.string().meta({ format: "date-time" }), {
  decode: (date) => date.toISOString(),
  encode: (text) => new Date(text),
});

const endOfDay = z.iso.date().transform((day) => new Date(`${day}T23:59:59.999Z`));

/** When an access ends: a moment, or the end of a day in UTC. */
export const endOfAccess = z
  .union([z.iso.datetime({ offset: true }).transform((moment) => new Date(moment)), endOfDay])
  .meta({ type: "string", description: "ISO 8601; a date without time: the end of that day in UTC" });

/** Longest host with its port: a domain name has at most 253 characters. A host is measured, because IDNA takes quadratic time. */
const maxAuthority = 259;

/**
 * Reads an http(s) URL without user information before its host, which would show one address and lead to another.
 * @returns the address as browsers read it, so that no other reader finds another host in it
 * (`https://a.example\\.b.example`). An address whose beginning has only one reading stays as it was sent.
 */
function readWebAddress(value: string): string | undefined {
  const authority = /^https?:\/\/([^/?#]+)/i.exec(value)?.[1] ?? "@";
  if (authority.length > maxAuthority || authority.includes("@") || /\p{Cc}/u.test(value)) return undefined;
  if (!URL.canParse(value)) return undefined;
  const { origin, href } = new URL(value);
  const hasOneReading = value.toLowerCase().startsWith(origin) && /^($|[/?#])/.test(value.slice(origin.length));
  return hasOneReading && !/[\\\s]/.test(value) ? value : href;
}

/** Whether a text is an http(s) URL without user information. */
export const isWebAddress = (value: string): boolean => readWebAddress(value) !== undefined;

/** Writes a web address as browsers read it. What is no web address stays as it is. */
export const normaliseAddress = (value: string): string => readWebAddress(value) ?? value;

/** A web address of at most `max` characters, or no text if it `mayBeEmpty`. */
export function webAddress(max: number, { mayBeEmpty = false } = {}) {
  const empty = mayBeEmpty ? "empty, or " : "";
  return boundedString(max, "not a URL")
    .trim()
    .transform((value, context) => {
      if (mayBeEmpty && value === "") return value;
      const address = codePoints(value) <= max ? readWebAddress(value) : undefined;
      if (address !== undefined && codePoints(address) <= max) return address;
      context.addIssue({ code: "custom", message: "not a URL" });
      return z.NEVER;
    })
    .meta({ description: `${empty}http or https, without user information` });
}
