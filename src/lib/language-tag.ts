import { z } from "zod";

/**
 * A tag of RFC 5646: language with up to three extensions, script, region, variants, extensions and private part. `Intl`
 * alone refuses some, such as `zh-yue` and `x-private`.
 */
const tag =
  /^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?|x(?:-[a-z\d]{1,8})+)$/i;

/** The registered tags that have another form. */
const irregular =
  /^(?:en-GB-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:BE-FR|BE-NL|CH-DE))$/i;

/** A language tag (BCP 47) of up to `max` characters. */
export const languageTag = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((value) => tag.test(value) || irregular.test(value), "not a language tag")
    .meta({ description: "BCP 47", example: "en" });

/** A language tag in its usual form: `pt-BR` for `PT-br`. Another text stays as it is. */
export function canonicalLanguage(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? language;
  } catch {
    return language;
  }
}
