import anyAscii from "any-ascii";
import { type Cluster, withLevels } from "./reading-order.js";
import { covers, hasGlyphs, type TypefaceChain, type TypefaceName } from "./typefaces.js";

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Limit of the code points read. It exceeds the length of every field of a certificate. */
const MAX_CODE_POINTS = 400;

/** A flag is written as its letters: 🇮🇳 as IN. */
const letterOfFlag = (indicator: string): string =>
  String.fromCodePoint((indicator.codePointAt(0) ?? 0) - 0x1f1e6 + 0x41);

/**
 * Returns the readable part of `raw` on one line and in logical order. It composes characters, collapses spaces, writes
 * flags as letters, and removes controls, direction marks, lone surrogates, private and unassigned characters. A letter keeps at most four
 * marks, two of them from any script, because a taller stack would reach into the next line.
 */
export function readableText(raw: string): string {
  return Array.from(raw.slice(0, MAX_CODE_POINTS * 2))
    .slice(0, MAX_CODE_POINTS)
    .join("")
    .normalize("NFC")
    .replace(/\p{Regional_Indicator}/gu, letterOfFlag)
    .replace(/[\s\p{Z}\p{Cc}]+/gu, " ")
    .replace(/[\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}]|(?![\u200c\u200d])\p{Cf}/gu, "")
    .replace(/(?<![\p{L}\p{M}])[\u200c\u200d]+|[\u200c\u200d]+(?!\p{L})/gu, "")
    .replace(/(\p{M}{4})\p{M}+/gu, "$1")
    .replace(/((?:(?=\p{Script=Inherited})\p{M}){2})(?:(?=\p{Script=Inherited})\p{M})+/gu, "$1")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** A cluster before its direction is known. */
type Piece = Omit<Cluster, "level">;

/**
 * Divides `text` (from `readableText`) into clusters that have a glyph. A word stays in one face when a face has all of
 * it. A grapheme that no face has becomes its compatibility form (𝐀 → A), or else its base letter, or else its
 * transcription (ᏣᎳᎩ → tsalagi). A symbol is left out without a gap; another unknown stretch becomes one ellipsis.
 */
export function printableClusters(text: string, chain: TypefaceChain): Cluster[] {
  const pieces: Piece[] = [];
  let isAfterGap = false;
  for (const word of text.split(/(?<= )|(?= )/)) {
    const face = word === " " ? faceForSpace(pieces.at(-1), chain) : faceFor(word, chain);
    for (const { segment } of graphemes.segment(word)) {
      const piece = face ? { text: segment, face } : printablePiece(segment, chain);
      const repeats = piece && (piece.text === " " || piece.text === "…") && pieces.at(-1)?.text === piece.text;
      if (isAfterGap && pieces.at(-1)?.text === " " && /^[!?.,:;)\]}»”’]/.test(piece?.text ?? "")) pieces.pop();
      if (piece && !repeats) pieces.push(piece);
      if (piece?.text !== " ") isAfterGap = piece === null;
    }
  }
  while (pieces.at(-1)?.text === " ") pieces.pop();
  while (pieces[0]?.text === " ") pieces.shift();
  return withLevels(pieces);
}

/** True when `clusters` hold a letter or a digit. */
export function saysSomething(clusters: readonly Cluster[]): boolean {
  return clusters.some((cluster) => /[\p{L}\p{N}]/u.test(cluster.text));
}

function faceFor(text: string, chain: TypefaceChain): TypefaceName | undefined {
  return chain.find((name) => covers(name, text));
}

/** Puts a space into the face of the word before it. */
function faceForSpace(before: Piece | undefined, chain: TypefaceChain): TypefaceName {
  return before && hasGlyphs(before.face, " ") ? before.face : chain[0];
}

/** Signs that a title needs for its meaning. */
const SIMILAR: Readonly<Record<string, string>> = { "♯": "#", "♭": "b" };

function printablePiece(text: string, chain: TypefaceChain): Piece | null {
  const similar = SIMILAR[text] ?? "";
  const baseLetters = text.normalize("NFKD").replace(/\p{M}/gu, "");
  const isWritten = /[\p{L}\p{N}]/u.test(text);
  const transcribed = isWritten ? anyAscii(text) : "";
  for (const candidate of [text, similar, text.normalize("NFKC"), baseLetters, transcribed]) {
    const face = candidate === "" ? undefined : faceFor(candidate, chain);
    if (face) return { text: candidate, face };
  }
  return isWritten ? { text: "…", face: chain[0] } : null;
}
