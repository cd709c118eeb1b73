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

export const plainOf = ({ text }: TextFormat): string => text;
