import type { TextFormat } from "gift-pegjs";

/** The fields that a kind has read, or why it cannot hold the question. */
export type GiftReading = { readonly fields: Record<string, unknown> } | { readonly reason: string };

/** Begins the comment with the fields that GIFT does not know, as JSON. */
export const extraFieldsMark = "// lyceum: ";

/**
 * Writes a text, whose line breaks and control characters are escaped. A text that begins like a format or a weight gets
 * a format in front.
 */
export function giftText(text: string): string {
  const escaped = text.replace(/[\\:#={}~]/g, "\\$&").replaceAll("\n", "\\n");
  return /^[[%]/.test(escaped) ? `[markdown]${escaped}` : escaped;
}

/** Percent of the points that a choice earns. */
export const percentOf = ({ isCorrect, weight }: { isCorrect: boolean; weight: number | null }): number =>
  weight ?? (isCorrect ? 100 : 0);

/** A text as Markdown that shows it as it is. Markdown may hold HTML, in which a blank line would end a block. */
export function markdownOf({ format, text }: TextFormat): string {
  if (format === "html" && !text.includes("<pre")) return text.replace(/\n\s*\n/g, "\n");
  return format === "plain" ? escapeMarkdown(text) : text;
}

const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[]|<(?=[a-z/!?])|&(?=[#\w])|~(?=~)|(?<=~)~/gi, "\\$&")
    .replace(/^[ \t]*(?=#{1,6}(?:\s|$)|[+-](?:\s|-|$)|=+[ \t]*$|[>|]|:-)/gm, "$&\\")
    .replace(/^([ \t]*\d+)(?=[.)])/gm, "$1\\")
    .replaceAll("\n", "\\\n");
