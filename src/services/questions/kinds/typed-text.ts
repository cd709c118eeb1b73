import { z } from "zod";
import { text as boundedText, list } from "../../../lib/fields.js";
import { normalForm } from "../../../lib/normal-form.js";
import { giftText, percentOf } from "../gift/gift-text.js";
import { defineKind, lines } from "./question-kind.js";

/** Characters that word processors and phones put in the place of those of a keyboard. */
const typed: readonly (readonly [RegExp, string])[] = [
  [/\p{Default_Ignorable_Code_Point}|(?!\s)\p{Cc}/gu, ""],
  [/[‘’‚‛‹›′ʼ＇`´]/gu, "'"],
  [/[“”„‟″«»＂]/gu, '"'],
  [/[\p{Pd}\u2043\u2212]/gu, "-"],
];

/** A text as it is compared. */
function comparedForm(text: string, isCaseSensitive: boolean): string {
  const ascii = typed.reduce((written, [from, to]) => written.replace(from, to), normalForm(text));
  const plain = normalForm(ascii.trim().replace(/\s+/g, " "));
  return isCaseSensitive ? plain : normalForm(plain.toUpperCase());
}

/** A short text. */
export const typedText = defineKind({
  name: "text",
  rightWhen:
    "it is one of `accepted`, after trimming and collapsing spaces; invisible characters, and the form of quotes, " +
    "apostrophes and hyphens, do not count",
  fields: { accepted: list(lines(1, 200), 20, 1), caseSensitive: z.boolean().default(false) },
  shown: [],
  answer: boundedText(0, 1_000),
  score({ accepted, caseSensitive }, answer) {
    const given = comparedForm(answer, caseSensitive);
    return accepted.some((right) => comparedForm(right, caseSensitive) === given) ? 1 : 0;
  },
  gift: {
    write: ({ accepted }) => accepted.map((right) => `=${giftText(right)}`).join("\n"),
    read(question) {
      if (question.type !== "Short") return undefined;
      const { choices } = question;
      if (choices.some((choice) => percentOf(choice) !== 100))
        return { reason: "a part of the points for a text cannot be kept" };
      return { fields: { accepted: choices.map((choice) => choice.text.text) } };
    },
  },
});
