import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField, rowTimes } from "../row.js";

export const showAnswersRules = ["never", "after_attempt", "after_pass"] as const;

/** Questions that each attempt draws from the bank. */
export type Draw = z.input<typeof drawRow>;
const drawRow = z.object({ tag: z.string(), count: z.number() });

/** An educator's assessment, which replaces the AI quiz of a chapter. A removed one stays for its attempts. */
export type Assessment = z.input<typeof assessmentRow>;
const assessmentRow = z.object({
  _id: objectIdField,
  courseId: objectIdField,
  chapterId: z.string(),
  title: z.string(),
  /** In order; empty if questions are drawn. */
  questionIds: z.array(objectIdField),
  /** Empty if questions are named. */
  draw: z.array(drawRow),
  passPercent: z.number(),
  maxAttempts: z.number().nullable(),
  cooldownMinutes: z.number(),
  timeLimitMinutes: z.number().nullable(),
  shuffle: z.boolean(),
  showAnswers: z.enum(showAnswersRules),
  requiredForCompletion: z.boolean(),
  /** False after its removal. */
  isCurrent: z.boolean(),
  removedAt: timestamp.exactOptional(),
  /** When the job grades the open attempts; absent unless it was removed. */
  sweepAt: timestamp.exactOptional(),
  ...rowTimes,
});

export const assessmentCollection = defineCollection({
  row: assessmentRow,
  indexes: [
    [
      { courseId: 1, chapterId: 1 },
      { unique: true, partialFilterExpression: { isCurrent: true } },
    ],
    [{ sweepAt: 1 }, { sparse: true }], // the job that grades attempts
  ],
  holds: "an educator's assessment of a chapter: questions and rules",
  kept: "for good, because attempts name it",
  userData: "none",
});
