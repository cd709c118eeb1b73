import { promptLine } from "./model-text.js";

/** Bounds the work, because descriptions may have a megabyte. */
const maxReadLength = 6_000;

/** Escaped marks, and marks of code and emphasis; marks between two letters or two spaces belong to the text. */
const inlineMarks = /\\([!-/:-@[-`{-~])|`+|~~|(?<![\p{L}\p{N}])[*_]+(?=\S)|(?<=\S)[*_]+(?![\p{L}\p{N}*_])/gu;
const link = /!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g;

/**
 * Returns Markdown as plain text on one line, at most `max` code points. remark is no replacement, because it takes up to
 * half a second for 6,000 hostile characters. Every pattern here takes time in proportion to the text.
 */
export function plainText(markdown: string, max: number): string {
  const text = markdown
    .slice(0, Math.min(max * 8, maxReadLength))
    .replace(/[ \t]+/g, " ")
    .replace(/^ ?(?:```|~~~).*$/gm, "")
    .replace(/^ ?(?:[-*_=] ?){3,}$/gm, "")
    .replace(/<\/?[A-Za-z][^<>]*>/g, " ")
    .replace(link, "$1")
    .replace(link, "$1") // an image inside a link
    .replace(/^ ?(?:#{1,6} |> ?|[-*+] |\d{1,9}[.)] )+/gm, "")
    .replace(/ #+ ?$/gm, "")
    .replace(inlineMarks, "$1");
  const points = [...promptLine(text, maxReadLength)];
  if (points.length <= max) return points.join("");
  const start = points.slice(0, max - 1).join("");
  return `${start.trimEnd()}…`;
}
