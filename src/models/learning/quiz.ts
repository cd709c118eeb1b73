import { z } from "zod";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

export type QuizQuestion = z.input<typeof quizQuestionRow>;
const quizQuestionRow = z.object({
  question: z.string(),
  /** Four, all different. */
  options: z.array(z.string()),
  /** Index of the one right option. Never leaves the server before an attempt is submitted, except to the educator. */
  correctIndex: z.number(),
  explanation: withDefault(z.string(), ""),
});

/** One version of a chapter's quiz. It never changes: a regenerated quiz is a new version, and the highest is in force. */
export type Quiz = z.input<typeof quizRow>;
const quizRow = z.object({
  _id: objectIdField,
  courseId: objectIdField,
  chapterId: z.string(),
  chapterTitle: z.string(),
  courseTitle: z.string(),
  /** 1 to 20. */
  questions: z.array(quizQuestionRow),
  /** From 1. */
  version: z.number(),
  ...rowTimes,
});

export const quizCollection = defineCollection({
  row: quizRow,
  indexes: [
    [{ courseId: 1, chapterId: 1, version: -1 }, { unique: true }], // also finds the version in force
  ],
  holds: "questions of a chapter; a version never changes",
  kept: "for good",
  userData: "none",
});

/** The version that a learner saw last. The next attempt is graded on it. It never goes back. */
const lastServedQuizRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  courseId: objectIdField,
  chapterId: z.string(),
  version: z.number(),
  ...rowTimes,
});

export const lastServedQuizCollection = defineCollection({
  row: lastServedQuizRow,
  indexes: [[{ userId: 1, courseId: 1, chapterId: 1 }, { unique: true }]],
  holds: "the version of a quiz that a learner saw last",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "quizzesSeen",
    exported: ["courseId", "chapterId", "version", "createdAt", "updatedAt"],
    erasure: "delete",
  },
});
