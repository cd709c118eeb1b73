import type { TypefaceName } from "./typefaces.js";
import { isRightToLeft } from "./writing-direction.js";

/** The smallest piece of text that is drawn as a unit: a grapheme, and the face that has all its glyphs. */
export interface Cluster {
  readonly text: string;
  readonly face: TypefaceName;
  /** Embedding level as in the Unicode Bidirectional Algorithm: odd when read from right to left. */
  readonly level: number;
}

/** A stretch of one line that is shaped as a whole. */
export interface Run {
  readonly text: string;
  readonly face: TypefaceName;
}

type Direction = "left" | "right";

/**
 * Gives each cluster its level: the part of the Unicode Bidirectional Algorithm that names and titles need, where
 * the first letter sets the direction of the whole, and there are no explicit directions (`readableText` drops them).
 */
export function withLevels(clusters: readonly Omit<Cluster, "level">[]): Cluster[] {
  const letters = clusters.map((cluster) => directionOfLetter(cluster.text));
  const base = letters.find((direction) => direction !== null) ?? "left";
  const isNumber = clusters.map(({ text }, index) => isDigit(text) || separatesDigits(clusters, index));
  let context = base;
  const directions = letters.map((letter, index) => {
    context = letter ?? context;
    return letter ?? (isNumber[index] ? context : null);
  });
  return clusters.map((cluster, index) => {
    const direction = directions[index] ?? directionOfNeutral(directions, index, base);
    if (direction === "left") return { ...cluster, level: base === "left" ? 0 : 2 };
    return { ...cluster, level: isNumber[index] ? 2 : 1 };
  });
}

function isDigit(text: string | undefined): boolean {
  return text !== undefined && /^\p{N}/u.test(text);
}

/** Whether the cluster is the point of "3.12" or the colon of "9:30". */
function separatesDigits(clusters: readonly { text: string }[], index: number): boolean {
  const [before, here, after] = [clusters[index - 1]?.text, clusters[index]?.text ?? "", clusters[index + 1]?.text];
  return /^[.,:/]$/.test(here) && isDigit(before) && isDigit(after);
}

function directionOfLetter(text: string): Direction | null {
  if (!/\p{L}/u.test(text)) return null;
  return isRightToLeft(text) ? "right" : "left";
}

/** What stands between two pieces of one direction goes with them, anything else with the whole. */
function directionOfNeutral(directions: readonly (Direction | null)[], index: number, base: Direction): Direction {
  const before = directions.findLast((direction, at) => at < index && direction !== null) ?? base;
  const after = directions.find((direction, at) => at > index && direction !== null) ?? base;
  return before === after ? before : base;
}

/** The runs of a line in the order in which they stand on paper, from the left. */
export function visualRuns(line: readonly Cluster[]): Run[] {
  const runs: Cluster[] = [];
  for (const cluster of line) {
    const last = runs.at(-1);
    const joins = last?.face === cluster.face && last.level === cluster.level;
    // Runs are shaped word by word, so a text from the right has to be put in order word by word.
    const parts = cluster.level % 2 === 1 && (cluster.text === " " || last?.text === " ");
    if (joins && !parts) runs[runs.length - 1] = { ...cluster, text: last.text + cluster.text };
    else runs.push(cluster);
  }
  const highest = Math.max(0, ...runs.map((run) => run.level));
  for (let level = highest; level > 0; level--) reverseStretches(runs, (run) => run.level >= level);
  return runs.map(({ text, face, level }) => ({ text: level % 2 === 1 ? mirrored(text) : text, face }));
}

function reverseStretches(runs: Cluster[], belongs: (run: Cluster) => boolean): void {
  for (let start = 0; start < runs.length; start++) {
    let end = start;
    for (let run = runs[end]; run && belongs(run); run = runs[end]) end++;
    runs.splice(start, end - start, ...runs.slice(start, end).reverse());
    if (end > start) start = end;
  }
}

const MIRRORED: Readonly<Record<string, string>> = {
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
  "{": "}",
  "}": "{",
  "«": "»",
  "»": "«",
};

function mirrored(text: string): string {
  return text.replace(/[()[\]{}«»]/g, (bracket) => MIRRORED[bracket] ?? bracket);
}
