import { foldLetters, spellOut } from "./fold-letters.js";

/** Signs at the end belong to the word, as in C++ and C#. */
const word = /[\p{L}\p{M}\p{N}]+[+#]*/gu;

/** Letters of scripts that write no spaces between words. */
const unspaced = /([\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+)/u;

/** Longer words are cut, in texts and in queries. */
const maxWordLength = 40;

/** The part of a text that is read, in UTF-16 units, and the number of its different words that count. */
const maxTextLength = 8_000;
export const maxTerms = 300;

/** What stands between two words that people also write as one: `Wi-Fi`, `Node.js`. */
const glue = /^[^\s]$/u;
const space = /^\s+$/u;

/**
 * Returns the words of a text that is searched, and the joined forms of words with one sign between them. A run of unspaced
 * letters gives each pair of neighbours, and its last letter.
 * @param options `joinsSpaced`: joins neighbours with a space between them, too.
 */
export function textWords(text: string, { joinsSpaced }: { joinsSpaced: boolean }): string[] {
  const read = text.slice(0, maxTextLength);
  const [plain, spelled] = [foldLetters(read), foldLetters(spellOut(read))];
  const words = withJoined(split(plain, pairsAndLast), joinsSpaced);
  const counted = new Set<string>();
  const isCounted = (one: string) => counted.has(one) || (counted.size < maxTerms && counted.add(one) !== undefined);
  const kept = words.filter(isCounted);
  if (spelled === plain) return kept;
  const others = withJoined(split(spelled, pairsAndLast), joinsSpaced).filter((one) => !counted.has(one));
  return [...kept, ...others.filter(isCounted)];
}

/** A word of a query, and other ways to write it: joined with a neighbour, or with its vowels spelled out. */
export interface QueryWord {
  readonly word: string;
  readonly others: readonly string[];
}

/** Returns the different words of a query. A run of unspaced letters gives each pair of neighbours. */
export function queryWords(query: string): QueryWord[] {
  const pairs = (letters: readonly string[]) => pairsAndLast(letters).slice(0, letters.length - 1 || 1);
  const words = split(foldLetters(query), pairs);
  const spelled = split(foldLetters(spellOut(query)), pairs);
  const found = words.map(({ text }, at): [string, string[]] => {
    const others = [joined(words[at - 1], words[at]), joined(words[at], words[at + 1]), spelled[at]?.text];
    return [text, others.filter((other): other is string => other !== undefined && other !== text)];
  });
  return [...new Map(found)].map(([text, others]) => ({ word: text, others }));
}

interface Part {
  readonly text: string;
  /** What stands before it, behind another word. */
  readonly gap: string;
  readonly isUnspaced?: true;
}

const pairsAndLast = (letters: readonly string[]): string[] =>
  letters.map((letter, at) => letter + (letters[at + 1] ?? ""));

function split(folded: string, wordsOfRun: (letters: readonly string[]) => string[]): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: whole, index } of folded.matchAll(word)) {
    const gap = folded.slice(end, index);
    end = index + whole.length;
    // Every second part is a run of unspaced letters.
    for (const [at, part] of whole.split(unspaced).entries()) {
      if (at % 2 === 1)
        parts.push(...wordsOfRun([...part]).map((text) => ({ text, gap: "", isUnspaced: true as const })));
      else if (/[^+#]/.test(part)) parts.push({ text: part.slice(0, maxWordLength), gap });
    }
  }
  return parts;
}

function joined(before: Part | undefined, after: Part | undefined): string | undefined {
  if (!before || !after || before.isUnspaced || after.isUnspaced) return undefined;
  const text = before.text + after.text;
  return text.length <= maxWordLength ? text : undefined;
}

/** Adds behind each word what it makes together with the word before, and with all that are glued to it. */
function withJoined(parts: readonly Part[], joinsSpaced: boolean): string[] {
  const words: string[] = [];
  let run = "";
  for (const [at, part] of parts.entries()) {
    words.push(part.text);
    const before = parts[at - 1];
    const pair = joined(before, part);
    const isGlued = pair !== undefined && glue.test(part.gap);
    run = isGlued ? run + part.text : part.text;
    if (pair !== undefined && (isGlued || (joinsSpaced && space.test(part.gap)))) words.push(pair);
    if (isGlued && run !== pair && run.length <= maxWordLength) words.push(run);
  }
  return words;
}
