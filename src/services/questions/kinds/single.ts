import { z } from "zod";
import { giftText, markdownOf, percentOf } from "../gift/gift-text.js";
import { idsOf, optionId, options } from "./options.js";
import { defineKind } from "./question-kind.js";

/** A choice with one right option. */
export const single = defineKind({
  name: "single",
  rightWhen: "it is the id of the right option",
  fields: { options, correct: optionId.meta({ description: "id of the right option" }) },
  findFault: ({ options, correct }) => (idsOf(options).includes(correct) ? undefined : "correct is no option"),
  shown: ["options"],
  shuffled: "options",
  answer: z.string(),
  score: ({ correct }, answer) => (answer === correct ? 1 : 0),
  gift: {
    write: ({ options, correct }) =>
      options.map(({ id, text }) => `${id === correct ? "=" : "~"}${giftText(text)}`).join("\n"),
    read(question, idAt) {
      if (question.type !== "MC") return undefined;
      const percents = question.choices.map(percentOf);
      // With `=`, Moodle lets learners choose one option. What a wrong one takes away is not kept.
      const isOfOne = question.choices.some(({ isCorrect }) => isCorrect);
      if (percents.some((percent) => percent !== 100 && (isOfOne ? percent > 0 : percent !== 0))) return undefined;
      const right = percents.flatMap((percent, index) => (percent === 100 ? [index] : []));
      const [first] = right;
      if (first === undefined || right.length > 1) return { reason: "a choice of one needs one right option" };
      return {
        fields: {
          options: question.choices.map(({ text }, index) => ({ id: idAt(index), text: markdownOf(text) })),
          correct: idAt(first),
        },
      };
    },
  },
});
