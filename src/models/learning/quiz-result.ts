import { z } from "zod";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

export const quizGroups = ["needs_review", "on_track", "mastered"] as const;
export type QuizGroup = (typeof quizGroups)[number];

/** One graded attempt. */
export type QuizResult = z.input<typeof quizResultRow>;
const quizResultRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  courseId: objectIdField,
  chapterId: z.string(),
  score: z.number(),
  total: z.number(),
  /** 0 to 100, whole. */
  percentage: z.number(),
  group: z.enum(quizGroups),
  /** 4 to 5 lines, each starting with a bullet. */
  recommendations: z.string(),
  /** Chosen option of each question, 0 to 3. */
  answers: z.array(z.number()),
  /** Version of the quiz that was graded. */
  version: z.number(),
  ...rowTimes,
});

/** An attempt to store; the times are now by default. */
export type NewQuizResult = Omit<QuizResult, "createdAt" | "updatedAt"> &
  Partial<Pick<QuizResult, "createdAt" | "updatedAt">>;

export const quizResultCollection = defineCollection({
  row: quizResultRow,
  indexes: [
    [{ courseId: 1, chapterId: 1, version: 1 }], // a recount
    [{ userId: 1, courseId: 1, chapterId: 1, createdAt: -1, _id: -1 }], // attempts at one quiz
    [{ userId: 1, courseId: 1, createdAt: -1, _id: -1 }], // attempts in one course
    // All of a learner's attempts; the tutor reads the newest.
    [{ userId: 1, createdAt: -1, _id: -1 }],
  ],
  holds: "one graded attempt; the tutor reads it",
  kept: "for good; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "quizResults",
    exported: [
      "courseId",
      "chapterId",
      "score",
      "total",
      "percentage",
      "group",
      "recommendations",
      "answers",
      "createdAt",
      "updatedAt",
    ],
    exportedAs: { recommendations: z.string().optional() },
    erasure: { anonymise: { recommendations: "" } },
  },
});

/** Counters over all attempts at one chapter's quizzes. They move in the transaction that stores an attempt. */
export type QuizChapterStats = z.input<typeof quizChapterStatsRow>;
const quizChapterStatsRow = z.object({
  _id: objectIdField,
  courseId: objectIdField,
  chapterId: z.string(),
  attempts: withDefault(z.number(), 0),
  /** Sum of the attempts' percentages. */
  totalPct: withDefault(z.number(), 0),
  needs_review: withDefault(z.number(), 0),
  on_track: withDefault(z.number(), 0),
  mastered: withDefault(z.number(), 0),
  /** The newest version that was attempted. */
  newestVersion: withDefault(z.number(), 0),
});

export const quizChapterStatsCollection = defineCollection({
  row: quizChapterStatsRow,
  indexes: [[{ courseId: 1, chapterId: 1 }, { unique: true }]],
  holds: "sums over the attempts at a chapter's quiz",
  kept: "for good",
  userData: "none",
});

/** Counters over all attempts at one version of a quiz: how often each option of each question was chosen. */
export type QuizVersionStats = z.input<typeof quizVersionStatsRow>;
const quizVersionStatsRow = z.object({
  _id: objectIdField,
  courseId: objectIdField,
  chapterId: z.string(),
  version: z.number(),
  attempts: withDefault(z.number(), 0),
  /** `<question>_<option>` (both indexes from 0) → times chosen; at most 80 entries. */
  chosen: withDefault(z.record(z.string(), z.number()), {}),
});

export const quizVersionStatsCollection = defineCollection({
  row: quizVersionStatsRow,
  options: { minimize: false },
  indexes: [[{ courseId: 1, chapterId: 1, version: 1 }, { unique: true }]],
  holds: "sums over the attempts at one version of a quiz",
  kept: "for good",
  userData: "none",
});
