/**
 * More than 30 combining marks in a row. To order marks takes quadratic time. U+FF9E and U+FF9F become marks in NFKC.
 */
const manyMarks = /(?:^|[^\p{M}\uff9e\uff9f])[\p{M}\uff9e\uff9f]{31}/u;

/** Whether a text has more combining marks in a row than any language writes. */
export const hasManyMarks = (text: string): boolean => manyMarks.test(text);

/**
 * Brings a text to a normal form of Unicode. The only way to do so, because `normalize` takes quadratic time for many
 * combining marks in a row. A text that has them stays as it is.
 */
export const normalForm = (text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD" = "NFC"): string =>
  hasManyMarks(text) ? text : text.normalize(form);
