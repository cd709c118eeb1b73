import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { quizGroups } from "../learning/quiz-result.js";
import { objectIdField, withDefault } from "../row.js";

/** A question of an attempt. */
export type AttemptQuestion = z.input<typeof attemptQuestionRow>;
const attemptQuestionRow = z.object({
  questionId: objectIdField,
  /** `_id` of the version that the attempt was given. */
  versionId: objectIdField,
  kind: z.string(),
  /** Positions of its options or items in the order shown; empty: as stored. */
  order: z.array(z.number()),
  /**
   * Ids of its options or items in this attempt, in the stored order. The author's ids could tell the answer. Absent in
   * attempts that started before attempts had ids of their own: these use the author's.
   */
  ids: z.array(z.string()).exactOptional(),
});

/**
 * One attempt at an assessment. It starts once and is graded once. The open attempt of a learner is the one with the
 * highest number, because no other starts before it is graded.
 */
export type AssessmentAttempt = z.input<typeof assessmentAttemptRow>;
const assessmentAttemptRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  courseId: objectIdField,
  chapterId: z.string(),
  assessmentId: objectIdField,
  /** From 1, among the learner's attempts at the assessment. */
  number: z.number(),
  /** Number of the learner's attempts before the last renewal; absent: 0. */
  formerAttempts: z.number().exactOptional(),
  /** It began before the learner began the course again: it passes nothing, and takes no attempt away. */
  isFormer: z.boolean().exactOptional(),
  state: z.enum(["open", "graded"]),
  /** `viaPath` of the enrollment when it began: the course may be locked. */
  viaPath: z.literal(true).exactOptional(),
  startedAt: timestamp,
  endsAt: timestamp.nullable(),
  /** When the job grades it: the end with the grace. Absent when graded, or without a time limit. */
  gradeAt: timestamp.exactOptional(),
  /** Percent that passes, as the learner was told. */
  passPercent: z.number(),
  /** In the order shown. */
  questions: z.array(attemptQuestionRow),
  /** By question id. An answer of a wrong type is null. */
  answers: withDefault(z.record(z.string(), z.unknown()), {}),
  /** Absent while it is open, as are the following. */
  endedAt: timestamp.exactOptional(),
  /** Points of each question. */
  points: z.array(z.number()).exactOptional(),
  totalPoints: z.number().exactOptional(),
  /** 0 to 100, whole. */
  percent: z.number().exactOptional(),
  passed: z.boolean().exactOptional(),
  group: z.enum(quizGroups).exactOptional(),
});

/** An attempt that was graded. */
export type GradedAttempt = AssessmentAttempt &
  Required<Pick<AssessmentAttempt, "endedAt" | "points" | "totalPoints" | "percent" | "passed" | "group">>;

/** Number of attempts that count against the limit. @param newest the learner's newest attempt */
export const countAttempts = (newest: AssessmentAttempt | null): number =>
  !newest || newest.isFormer ? 0 : newest.number - (newest.formerAttempts ?? 0);

export const isGraded = (attempt: AssessmentAttempt): attempt is GradedAttempt => attempt.state === "graded";

export const assessmentAttemptCollection = defineCollection({
  row: assessmentAttemptRow,
  options: { minimize: false },
  indexes: [
    // The limit of attempts, and the newest attempt.
    [{ userId: 1, assessmentId: 1, number: 1 }, { unique: true }],
    [
      { userId: 1, assessmentId: 1 },
      { unique: true, partialFilterExpression: { state: "open" } },
    ],
    [{ userId: 1, assessmentId: 1, state: 1, percent: 1, passed: 1 }], // covers the best one
    [{ userId: 1, courseId: 1, state: 1, endedAt: 1, chapterId: 1, percent: 1 }], // figures
    [{ assessmentId: 1, _id: 1 }, { partialFilterExpression: { state: "open" } }], // a removal
    [{ gradeAt: 1 }, { sparse: true }], // the job that grades attempts
  ],
  holds: "one attempt at an assessment: versions of its questions, answers, grade",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "assessmentAttempts",
    batchSize: 20,
    exported: [
      "courseId",
      "chapterId",
      "number",
      "state",
      "startedAt",
      "endsAt",
      "answers",
      "endedAt",
      "points",
      "totalPoints",
      "percent",
      "passed",
      "group",
    ],
    exportedAs: {
      answers: z.record(z.string(), z.unknown()),
      endedAt: timestamp.nullable().optional(),
    },
    erasure: "delete",
  },
});
