import { z } from "zod";
import { listReply } from "../../http/list-reply.js";
import { id, list, timestamp } from "../../lib/fields.js";
import { quizGroups } from "../../models/learning/quiz-result.js";

const anyId = z.string().trim().min(1);
const group = z.enum(quizGroups).meta({ description: "up to 40 % needs_review, up to 75 % on_track, else mastered" });
const percentage = z.int().min(0).max(100);
const recommendations = z.string().meta({ description: "4 to 5 lines, each starting with •" });

export const GenerateBody = z.object({ courseId: anyId, chapterId: anyId });

export const SubmitQuizBody = z.object({
  courseId: anyId,
  chapterId: anyId,
  answers: list(z.int().min(0).max(3), 20, 1).meta({ description: "chosen option of each question, in order" }),
});

const quizFields = {
  _id: id,
  courseId: id,
  chapterId: z.string(),
  chapterTitle: z.string(),
  courseTitle: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
};
const openQuestion = { question: z.string(), options: z.array(z.string()) };
const solution = { correctIndex: z.int(), explanation: z.string() };

/** The quiz before an attempt, without its answers. */
export const QuizReply = z.object({ quiz: z.object({ ...quizFields, questions: z.array(z.object(openQuestion)) }) });

export const GeneratedQuizReply = z.object({
  quiz: z.object({ ...quizFields, questions: z.array(z.object({ ...openQuestion, ...solution })) }),
});

export const SubmitReply = z.object({
  result: z.object({
    score: z.int(),
    total: z.int(),
    percentage,
    group,
    recommendations,
    review: z.array(z.object({ ...openQuestion, chosenIndex: z.int(), ...solution })),
  }),
});

export const ResultsReply = listReply(
  "results",
  z.object({
    _id: id,
    userId: z.string(),
    courseId: id,
    chapterId: z.string(),
    score: z.int(),
    total: z.int(),
    percentage,
    group,
    recommendations,
    answers: z.array(z.int()),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
);

export const CourseResultsReply = listReply(
  "results",
  z.object({ chapterId: z.string(), chapterTitle: z.string(), percentage, group }),
);

export const MyResultsReply = listReply(
  "results",
  z.object({
    _id: id,
    chapterTitle: z.string(),
    courseTitle: z.string(),
    percentage,
    group,
    createdAt: timestamp,
  }),
);

const HardQuestion = z
  .object({
    question: z.string(),
    attempts: z.int(),
    wrongPct: percentage,
    mostChosenWrongOption: z.string().nullable().meta({ description: "null when no wrong option was chosen" }),
    mostChosenWrongCount: z.int(),
  })
  .meta({ id: "HardQuestion" });

export const InsightsReply = z.object({
  insights: z.array(
    z.object({
      courseId: id,
      chapterId: z.string(),
      courseTitle: z.string(),
      chapterTitle: z.string(),
      attempts: z.int(),
      totalPct: z.number().meta({ description: "sum of the attempts' percentages" }),
      avgPct: z.int(),
      needs_review: z.int(),
      on_track: z.int(),
      mastered: z.int(),
      hardestQuestions: z
        .array(HardQuestion)
        .meta({ description: "up to 3 of the newest version attempted, most often missed first" }),
    }),
  ),
});
