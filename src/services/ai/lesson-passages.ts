import { promptText } from "./model-text.js";

/** Longest part of a lesson that is compared with a question; the comparison then takes a few milliseconds. */
const maxReadLength = 60_000;

/**
 * Returns the paragraphs of a lesson that hold most of a question's words, in the order of the lesson.
 * @param terms words in lower case. @param max length in UTF-16 units.
 */
export function passagesAbout(terms: readonly string[], markdown: string, max: number): string {
  if (markdown.length <= max) return promptText(markdown, max);
  const ranked = markdown
    .slice(0, maxReadLength)
    .split(/\n\s*\n/)
    .map((text, position) => ({ text, position, words: countIn(text.toLowerCase(), terms) }))
    .sort((a, b) => b.words - a.words);
  const chosen: typeof ranked = [];
  let left = max;
  for (const paragraph of ranked) {
    left -= paragraph.text.length + 2;
    if (left < 0 && chosen.length > 0) break;
    chosen.push(paragraph);
  }
  const passages = chosen.sort((a, b) => a.position - b.position).map(({ text }) => text);
  return promptText(passages.join("\n\n"), max);
}

const countIn = (text: string, terms: readonly string[]): number => terms.filter((term) => text.includes(term)).length;

/** Cuts texts to `max` UTF-16 units in all. What short texts leave is shared among the longer ones. */
export function cutTogether(texts: readonly string[], max: number): string[] {
  let left = max;
  const shares = new Map<number, number>();
  const byLength = [...texts.keys()].sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0));
  for (const [done, position] of byLength.entries()) {
    const share = Math.min(texts[position]?.length ?? 0, Math.floor(left / (texts.length - done)));
    shares.set(position, share);
    left -= share;
  }
  return texts.map((text, position) => promptText(text, shares.get(position) ?? 0));
}
