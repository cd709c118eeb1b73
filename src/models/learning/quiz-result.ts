import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";

export const quizGroups = ["needs_review", "on_track", "mastered"] as const;
export type QuizGroup = (typeof quizGroups)[number];

/** One graded attempt. */
export interface QuizResult {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  chapterId: string;
  score: number;
  total: number;
  /** 0 to 100, whole. */
  percentage: number;
  group: QuizGroup;
  /** 4 to 5 lines, each starting with a bullet. */
  recommendations: string;
  /** Chosen option of each question, 0 to 3. */
  answers: number[];
  /** Version of the quiz that was graded. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** An attempt to store; the times are now by default. */
export type NewQuizResult = Omit<QuizResult, "createdAt" | "updatedAt"> &
  Partial<Pick<QuizResult, "createdAt" | "updatedAt">>;

const quizResultSchema = new Schema<QuizResult>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    chapterId: { type: String, required: true },
    score: { type: Number, required: true },
    total: { type: Number, required: true },
    percentage: { type: Number, required: true },
    group: { type: String, enum: quizGroups, required: true },
    recommendations: { type: String, required: true },
    answers: { type: [Number], required: true },
    version: { type: Number, required: true },
  },
  { timestamps: true },
);
quizResultSchema.index({ courseId: 1, chapterId: 1, version: 1 }); // a recount
quizResultSchema.index({ userId: 1, courseId: 1, chapterId: 1, createdAt: -1, _id: -1 }); // attempts at one quiz
quizResultSchema.index({ userId: 1, courseId: 1, createdAt: -1, _id: -1 }); // attempts in one course
// All of a learner's attempts; the tutor reads the newest.
quizResultSchema.index({ userId: 1, createdAt: -1, _id: -1 });

export const quizResultCollection = defineCollection<QuizResult>({
  schema: quizResultSchema,
  holds: "one graded attempt; the tutor reads it",
  kept: "for good; erasure takes the user out",
  userData: {
    owner: "userId",
    section: "quizResults",
    row: z.object({
      courseId: id,
      chapterId: z.string(),
      score: z.number(),
      total: z.number(),
      percentage: z.number(),
      group: z.string(),
      recommendations: optional.text,
      answers: z.array(z.number()),
      ...rowTimes,
    }),
    erasure: { anonymise: { recommendations: "" } },
  },
});

/** Counters over all attempts at one chapter's quizzes. They move in the transaction that stores an attempt. */
export interface QuizChapterStats {
  _id: Types.ObjectId;
  courseId: Types.ObjectId;
  chapterId: string;
  attempts: number;
  /** Sum of the attempts' percentages. */
  totalPct: number;
  needs_review: number;
  on_track: number;
  mastered: number;
  /** The newest version that was attempted. */
  newestVersion: number;
}

const quizChapterStatsSchema = new Schema<QuizChapterStats>({
  courseId: { type: Schema.Types.ObjectId, required: true },
  chapterId: { type: String, required: true },
  attempts: { type: Number, default: 0 },
  totalPct: { type: Number, default: 0 },
  needs_review: { type: Number, default: 0 },
  on_track: { type: Number, default: 0 },
  mastered: { type: Number, default: 0 },
  newestVersion: { type: Number, default: 0 },
});
quizChapterStatsSchema.index({ courseId: 1, chapterId: 1 }, { unique: true });

export const quizChapterStatsCollection = defineCollection<QuizChapterStats>({
  schema: quizChapterStatsSchema,
  holds: "sums over the attempts at a chapter's quiz",
  kept: "for good",
  userData: "none",
});

/** Counters over all attempts at one version of a quiz: how often each option of each question was chosen. */
export interface QuizVersionStats {
  _id: Types.ObjectId;
  courseId: Types.ObjectId;
  chapterId: string;
  version: number;
  attempts: number;
  /** `<question>_<option>` (both indexes from 0) → times chosen; at most 80 entries. */
  chosen: Record<string, number>;
}

const quizVersionStatsSchema = new Schema<QuizVersionStats>(
  {
    courseId: { type: Schema.Types.ObjectId, required: true },
    chapterId: { type: String, required: true },
    version: { type: Number, required: true },
    attempts: { type: Number, default: 0 },
    chosen: { type: Schema.Types.Mixed, default: {} },
  },
  { minimize: false },
);
quizVersionStatsSchema.index({ courseId: 1, chapterId: 1, version: 1 }, { unique: true });

export const quizVersionStatsCollection = defineCollection<QuizVersionStats>({
  schema: quizVersionStatsSchema,
  holds: "sums over the attempts at one version of a quiz",
  kept: "for good",
  userData: "none",
});
