import anyAscii from "any-ascii";
import { normalForm } from "../../lib/normal-form.js";

/** Accents, Hebrew points, Arabic vowel signs, the Arabic line that stretches words, and Indic dots below. */
const marks =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc]/g;
const formatCharacters = /\p{Cf}/gu;

/** Latin letters that are no letter with an accent, and digits of any script. */
const latin = /(?![a-z\d])[\p{Script=Latin}\p{Nd}]/gu;

/** Letters that people write in several ways, after their marks have gone. */
const forms: readonly (readonly [written: RegExp, folded: string])[] = [
  [/\u03c2/g, "\u03c3"], // the Greek sigma at the end of a word
  // Arabic and Persian: alef, yeh, kaf, heh, and the hamza on the line.
  [/\u0671/g, "\u0627"],
  [/[\u0649\u06cc]/g, "\u064a"],
  [/[\u06a9\u06aa]/g, "\u0643"],
  [/[\u0629\u06be\u06c1\u06c3\u06d5]/g, "\u0647"],
  [/\u0621/g, ""],
  // Devanagari: a nasal before a consonant, and vowels written as A with a sign.
  [/\u0901/g, "\u0902"],
  [/[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])/g, "\u0902"],
  [/\u0905\u0949/g, "\u0911"],
  [/\u0905\u094b/g, "\u0913"],
  [/\u0905\u094c/g, "\u0914"],
  // The long A of Devanagari, Bengali, Gurmukhi, Gujarati and Odia.
  [/\u0905\u093e/g, "\u0906"],
  [/\u0985\u09be/g, "\u0986"],
  [/\u0a05\u0a3e/g, "\u0a06"],
  [/\u0a85\u0abe/g, "\u0a86"],
  [/\u0b05\u0b3e/g, "\u0b06"],
  // Letters without a vowel: the Bengali khanda ta, and the Malayalam chillus.
  [/\u09ce/g, "\u09a4\u09cd"],
  [/\u0d7a/g, "\u0d23\u0d4d"],
  [/\u0d7b/g, "\u0d28\u0d4d"],
  [/\u0d7c/g, "\u0d30\u0d4d"],
  [/\u0d7d/g, "\u0d32\u0d4d"],
  [/\u0d7e/g, "\u0d33\u0d4d"],
  [/\u0d7f/g, "\u0d15\u0d4d"],
];

const otherThanAscii = /[^\0-\x7f]/;

/**
 * Writes a text so that case, accents, widths, the encoding of letters, and letters that only some keyboards have make no
 * difference. Each script stays: only Latin letters and digits become ASCII.
 */
export function foldLetters(text: string): string {
  if (!otherThanAscii.test(text)) return text.toLowerCase();
  const plain = normalForm(normalForm(text, "NFKD").replace(marks, "").replace(formatCharacters, "")).toLowerCase();
  return forms.reduce((folded, [written, by]) => folded.replace(written, by), plain).replace(latin, anyAscii);
}

const spelledOut: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };

/** Writes German and Nordic vowels as people do without these letters: `ueber`. Other people write `uber`. */
export const spellOut = (text: string): string =>
  normalForm(text).replace(/[äöüåø]/gi, (letter) => spelledOut[letter.toLowerCase()] ?? letter);
