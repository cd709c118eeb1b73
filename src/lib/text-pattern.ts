import { normalForm } from "./normal-form.js";

/**
 * A pattern for the database that matches a text in any case, composed or decomposed. The database takes no NUL inside a
 * pattern.
 */
export const textPattern = (text: string): RegExp => new RegExp(formsOf(text), "i");

/** As `textPattern`, for a value that is nothing but the text. */
export const wholeTextPattern = (text: string): RegExp => new RegExp(`^(?:${formsOf(text)})$`, "i");

const formsOf = (text: string): string =>
  [...new Set([normalForm(text), normalForm(text, "NFD")])].map(escaped).join("|");

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\0", "\\x00");
