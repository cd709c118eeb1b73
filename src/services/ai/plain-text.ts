import { promptLine } from "./model-text.js";

/** Bounds the work, because descriptions may have a megabyte. */
const maxReadLength = 6_000;

/** Escaped marks, and marks of code and emphasis. */
const inlineMarks = /\\([!-/:-@[-`{-~])|`+|~~|[*_]+/g;
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
    .replace(inlineMarks, withoutMark);
  const points = [...promptLine(text, maxReadLength)];
  if (points.length <= max) return points.join("");
  const start = points.slice(0, max - 1).join("");
  return `${start.trimEnd()}…`;
}

/** Marks of emphasis between two letters or two spaces belong to the text. */
function withoutMark(mark: string, escaped: string | undefined, at: number, text: string): string {
  if (escaped !== undefined) return escaped;
  if (!/^[*_]/.test(mark)) return "";
  const end = at + mark.length;
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(end, end + 2)];
  const opens = /^\S/.test(after) && !/[\p{L}\p{N}]$/u.test(before);
  const closes = /\S$/.test(before) && !/^[\p{L}\p{N}]/u.test(after);
  return opens || closes ? "" : mark;
}
