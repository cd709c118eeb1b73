import { z } from "zod";
import { list } from "../../../lib/fields.js";
import { idsOf, maxOptions, options } from "./options.js";
import { defineKind } from "./question-kind.js";

/** Items to put in order. GIFT has no such kind. */
export const order = defineKind({
  name: "order",
  rightWhen: "it has the ids in the same order",
  fields: { items: options.meta({ description: "in the right order" }) },
  shown: ["items"],
  shuffled: "items",
  isAlwaysShuffled: true,
  answer: list(z.string(), maxOptions),
  score({ items }, answer) {
    const ids = idsOf(items);
    return ids.length === answer.length && ids.every((id, index) => id === answer[index]) ? 1 : 0;
  },
});
