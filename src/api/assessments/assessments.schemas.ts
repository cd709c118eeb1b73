import { z } from "zod";
import { dictionary, id, list, text, timestamp } from "../../lib/fields.js";
import { type Assessment, showAnswersRules } from "../../models/assessments/assessment.js";
import { quizGroups } from "../../models/learning/quiz-result.js";
import { openQuestion, questionTag, reviewedQuestion } from "../../services/questions/question-kinds.js";

const whole = (min: number, max: number) => z.int().min(min).max(max);

/** Maximum number of questions that an attempt draws. */
const maxDrawn = 500;
const maxDraws = 100;

const draw = list(z.object({ tag: questionTag, count: whole(1, 100) }), maxDraws, 1)
  .refine((draws) => draws.reduce((sum, { count }) => sum + count, 0) <= maxDrawn, `more than ${maxDrawn} questions`)
  .meta({ description: "questions that each attempt draws from the bank by their tags, 500 at most" });

const rules = {
  passPercent: whole(0, 100),
  maxAttempts: whole(1, 100).nullable().meta({ description: "null: any number" }),
  cooldownMinutes: whole(0, 10_080).meta({ description: "pause after an attempt" }),
  timeLimitMinutes: whole(1, 480).nullable().meta({ description: "null: none" }),
  shuffle: z.boolean().meta({ description: "shows questions and options in another order to each attempt" }),
  showAnswers: z.enum(showAnswersRules),
  requiredForCompletion: z.boolean().meta({ description: "whether the course completes only when it is passed" }),
};

export const AssessmentBody = z
  .object({
    title: text(1, 200).optional().meta({ description: "that of the chapter by default" }),
    questionIds: list(z.string(), 200, 1)
      .refine((ids) => new Set(ids).size === ids.length, "names a question twice")
      .optional()
      .meta({ description: "ids of questions of the educator's bank, in order" }),
    draw: draw.optional(),
    ...rules,
  })
  .refine(
    ({ questionIds, draw }) => (questionIds === undefined) !== (draw === undefined),
    "not exactly one of questionIds and draw",
  );

/** An assessment with either its questions or its draws. */
export const presentAssessment = ({ questionIds, draw, ...fields }: Assessment) => ({
  ...fields,
  ...(draw.length > 0 ? { draw } : { questionIds }),
});

export const AssessmentReply = z.object({
  assessment: z
    .object({
      _id: id,
      courseId: id,
      chapterId: z.string(),
      title: z.string(),
      questionIds: z.array(id).optional(),
      draw: z.array(z.object({ tag: z.string(), count: z.int() })).optional(),
      ...rules,
      createdAt: timestamp,
      updatedAt: timestamp,
    })
    .meta({ id: "Assessment" }),
});

const percent = whole(0, 100);

export const AssessmentViewReply = z.object({
  assessment: z
    .object({
      title: z.string(),
      questionCount: z.int(),
      totalPoints: z.number().meta({ description: "of drawn questions: by the mean of their tags" }),
      passPercent: rules.passPercent,
      maxAttempts: rules.maxAttempts,
      cooldownMinutes: rules.cooldownMinutes,
      timeLimitMinutes: rules.timeLimitMinutes,
      attemptsUsed: z.int().meta({ description: "with the open one" }),
      bestPercent: percent.nullable().meta({ description: "null before the first graded attempt" }),
      passed: z.boolean(),
      nextAttemptAt: timestamp.nullable().meta({ description: "end of the pause; null without a pause" }),
      openAttemptId: z.string().nullable(),
    })
    .meta({ id: "AssessmentView" }),
});

const answers = dictionary(z.unknown(), maxDrawn);

const attempt = z
  .object({
    _id: id,
    startedAt: timestamp,
    endsAt: timestamp.nullable().meta({ description: "null without a time limit" }),
    questions: z.array(openQuestion).meta({ description: "in the order to show, without the right answers" }),
    answers: answers.meta({ description: "saved answers by question id; null: of a wrong type" }),
  })
  .meta({ id: "Attempt" });

const result = z
  .object({
    percent,
    points: z.number(),
    totalPoints: z.number(),
    passed: z.boolean(),
    group: z.enum(quizGroups).meta({ description: "up to 40 % needs_review, up to 75 % on_track, else mastered" }),
    review: z
      .array(
        z.object({
          question: reviewedQuestion,
          answer: z.unknown(),
          points: z.number(),
          pointsPossible: z.number(),
        }),
      )
      .optional()
      .meta({ description: "when `showAnswers` allows it, in the order shown" }),
  })
  .meta({ id: "AttemptResult" });

const example = { answers: { "665f1c2ab7e4d90012ab34cd": true } };

export const AttemptReply = z.object({ attempt });
export const GradedAttemptReply = z.object({
  attempt,
  result: result.optional().meta({ description: "absent while the attempt is open" }),
});
export const AnswersBody = z.object({ answers: answers.meta({ example: example.answers }) });
export const SavedReply = z.object({ savedAt: timestamp });
export const SubmitAttemptBody = z.object({ answers: answers.optional().meta({ example: example.answers }) });
export const ResultReply = z.object({ result });
