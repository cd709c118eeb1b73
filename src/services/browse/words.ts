/** Accents, Hebrew points, Arabic vowel signs and the Arabic line that stretches words. */
const marks = /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0640\u064b-\u065f\u0670]/g;
const formatCharacters = /\p{Cf}/gu;

/** Signs at the end belong to the word, as in C++ and C#. */
const word = /[\p{L}\p{M}\p{N}]+[+#]*/gu;

/** Letters of scripts that write no spaces between words. */
const unspaced = /([\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+)/u;

/** Longer words are cut, in texts and in queries. */
const maxWordLength = 40;

/** Writes a text so that case, accents, widths and the encoding of letters make no difference. */
const fold = (text: string): string =>
  text.normalize("NFKD").replace(marks, "").replace(formatCharacters, "").normalize("NFC").toLowerCase();

/** The words of a text that is searched. A run of unspaced letters gives each pair of neighbours, and its last letter. */
export const textWords = (text: string): string[] => split(text, pairsAndLast);

/** The words of a query. A run of unspaced letters gives each pair of neighbours. */
export const queryWords = (query: string): string[] =>
  split(query, (letters) => pairsAndLast(letters).slice(0, letters.length - 1 || 1));

const pairsAndLast = (letters: readonly string[]): string[] =>
  letters.map((letter, at) => letter + (letters[at + 1] ?? ""));

function split(text: string, wordsOfRun: (letters: readonly string[]) => string[]): string[] {
  return (fold(text).match(word) ?? []).flatMap((whole) =>
    // Every second part is a run of unspaced letters.
    whole.split(unspaced).flatMap((part, at) => {
      if (at % 2 === 1) return wordsOfRun([...part]);
      return /[^+#]/.test(part) ? part.slice(0, maxWordLength) : [];
    }),
  );
}
