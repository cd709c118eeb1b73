import bidiFactory from "bidi-js";
import type { TypefaceName } from "./typefaces.js";

const bidi = bidiFactory();

/** The smallest piece of text that is drawn as a unit: a grapheme, and a face that has all its glyphs. */
export interface Cluster {
  readonly text: string;
  readonly face: TypefaceName;
  /** Embedding level of the Unicode Bidirectional Algorithm: odd when read from right to left. */
  readonly level: number;
}

/** A stretch of one line that is shaped as a unit. */
export interface Run {
  readonly text: string;
  readonly face: TypefaceName;
}

/** True when `text` holds letters of a right-to-left script. */
export function isRightToLeft(text: string): boolean {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}]/u.test(text) && /\p{L}/u.test(text);
}

/** Adds the embedding level to each cluster. The first letter sets the direction of the whole text. */
export function withLevels(clusters: readonly Omit<Cluster, "level">[]): Cluster[] {
  const { levels } = bidi.getEmbeddingLevels(clusters.map(({ text }) => text).join(""));
  let offset = 0;
  return clusters.map((cluster) => {
    const level = levels[offset] ?? 0;
    offset += cluster.text.length;
    return { ...cluster, level };
  });
}

/** Returns the runs of a line in their order on paper, from the left. */
export function visualRuns(line: readonly Cluster[]): Run[] {
  const runs: Cluster[] = [];
  for (const cluster of line) {
    const last = runs.at(-1);
    const joins = last?.face === cluster.face && last.level === cluster.level;
    // pdfkit shapes word by word, so a right-to-left text is ordered word by word.
    const isWordBreak = cluster.level % 2 === 1 && (cluster.text === " " || last?.text === " ");
    if (joins && !isWordBreak) runs[runs.length - 1] = { ...cluster, text: last.text + cluster.text };
    else runs.push(cluster);
  }
  const highest = Math.max(0, ...runs.map((run) => run.level));
  for (let level = highest; level > 0; level--) reverseStretches(runs, (run) => run.level >= level);
  // Shaping mirrors the brackets of right-to-left words. Brackets that stand alone are mirrored here.
  const words = runs.map(({ text, face, level }) => ({
    text: level % 2 === 1 && !isRightToLeft(text) ? mirror(text) : text,
    face,
  }));
  return words.reduce<Run[]>(joinAtSpace, []);
}

/** Joins words that are drawn with one face, because readers put words that are drawn one by one into another order. */
function joinAtSpace(joined: Run[], run: Run): Run[] {
  const last = joined.at(-1);
  const joins = last?.face === run.face && (last.text.endsWith(" ") || run.text.startsWith(" "));
  return joins ? [...joined.slice(0, -1), { ...run, text: last.text + run.text }] : [...joined, run];
}

function reverseStretches(runs: Cluster[], belongs: (run: Cluster) => boolean): void {
  for (let start = 0; start < runs.length; start++) {
    let end = start;
    for (let run = runs[end]; run && belongs(run); run = runs[end]) end++;
    runs.splice(start, end - start, ...runs.slice(start, end).reverse());
    if (end > start) start = end;
  }
}

const mirror = (text: string): string =>
  [...text].map((character) => bidi.getMirroredCharacter(character) ?? character).join("");
