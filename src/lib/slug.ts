import { createHash } from "node:crypto";
import { normalForm } from "./normal-form.js";

/** White space, and the spaces and joiners of words that have no width. */
const spacing = /[\s\u200b\u2060\ufeff]+/gu;

/** The key of a name. Names that differ in case, spacing or the encoding of accents have the same key. */
export const nameKey = (name: string): string => normalForm(name).toLowerCase().replace(spacing, "");

/**
 * The address form of a name: lower case, each run outside a–z and 0–9 becomes one `-`, none at the ends. A name that
 * leaves nothing (one without Latin letters or digits) gets `<kind>-` and the first twelve hex digits of the SHA-256 of
 * its key, so that it is the same at every try.
 */
export function slugOf(name: string, kind: "course" | "group" | "path"): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  if (slug !== "") return slug;
  return `${kind}-${createHash("sha256").update(nameKey(name)).digest("hex").slice(0, 12)}`;
}
