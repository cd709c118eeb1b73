import { createPublicKey } from "node:crypto";
import { z } from "zod";

type When = "mandatory" | "mandatory in production" | "optional";

export interface Variable<Value = unknown> {
  readonly name: string;
  readonly about: string;
  readonly schema: z.ZodType<Value>;
  readonly when: When;
  readonly fallback?: string;
}

export const mandatory = <Value>(name: string, about: string, schema: z.ZodType<Value>): Variable<Value> => ({
  name,
  about,
  schema,
  when: "mandatory",
});

/** The value is undefined when the variable is unset. */
export const optional = <Value>(
  name: string,
  about: string,
  schema: z.ZodType<Value>,
): Variable<Value | undefined> => ({
  name,
  about,
  schema,
  when: "optional",
});

export const withDefault = <Value>(
  name: string,
  about: string,
  schema: z.ZodType<Value>,
  fallback: string,
  when: When = "optional",
): Variable<Value> => ({ name, about, schema, when, fallback });

export const url = z.url({ protocol: /^https?$/, error: "must be an http(s) URL" });
export const baseUrl = url.transform((value) => value.replace(/\/$/, ""));
/** The address of a page's folder, without the slash at its end. */
export const pageUrl = url
  .refine((value) => !/[?#]/.test(value), "must have neither a query nor a fragment")
  .transform((value) => {
    const { origin, pathname } = new URL(value);
    return origin + withoutEnd(pathname, "/");
  });
export const secret = z.string().min(1);
export const switchedOn = (value: string): boolean => value === "on";

/** Minimum length of a secret in a list. A shorter part belongs to one secret that contains commas. */
const shortestSecret = 16;
export const listOf = (item: RegExp, shape: string) =>
  z
    .string()
    .transform((value) => {
      const parts = value.split(",").map((part) => part.trim());
      return parts.every(({ length }) => length >= shortestSecret) ? parts : [value];
    })
    .refine((parts) => parts.length > 0 && parts.every((part) => item.test(part)), `must be ${shape}`);

/** Host names with an optional port, separated by commas. */
export const hosts = z
  .string()
  .transform((value) => value.split(",").map((host) => host.trim().toLowerCase()))
  .refine((all) => all.every((host) => /^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(host)), "must be host names");

export const numberUpTo = (max: number, min = 0) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

/** The identity provider signs with RSA keys of 2048 bits. Its SDK reads no others, and would refuse every token. */
export function isRsaPublicKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    const isUsual = asymmetricKeyDetails?.modulusLength === 2048 && asymmetricKeyDetails.publicExponent === 65_537n;
    return /^-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem) && asymmetricKeyType === "rsa" && isUsual;
  } catch {
    return false;
  }
}

const isCloudinaryUrl = (value: string): boolean => {
  try {
    const { username, password, searchParams } = new URL(value);
    decodeURIComponent(username + password);
    const prefix = searchParams.get("upload_prefix");
    return prefix === null || url.safeParse(prefix).success;
  } catch {
    return false;
  }
};

export const cloudinaryUrl = z
  .string()
  .regex(/^cloudinary:\/\/[^:@/\s]+:[^@/\s]+@[^/?\s]+(\?\S*)?$/, "must be cloudinary://key:secret@cloud")
  .refine(isCloudinaryUrl, "must be percent-encoded, and upload_prefix an http(s) URL");

/** An offset such as `+05:30` is none. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** The host of the provider's frontend API, which a publishable key holds; undefined when it holds none. */
export function frontendApiOf(publishableKey: string): string | undefined {
  const encoded = /^pk_(?:test|live)_([\w+/=-]+)$/.exec(publishableKey)?.[1] ?? "";
  return /^([\w-]+(?:\.[\w-]+)*(?::\d{1,5})?)\$$/.exec(Buffer.from(encoded, "base64").toString())?.[1];
}

/** `smtp(s)://user:password@host:port`, user and password percent-encoded. It has no parameters. */
export const smtpUrl = z
  .string()
  .regex(
    /^smtps?:\/\/([^:@/?#\s]+:[^:@/?#\s]*@)?(\[[\da-f:.]+\]|[^:@/?#[\]\s]+)(:\d{1,5})?\/?$/i,
    "must be smtp(s)://user:password@host:port",
  )
  .refine(isReadableUrl, "must be percent-encoded");

function isReadableUrl(value: string): boolean {
  try {
    const { username, password } = new URL(value);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** `address@host`, or `Name <address@host>`. */
export const sender = z.string().transform((value, context) => {
  const [, name = "", bracketed, bare] =
    /^(?:([^<>"@\p{Cc}]{0,100})<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))$/u.exec(value) ?? [];
  const address = bracketed ?? bare;
  if (address !== undefined) return { name: name.trim(), address };
  context.addIssue("must be an address, or Name <address>");
  return z.NEVER;
});

/** Takes every `end` off the end of a text. */
const withoutEnd = (text: string, end: string): string =>
  text.endsWith(end) ? withoutEnd(text.slice(0, -end.length), end) : text;
