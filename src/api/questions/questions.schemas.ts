import { z } from "zod";
import { newestFirstPage, nextCursor } from "../../http/pages.js";
import { text } from "../../lib/fields.js";
import {
  commonChanges,
  kindNames,
  questionContent,
  questionTag,
  questionView,
} from "../../services/questions/question-kinds.js";

export const QuestionBody = questionContent;

export const QuestionChangesBody = z
  .looseObject(commonChanges)
  .meta({ description: "Any fields of the question. With another `kind`, all fields of that kind" });

export const QuestionReply = z.object({ question: questionView });

export const QuestionsQuery = z.object({
  ...newestFirstPage,
  tag: questionTag.optional(),
  kind: z.enum(kindNames).optional(),
  q: text(0, 200).optional().meta({ description: "literal, case-insensitive match in the prompt" }),
});
export const QuestionsReply = z.object({ questions: z.array(questionView), nextCursor });

export const GiftBody = z.string().meta({
  example: "What is the capital of Portugal? {=Lisbon ~Porto}\n\nThe earth is round. {TRUE}\n",
});
export const GiftImportReply = z.object({
  imported: z.number(),
  skipped: z.array(z.object({ line: z.number().meta({ description: "from 1" }), message: z.string() })),
});
