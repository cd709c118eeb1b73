import { z } from "zod";
import { defineKind } from "./question-kind.js";

/** A statement that is true or false. */
export const boolean = defineKind({
  name: "boolean",
  rightWhen: "it is equal",
  fields: { correct: z.boolean() },
  shown: [],
  answer: z.boolean(),
  score: ({ correct }, answer) => (answer === correct ? 1 : 0),
  gift: {
    write: ({ correct }) => (correct ? "TRUE" : "FALSE"),
    read: (question) => (question.type === "TF" ? { fields: { correct: question.isTrue } } : undefined),
  },
});
