import { z } from "zod";
import { list } from "../../../lib/fields.js";
import { giftText, markdownOf, percentOf } from "../gift/gift-text.js";
import { idsOf, maxOptions, optionId, options } from "./options.js";
import { defineKind } from "./question-kind.js";

/** Percent that GIFT gives for one of `count` right options. Other programs know five decimals. */
const shareOf = (count: number): number => Number((100 / count).toFixed(5));

/** Difference up to which two percentages are equal: files round thirds in different ways, to whole numbers as well. */
const tolerated = 1;
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= tolerated;

/** A choice with any number of right options. */
export const multiple = defineKind({
  name: "multiple",
  rightWhen: "it has the ids of all right options and of no other; `partial` gives part of the points",
  fields: {
    options,
    correct: list(optionId, maxOptions, 1).meta({ description: "ids of the right options" }),
    partial: z.boolean().default(false).meta({ description: "points for a part: (right − wrong) / all right ones" }),
  },
  findFault({ options, correct }) {
    const ids = idsOf(options);
    if (new Set(correct).size < correct.length) return "correct repeats an id";
    return correct.every((id) => ids.includes(id)) ? undefined : "correct is no option";
  },
  shown: ["options", "partial"],
  shuffled: "options",
  answer: list(z.string(), maxOptions),
  score({ options, correct, partial }, answer) {
    const chosen = new Set(answer);
    const ids = new Set(idsOf(options));
    if (![...chosen].every((id) => ids.has(id))) return 0;
    const right = correct.filter((id) => chosen.has(id)).length;
    const wrong = chosen.size - right;
    if (partial) return Math.max(0, (right - wrong) / correct.length);
    return right === correct.length && wrong === 0 ? 1 : 0;
  },
  gift: {
    // Each right option has its share of the points. A wrong option takes away a share if `partial`, else all points.
    write({ options, correct, partial }) {
      const share = shareOf(correct.length);
      const percent = (id: string) => (correct.includes(id) ? share : partial ? -share : -100);
      return options.map(({ id, text }) => `~%${percent(id)}%${giftText(text)}`).join("\n");
    },
    read(question, idAt) {
      if (question.type !== "MC") return undefined;
      const percents = question.choices.map(percentOf);
      const right = percents.flatMap((percent, index) => (percent > 0 ? [index] : []));
      const share = shareOf(right.length);
      // What a wrong option takes away otherwise, if anything, becomes a share.
      const isWhole = percents.every((percent) => percent > 0 || percent === -100);
      if (!right.every((index) => isNear(percents[index] ?? 0, share)))
        return { reason: "these weights of options cannot be kept" };
      return {
        fields: {
          options: question.choices.map(({ text }, index) => ({ id: idAt(index), text: markdownOf(text) })),
          correct: right.map(idAt),
          partial: !isWhole,
        },
      };
    },
  },
});
