import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";
import { defineCollection, optional } from "../collection.js";
import { type QuizGroup, quizGroups } from "../learning/quiz-result.js";

/** A question of an attempt. */
export interface AttemptQuestion {
  questionId: Types.ObjectId;
  /** `_id` of the version that the attempt was given. */
  versionId: Types.ObjectId;
  kind: string;
  /** Positions of its options or items in the order shown; empty: as stored. */
  order: number[];
  /**
   * Ids of its options or items in this attempt, in the stored order. The author's ids could tell the answer. Absent in
   * attempts that started before attempts had ids of their own: these use the author's.
   */
  ids?: string[];
}

/**
 * One attempt at an assessment. It starts once and is graded once. The open attempt of a learner is the one with the
 * highest number, because no other starts before it is graded.
 */
export interface AssessmentAttempt {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  chapterId: string;
  assessmentId: Types.ObjectId;
  /** From 1, among the learner's attempts at the assessment. */
  number: number;
  state: "open" | "graded";
  startedAt: Date;
  endsAt: Date | null;
  /** When the job grades it: the end with the grace. Absent when graded, or without a time limit. */
  gradeAt?: Date;
  /** Percent that passes, as the learner was told. */
  passPercent: number;
  /** In the order shown. */
  questions: AttemptQuestion[];
  /** By question id. An answer of a wrong type is null. */
  answers: Record<string, unknown>;
  /** Absent while it is open, as are the following. */
  endedAt?: Date;
  /** Points of each question. */
  points?: number[];
  totalPoints?: number;
  /** 0 to 100, whole. */
  percent?: number;
  passed?: boolean;
  group?: QuizGroup;
}

/** An attempt that was graded. */
export type GradedAttempt = AssessmentAttempt &
  Required<Pick<AssessmentAttempt, "endedAt" | "points" | "totalPoints" | "percent" | "passed" | "group">>;

export const isGraded = (attempt: AssessmentAttempt): attempt is GradedAttempt => attempt.state === "graded";

const attemptQuestionSchema = new Schema<AttemptQuestion>(
  {
    questionId: { type: Schema.Types.ObjectId, required: true },
    versionId: { type: Schema.Types.ObjectId, required: true },
    kind: { type: String, required: true },
    order: { type: [Number], required: true },
    ids: { type: [String], default: undefined },
  },
  { _id: false },
);

const assessmentAttemptSchema = new Schema<AssessmentAttempt>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    chapterId: { type: String, required: true },
    assessmentId: { type: Schema.Types.ObjectId, required: true },
    number: { type: Number, required: true },
    state: { type: String, enum: ["open", "graded"], required: true },
    startedAt: { type: Date, required: true },
    endsAt: { type: Date, default: null },
    gradeAt: Date,
    passPercent: { type: Number, required: true },
    questions: [attemptQuestionSchema],
    answers: { type: Schema.Types.Mixed, default: {} },
    endedAt: Date,
    points: { type: [Number], default: undefined },
    totalPoints: Number,
    percent: Number,
    passed: Boolean,
    group: { type: String, enum: quizGroups },
  },
  { minimize: false },
);
// The limit of attempts, and the newest attempt.
assessmentAttemptSchema.index({ userId: 1, assessmentId: 1, number: 1 }, { unique: true });
assessmentAttemptSchema.index(
  { userId: 1, assessmentId: 1 },
  { unique: true, partialFilterExpression: { state: "open" } },
);
assessmentAttemptSchema.index({ userId: 1, assessmentId: 1, state: 1, percent: 1, passed: 1 }); // covers the best one
assessmentAttemptSchema.index({ userId: 1, courseId: 1, state: 1, endedAt: 1, chapterId: 1, percent: 1 }); // figures
assessmentAttemptSchema.index({ assessmentId: 1, _id: 1 }, { partialFilterExpression: { state: "open" } }); // a removal
assessmentAttemptSchema.index({ gradeAt: 1 }, { sparse: true }); // the job that grades attempts

export const assessmentAttemptCollection = defineCollection<AssessmentAttempt>({
  schema: assessmentAttemptSchema,
  holds: "one attempt at an assessment: versions of its questions, answers, grade",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "assessmentAttempts",
    batchSize: 20,
    row: z.object({
      courseId: id,
      chapterId: z.string(),
      number: z.number(),
      state: z.string(),
      startedAt: timestamp,
      endsAt: optional.time,
      answers: z.record(z.string(), z.unknown()),
      endedAt: optional.time,
      points: z.array(z.number()).optional(),
      totalPoints: optional.number,
      percent: optional.number,
      passed: optional.flag,
      group: optional.text,
    }),
    erasure: "delete",
  },
});
