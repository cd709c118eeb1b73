import { promptLine } from "./prompt-data.js";

/** How much of a text is looked at, however much is asked for: it is the work of one turn of the event loop. */
const mostRead = 6_000;

/**
 * Markdown as plain text on one line, at most `max` code points. Only as much is read as can be needed, and every step
 * takes time in proportion to that, whatever the text is.
 */
export function plainText(markdown: string, max: number): string {
  const text = markdown
    .slice(0, Math.min(max * 8, mostRead))
    .split("\n")
    .map((line) => (/^\s*(?:```|~~~)/.test(line) ? " " : line))
    .join("\n")
    .replace(/<\/?[A-Za-z][^<>]*>/g, " ")
    .replace(/!\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/\[([^[\]]*)\]\[[^[\]]*\]/g, "$1");
  const plain = text
    .split("\n")
    .map((line) => withoutEmphasis(withoutBlockMarks(line)))
    .join("\n")
    .replace(/\\([\\`*_{}[\]()#+\-.!>~|])/g, "$1");
  const line = promptLine(plain, markdown.length + 1);
  const points = [...line];
  return points.length <= max
    ? line
    : `${points
        .slice(0, max - 1)
        .join("")
        .trimEnd()}…`;
}

/** A line without the marks of headings, quotes and lists; a rule between paragraphs is nothing. */
function withoutBlockMarks(line: string): string {
  const trimmed = line.trimEnd();
  if (/^[-*_=\s]*$/.test(trimmed) && trimmed.replace(/\s/g, "").length >= 3) return "";
  const text = trimmed.replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)])\s+/, " ");
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end < text.length && /^\s?$/.test(text.charAt(end - 1)) ? text.slice(0, end) : text;
}

interface Mark {
  readonly text: string;
  readonly from: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

/** One line without pairs of marks for emphasis and code. What stands between marks of code stays as it is. */
function withoutEmphasis(line: string): string {
  const marks = marksIn(line);
  const removed = new Set<Mark>();
  const codeEnd = codeEnds(marks);
  /** The first mark of each kind that is still to be closed. */
  const open = new Map<string, Mark>();
  for (let n = 0; n < marks.length; n += 1) {
    const mark = marks[n] as Mark;
    const end = codeEnd[n];
    const opener = open.get(mark.text);
    if (end !== undefined) {
      removed.add(mark).add(marks[end] as Mark);
      n = end;
    } else if (mark.text.startsWith("`")) {
    } else if (opener && mark.closes) {
      removed.add(opener).add(mark);
      open.delete(mark.text);
    } else if (!opener && mark.opens) {
      open.set(mark.text, mark);
    }
  }
  const kept: string[] = [];
  let from = 0;
  for (const mark of marks) {
    if (!removed.has(mark)) continue;
    kept.push(line.slice(from, mark.from));
    from = mark.from + mark.text.length;
  }
  return kept.join("") + line.slice(from);
}

function marksIn(line: string): Mark[] {
  return Array.from(line.matchAll(/\*+|_+|~+|`+/g), ({ 0: text, index: from }) => {
    const [before, after] = [line.charAt(from - 1), line.charAt(from + text.length)];
    const usual = text.startsWith("`") || (text.startsWith("~") ? text.length === 2 : text.length <= 3);
    // An underscore within a word is part of it.
    const [starts, ends] = text === "_" ? [!isWord(before), !isWord(after)] : [true, true];
    return {
      text,
      from,
      opens: usual && starts && before !== "\\" && /^\S/.test(after),
      closes: usual && ends && /^[^\s\\]/.test(before),
    };
  });
}

const isWord = (character: string): boolean => /^[\p{L}\p{N}]/u.test(character);

/** For each mark that begins code: which one ends it. Looked up from the end, so that each mark is looked at once. */
function codeEnds(marks: readonly Mark[]): (number | undefined)[] {
  const ends: (number | undefined)[] = [];
  const next = new Map<string, number>();
  for (let n = marks.length - 1; n >= 0; n -= 1) {
    const { text, opens, closes } = marks[n] as Mark;
    if (!text.startsWith("`")) continue;
    if (opens) ends[n] = next.get(text);
    if (closes) next.set(text, n);
  }
  return ends;
}
