/** Writes the characters of a pattern again and again. */
const repeated = (pattern: string, length: number): string =>
  pattern.repeat(Math.ceil(length / pattern.length)).slice(0, Math.max(0, length));

/** Letters that all differ, of which each is a word to a search index, and a digit to Punycode. */
const letters = (length: number): string =>
  Array.from({ length: Math.max(0, length) }, (_, at) => String.fromCharCode(0x4e00 + (at % 20_000))).join("");

/** Texts of a length in UTF-16 units that cost too much where a length is not bounded before work on the text. */
export const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  "combining marks": (length) => `${repeated("\u0315", length / 2)}${repeated("\u0300", length / 2)}`,
  "marks in groups": (length) => repeated(`a${"\u0315".repeat(15)}${"\u0300".repeat(15)}`, length),
  "different letters": letters,
  "a link of letters": (length) => `https://${letters(length - 8)}`,
  "an address of letters": (length) => `${letters(length / 2)}@${letters(length / 2 - 1)}`,
  "percent chains": (length) => `%${repeated("25", length - 1)}`,
  "percent signs": (length) => repeated("%/", length),
  "nested Markdown and brackets": (length) => repeated("[![**_(<`{> ", length / 2) + repeated("]({", length / 2),
  "digits and separators": (length) => repeated("1,1.1-1:1;1 ", length),
  "repeated words": (length) => repeated("word ", length),
};
