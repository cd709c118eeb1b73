import type { Cluster } from "./reading-order.js";

/** Measures adjacent clusters as they are drawn, in em (multiples of the type size). */
export type Measure = (clusters: readonly Cluster[]) => number;

/** The area of a text. All lengths are in points. */
export interface Box {
  readonly width: number;
  readonly height: number;
  readonly maxLines: number;
  /** The type size of a short text, and the smallest size. Below the smallest size the text is cut. */
  readonly maxSize: number;
  readonly minSize: number;
  /** Distance between baselines, as a multiple of the type size. */
  readonly leading: number;
}

export interface FittedText {
  /** In points. */
  readonly size: number;
  /** Width of the longest line, in points. */
  readonly width: number;
  readonly lines: readonly (readonly Cluster[])[];
  /** True when the end of the text was replaced by an ellipsis. */
  readonly cut: boolean;
}

/** A stretch of text that is broken only when it is wider than a line, and the space after it. Widths are in em. */
interface Word {
  readonly clusters: readonly Cluster[];
  readonly width: number;
  readonly space: Cluster | null;
  readonly spaceWidth: number;
}

/** Below this part of the largest size, a text is broken over more lines. */
const MIN_SINGLE_LINE_SHARE = 0.7;
const SIZE_STEP_POINTS = 0.5;

/** Finds the largest setting of `clusters` inside `box`, first on one line, then on balanced lines. */
export function fitText(clusters: readonly Cluster[], box: Box, measure: Measure): FittedText {
  const fitted = fitWords(clusters, box, measure);
  // A broken word can become wider than its parts, and one character can be wider than the box.
  const widest = Math.max(...fitted.lines.map((line) => measure(line)));
  const size = Math.min(fitted.size, box.width / Math.max(widest, 1e-6));
  return { ...fitted, size, width: widest * size };
}

type FittedWords = Omit<FittedText, "width">;

function fitWords(clusters: readonly Cluster[], box: Box, measure: Measure): FittedWords {
  const words = divideIntoWords(clusters, measure);
  const oneLine = sizeForWidth(measure(clusters), box);
  if (oneLine >= box.maxSize * MIN_SINGLE_LINE_SHARE) return { size: oneLine, lines: [clusters], cut: false };
  const inked = words.reduce((sum, word) => sum + word.width, 0);
  for (let size = box.maxSize; size >= box.minSize; size -= SIZE_STEP_POINTS) {
    const rows = Math.min(box.maxLines, Math.floor(box.height / (size * box.leading)));
    if (inked * size > rows * box.width) continue;
    const lines = breakLines(words, box.width / size, measure);
    if (lines.length <= rows) return { size, lines: balance(words, lines, box.width / size, measure), cut: false };
  }
  return cutText(words, box, measure);
}

function sizeForWidth(width: number, box: Box): number {
  const size = Math.min(box.maxSize, box.width / Math.max(width, 1e-6));
  return Math.floor(size / SIZE_STEP_POINTS) * SIZE_STEP_POINTS;
}

/** Fills lines of `width` em. A word longer than a line is broken between graphemes. */
function breakLines(words: readonly Word[], width: number, measure: Measure): Cluster[][] {
  const lines: Cluster[][] = [];
  let line: Cluster[] = [];
  let used = 0;
  let space: Cluster | null = null;
  let spaceWidth = 0;
  for (const word of words) {
    if (line.length > 0 && used + spaceWidth + word.width > width) {
      lines.push(line);
      line = [];
      used = 0;
      space = null;
      spaceWidth = 0;
    }
    if (space) line.push(space);
    used += spaceWidth;
    for (const piece of word.width > width ? word.clusters.map((cluster) => [cluster]) : [word.clusters]) {
      const pieceWidth = piece === word.clusters ? word.width : measure(piece);
      if (line.length > 0 && used + pieceWidth > width) {
        lines.push(line);
        line = [];
        used = 0;
      }
      line.push(...piece);
      used += pieceWidth;
    }
    space = word.space;
    spaceWidth = word.spaceWidth;
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

/** Narrows the lines as far as their number allows, so that no line is nearly empty. */
function balance(words: readonly Word[], lines: Cluster[][], width: number, measure: Measure): Cluster[][] {
  let best = lines;
  let low = width / 2;
  let high = width;
  while (lines.length > 1 && high - low > 0.2) {
    const middle = (low + high) / 2;
    const attempt = breakLines(words, middle, measure);
    if (attempt.length > lines.length) {
      low = middle;
    } else {
      high = middle;
      best = attempt;
    }
  }
  return best;
}

/** Sets the text at the smallest size and ends it with an ellipsis where the box ends. */
function cutText(words: readonly Word[], box: Box, measure: Measure): FittedWords {
  const size = box.minSize;
  const rows = Math.max(1, Math.min(box.maxLines, Math.floor(box.height / (size * box.leading))));
  const whole = breakLines(words, box.width / size, measure);
  if (whole.length <= rows) return { size, lines: whole, cut: false };
  const lines = whole.slice(0, rows);
  const last = lines.at(-1) ?? [];
  const ellipsis = { text: "…", face: last.at(-1)?.face ?? "sans", level: last.at(-1)?.level ?? 0 } as const;
  while (last.length > 1 && measure([...last, ellipsis]) > box.width / size) last.pop();
  while (last.at(-1)?.text === " ") last.pop();
  last.push(ellipsis);
  return { size, lines, cut: true };
}

const WIDE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Scripts without spaces whose words a dictionary tells apart. */
const UNSPACED = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const dictionary = new Intl.Segmenter("und", { granularity: "word" });
const BREAK_AFTER = /[-‐–—/?&=_་፡]$/u;

/**
 * Splits a text into words at spaces and after hyphens. East Asian scripts are split between all characters, the other
 * scripts without spaces between the words of a dictionary.
 */
function divideIntoWords(clusters: readonly Cluster[], measure: Measure): Word[] {
  const words: Word[] = [];
  let word: Cluster[] = [];
  const close = (space: Cluster | null) => {
    if (word.length > 0) {
      words.push({ clusters: word, width: measure(word), space, spaceWidth: space ? measure([space]) : 0 });
    }
    word = [];
  };
  const text = clusters.map((cluster) => cluster.text).join("");
  const starts = new Set(Array.from(dictionary.segment(text), ({ index }) => index));
  let offset = 0;
  clusters.forEach((cluster, index) => {
    offset += cluster.text.length;
    if (cluster.text === " ") {
      close(cluster);
      return;
    }
    word.push(cluster);
    const next = clusters[index + 1];
    if (next === undefined || next.text === " " || /^\p{P}/u.test(next.text)) return;
    if (BREAK_AFTER.test(cluster.text) || WIDE.test(cluster.text) || WIDE.test(next.text)) close(null);
    if (UNSPACED.test(next.text) && starts.has(offset)) close(null);
  });
  close(null);
  return words;
}
