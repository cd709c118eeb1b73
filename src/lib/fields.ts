import { z } from "zod";

/** Length in Unicode code points, as users count characters. */
export const codePoints = (text: string): number => [...text].length;

/** Replaces lone surrogates, which the database cannot store, by U+FFFD. */
export const toWellFormed = (text: string): string => text.toWellFormed();

/** Trimmed text of `min` to `max` code points. Too long is refused, never cut. */
export function text(min: number, max: number) {
  return z
    .string()
    .trim()
    .overwrite(toWellFormed)
    .refine((value) => {
      const length = codePoints(value);
      return length >= min && length <= max;
    }, `not ${min} to ${max} characters`)
    .meta({ type: "string", minLength: min, maxLength: max });
}

/** A 24-digit hex object id, read in lower case. In a path, anything else is an error (500); see `RouteSpec.params`. */
export const objectId = z
  .string()
  .regex(/^[0-9a-fA-F]{24}$/)
  .toLowerCase()
  .meta({ description: "object id, 24 hex digits", example: "665f1c2ab7e4d90012ab34cd" });

/** True for a string that can be an object id: ids from bodies and queries that are not, match nothing. */
export const isObjectId = (value: string): boolean => /^[0-9a-fA-F]{24}$/.test(value);

/** Writes an object id (or a string) of a stored document as a string. */
export const id = z
  .custom<{ toString(): string }>((value) => value !== null && value !== undefined)
  .transform(String)
  .pipe(z.string());

/** Writes a stored date as ISO 8601 in UTC. */
export const timestamp = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.string().meta({ format: "date-time" }));

/** An http(s) URL without user information before its host, which would show one address and lead to another. */
export function isWebAddress(value: string): boolean {
  const authority = /^https?:\/\/([^/?#]+)/i.exec(value)?.[1];
  return authority !== undefined && !authority.includes("@") && !/\p{Cc}/u.test(value) && URL.canParse(value);
}

/**
 * Writes a web address as browsers read it, so that no other reader finds another host in it (`https://a.example\\.b.example`).
 * Letter case and a missing last slash stay as they were sent, and so does what is no web address.
 */
export function normaliseAddress(value: string): string {
  if (!isWebAddress(value)) return value;
  const { href } = new URL(value);
  const isSame = [value, `${value}/`].some((written) => written.toLowerCase() === href.toLowerCase());
  return isSame ? value : href;
}

/** A web address of at most `max` characters, or no text if it `mayBeEmpty`. */
export function webAddress(max: number, { mayBeEmpty = false } = {}) {
  const empty = mayBeEmpty ? "empty, or " : "";
  return z
    .string()
    .trim()
    .overwrite(normaliseAddress)
    .refine((value) => (mayBeEmpty && value === "") || (codePoints(value) <= max && isWebAddress(value)), "not a URL")
    .meta({ description: `${empty}http or https, without user information` });
}
