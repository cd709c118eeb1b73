import { createHash } from "node:crypto";

/** White space, and the spaces and joiners of words that have no width. */
const spacing = /[\s\u200b\u2060\ufeff]+/gu;

/** What makes two group names the same: neither case nor spacing nor the way accents are encoded tells them apart. */
export const groupNameKey = (name: string): string => name.normalize("NFC").toLowerCase().replace(spacing, "");

/**
 * The address form of a name: lower case, each run outside a–z and 0–9 becomes one `-`, none at the ends. A name that
 * leaves nothing (one without Latin letters or digits) gets `group-` and the first twelve hex digits of the SHA-256 of
 * its key, so that it is the same at every try.
 */
export function groupSlug(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  if (slug !== "") return slug;
  return `group-${createHash("sha256").update(groupNameKey(name)).digest("hex").slice(0, 12)}`;
}
