import { domainToASCII, domainToUnicode } from "node:url";
import { boundedString, codePoints } from "./fields.js";
import { normalForm } from "./normal-form.js";

/** Returns the form in which e-mail addresses are stored and compared: lower case, NFC, the domain in ASCII. */
export function emailKey(address: string): string {
  const lower = normalForm(address.trim().toLowerCase());
  const behindAt = lower.lastIndexOf("@") + 1;
  const domain = lower.slice(behindAt);
  // Other ASCII characters are part of no domain name, but `domainToASCII` may read them as a part of a URL.
  const isName = behindAt > 0 && /^[a-z0-9.\-\u0080-\u{10ffff}]+$/u.test(domain);
  return lower.slice(0, behindAt) + ((isName && domainToASCII(domain)) || domain);
}

/** Returns the forms in which a profile may hold an address: its domain in ASCII and in Unicode, in lower case. */
export function emailForms(address: string): string[] {
  const key = emailKey(address);
  const behindAt = key.lastIndexOf("@") + 1;
  return [...new Set([key, key.slice(0, behindAt) + domainToUnicode(key.slice(behindAt))])];
}

/** Unquoted characters of RFC 6531 in lower case, without spaces and control characters beyond ASCII. */
const atom = /^(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]|[^\0-\x7f\p{Cc}\p{Cs}\p{Z}])+$/u;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether an address in the form of `emailKey` has a valid local part and a domain name of two labels or more. */
function isAddress(key: string): boolean {
  const [local = "", domain = "", ...more] = key.split("@");
  const labels = domain.split(".");
  return (
    more.length === 0 &&
    codePoints(local) <= 64 &&
    local.split(".").every((part) => atom.test(part)) &&
    domain.length <= 253 &&
    labels.length >= 2 &&
    labels.every((part) => label.test(part)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  );
}

/** A local part, `@` and a domain name. */
const maxAddressLength = 64 + 1 + 253;

/** An e-mail address, read in the form in which addresses are compared. */
export const emailAddress = boundedString(maxAddressLength)
  .overwrite(emailKey)
  .refine(isAddress, "not an e-mail address")
  .meta({ format: "idn-email" });
