import { z } from "zod";
import type { Deps } from "../../deps.js";
import { listReply } from "../../http/list-reply.js";
import { newestFirstPage, nextCursor } from "../../http/pages.js";
import { explainInvalid, headerText } from "../../http/pipeline/explain-invalid.js";
import { streamBody } from "../../http/replies/stream-body.js";
import { type RouteGroup, route } from "../../http/route.js";
import { ApiError, BrokenRule } from "../../lib/errors.js";
import { text } from "../../lib/fields.js";
import {
  addQuestion,
  deleteQuestion,
  editQuestion,
  exportGift,
  findQuestion,
  importGift,
  listQuestions,
  QuestionNotFound,
  TooManyQuestions,
} from "../../services/questions/question-bank.js";
import {
  commonChanges,
  kindNames,
  questionContent,
  questionTag,
  questionView,
} from "../../services/questions/question-kinds.js";

const QuestionChangesBody = z
  .looseObject(commonChanges)
  .meta({ description: "Any fields of the question. With another `kind`, all fields of that kind" });

const QuestionsReply = listReply("questions", questionView, nextCursor);
const QuestionReply = z.object({ question: questionView });

const QuestionsQuery = z.object({
  ...newestFirstPage,
  tag: questionTag.optional(),
  kind: z.enum(kindNames).optional(),
  q: text(0, 200).optional().meta({ description: "literal, case-insensitive match in the prompt" }),
});

const GiftBody = z.string().meta({
  example: "What is the capital of Portugal? {=Lisbon ~Porto}\n\nThe earth is round. {TRUE}\n",
});
const GiftImportReply = z.object({
  imported: z.number(),
  skipped: z.array(z.object({ line: z.number().meta({ description: "from 1" }), message: z.string() })),
});

const giftHeaders = {
  "Content-Type": "text/plain; charset=utf-8",
  "Content-Disposition": 'attachment; filename="questions.gift"',
};
const accepts = { maxBytes: 512 * 1_024 };

/** An educator's bank of questions. */
export function questionsGroup({ db }: Deps): RouteGroup {
  return {
    name: "questions",
    base: "/api/educator",
    routes: [
      route("post", "/questions", {
        operationId: "createQuestion",
        summary: "Add a question to the educator's bank",
        access: "educator",
        accepts,
        body: questionContent,
        reply: QuestionReply,
        errors: [TooManyQuestions],
        handle: async ({ body, viewer }) => ({ question: await addQuestion(db, viewer.id, body) }),
      }),
      route("get", "/questions", {
        operationId: "listQuestions",
        summary: "The educator's bank of questions, newest first",
        access: "educator",
        query: QuestionsQuery,
        reply: QuestionsReply.schema,
        handle: (request) => QuestionsReply.answer(request, listQuestions(db, request.viewer.id, request.query)),
      }),
      route("post", "/questions/import", {
        operationId: "importQuestions",
        summary: "Add the questions of a GIFT file to the educator's bank",
        description:
          "Blank lines separate the questions. A question that is broken, or that no kind holds, is skipped with a reason.",
        access: "educator",
        accepts: { maxBytes: 8 * 1_048_576, type: "text/plain" },
        body: GiftBody,
        reply: GiftImportReply,
        errors: [TooManyQuestions],
        async handle({ body, viewer }) {
          const result = await importGift(db, viewer.id, body);
          if (!("unreadable" in result)) return result;
          const { line, message } = result.unreadable ?? { line: 1, message: "no question" };
          throw BrokenRule(headerText(`body: line ${line}: ${message}`));
        },
      }),
      route("get", "/questions/export.gift", {
        operationId: "exportQuestions",
        summary: "The educator's bank of questions as a GIFT file",
        description:
          "An import of the file gives the same questions. A comment names each question that GIFT cannot hold.",
        access: "educator",
        file: "text/plain",
        handle: ({ viewer, res, signal }) => streamBody(res, signal, giftHeaders, exportGift(db, viewer.id)),
      }),
      route("get", "/questions/:id", {
        operationId: "getQuestion",
        summary: "One question of the educator's bank",
        access: "educator",
        reply: QuestionReply,
        errors: [QuestionNotFound],
        handle: async ({ params, viewer }) => ({ question: await findQuestion(db, viewer.id, params.id) }),
      }),
      route("patch", "/questions/:id", {
        operationId: "updateQuestion",
        summary: "Change a question",
        description: "Makes a new version. Attempts that have begun keep the version that they were given.",
        access: "educator",
        accepts,
        body: QuestionChangesBody,
        reply: QuestionReply,
        errors: [QuestionNotFound],
        async handle({ params, body, viewer }) {
          try {
            return { question: await editQuestion(db, viewer.id, params.id, body) };
          } catch (error) {
            throw explainRefusal(error, body);
          }
        },
      }),
      route("delete", "/questions/:id", {
        operationId: "deleteQuestion",
        summary: "Take a question out of the bank",
        description: "Running and past attempts keep it.",
        access: "educator",
        errors: [QuestionNotFound],
        handle: ({ params, viewer }) => deleteQuestion(db, viewer.id, params.id),
      }),
    ],
  };
}

/** Explains a refusal of fields that do not fit the stored ones. */
function explainRefusal(error: unknown, body: unknown): unknown {
  if (error instanceof ApiError && error.options.cause instanceof z.ZodError) {
    const { cause } = error.options;
    return Object.assign(error, { explain: () => explainInvalid("body", cause, body) });
  }
  return error;
}
