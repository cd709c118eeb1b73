import { covers, type TypefaceChain, type TypefaceName } from "./typefaces.js";

/** The smallest piece of text that is drawn as a unit: a grapheme, and the face that has all its glyphs. */
export interface Cluster {
  readonly text: string;
  readonly face: TypefaceName;
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** More code points than any field of a certificate may hold are not even looked at. */
const LONGEST = 1000;

/**
 * What a person would read of `raw`, on one line and in logical order: canonical composition, single spaces, and
 * neither controls, direction marks, lone surrogates, private or unassigned characters. At most four marks stay on a
 * letter, since a taller stack would run into the lines around it.
 */
export function readableText(raw: string): string {
  return Array.from(raw.slice(0, LONGEST * 2))
    .slice(0, LONGEST)
    .join("")
    .normalize("NFC")
    .replace(/[\s\p{Z}\p{Cc}]+/gu, " ")
    .replace(/[\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}]|(?![\u200c\u200d])\p{Cf}/gu, "")
    .replace(/(?<![\p{L}\p{M}])[\u200c\u200d]+|[\u200c\u200d]+(?!\p{L})/gu, "")
    .replace(/(\p{M}{4})\p{M}+/gu, "$1")
    .replace(/ {2,}/g, " ")
    .trim();
}

/**
 * Divides `text` (as from `readableText`) into clusters that can all be drawn. A grapheme that no face of the chain
 * has becomes its compatibility form (𝐀 → A), else its bare letter; a symbol is left out; any other stretch of
 * unknown letters becomes one ellipsis.
 */
export function printableClusters(text: string, chain: TypefaceChain): Cluster[] {
  const clusters: Cluster[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const before = clusters.at(-1);
    const cluster = findCluster(segment, chain, before) ?? substitute(segment, chain, before);
    if (cluster && !(isBlankOrEllipsis(cluster.text) && before?.text === cluster.text)) clusters.push(cluster);
  }
  while (clusters.at(-1)?.text === " ") clusters.pop();
  while (clusters[0]?.text === " ") clusters.shift();
  return clusters;
}

/** Whether anything in `clusters` tells a reader something: a letter or a digit. */
export function saysSomething(clusters: readonly Cluster[]): boolean {
  return clusters.some((cluster) => /[\p{L}\p{N}]/u.test(cluster.text));
}

function findCluster(text: string, chain: TypefaceChain, before: Cluster | undefined): Cluster | null {
  // Spaces and punctuation belong to the word they follow, whichever face that is drawn with.
  const followsOn = before && /^[\p{Z}\p{P}]$/u.test(text) && covers(before.face, text);
  const face = followsOn ? before.face : chain.find((name) => covers(name, text));
  return face ? { text, face } : null;
}

function substitute(text: string, chain: TypefaceChain, before: Cluster | undefined): Cluster | null {
  const compatible = text.normalize("NFKC");
  const bare = text.normalize("NFKD").replace(/\p{M}/gu, "");
  for (const candidate of [compatible, bare]) {
    const cluster = candidate === "" ? null : findCluster(candidate, chain, before);
    if (cluster) return cluster;
  }
  return /[\p{L}\p{N}]/u.test(text) ? { text: "…", face: chain[0] } : null;
}

function isBlankOrEllipsis(text: string): boolean {
  return text === " " || text === "…";
}
