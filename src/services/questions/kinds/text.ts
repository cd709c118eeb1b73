import { z } from "zod";
import { text as boundedText, list } from "../../../lib/fields.js";
import { giftText, percentOf, plainOf } from "../gift/gift-text.js";
import { defineKind, lines } from "./question-kind.js";

/** A text as it is compared. */
function normalForm(text: string, isCaseSensitive: boolean): string {
  const plain = text.normalize("NFC").trim().replace(/\s+/g, " ");
  return isCaseSensitive ? plain : plain.toUpperCase().normalize("NFC");
}

/** A short text. */
export const text = defineKind({
  name: "text",
  rightWhen: "it is one of `accepted`, after trimming and collapsing spaces",
  fields: { accepted: list(lines(1, 200), 20, 1), caseSensitive: z.boolean().default(false) },
  shown: [],
  answer: boundedText(0, 1_000),
  score({ accepted, caseSensitive }, answer) {
    const given = normalForm(answer, caseSensitive);
    return accepted.some((right) => normalForm(right, caseSensitive) === given) ? 1 : 0;
  },
  gift: {
    write: ({ accepted }) => accepted.map((right) => `=${giftText(right)}`).join("\n"),
    read(question) {
      if (question.type !== "Short") return undefined;
      const { choices } = question;
      if (choices.some((choice) => percentOf(choice) !== 100))
        return { reason: "a part of the points for a text cannot be kept" };
      return { fields: { accepted: choices.map((choice) => plainOf(choice.text)) } };
    },
  },
});
