import { Schema, type Types } from "mongoose";
import { defineCollection } from "../collection.js";

export const showAnswersRules = ["never", "after_attempt", "after_pass"] as const;
export type ShowAnswers = (typeof showAnswersRules)[number];

/** Questions that each attempt draws from the bank. */
export interface Draw {
  tag: string;
  count: number;
}

/** An educator's assessment, which replaces the AI quiz of a chapter. A removed one stays for its attempts. */
export interface Assessment {
  _id: Types.ObjectId;
  courseId: Types.ObjectId;
  chapterId: string;
  title: string;
  /** In order; empty if questions are drawn. */
  questionIds: Types.ObjectId[];
  /** Empty if questions are named. */
  draw: Draw[];
  passPercent: number;
  maxAttempts: number | null;
  cooldownMinutes: number;
  timeLimitMinutes: number | null;
  shuffle: boolean;
  showAnswers: ShowAnswers;
  requiredForCompletion: boolean;
  /** False after its removal. */
  isCurrent: boolean;
  removedAt?: Date;
  /** When the job grades the open attempts; absent unless it was removed. */
  sweepAt?: Date;
  createdAt: Date;
  updatedAt: Date;
}

const assessmentSchema = new Schema<Assessment>(
  {
    courseId: { type: Schema.Types.ObjectId, required: true },
    chapterId: { type: String, required: true },
    title: { type: String, required: true },
    questionIds: { type: [Schema.Types.ObjectId], required: true },
    draw: { type: [new Schema({ tag: String, count: Number }, { _id: false })], required: true },
    passPercent: { type: Number, required: true },
    maxAttempts: { type: Number, default: null },
    cooldownMinutes: { type: Number, required: true },
    timeLimitMinutes: { type: Number, default: null },
    shuffle: { type: Boolean, required: true },
    showAnswers: { type: String, enum: showAnswersRules, required: true },
    requiredForCompletion: { type: Boolean, required: true },
    isCurrent: { type: Boolean, required: true },
    removedAt: Date,
    sweepAt: Date,
  },
  { timestamps: true },
);
assessmentSchema.index({ courseId: 1, chapterId: 1 }, { unique: true, partialFilterExpression: { isCurrent: true } });
assessmentSchema.index({ sweepAt: 1 }, { sparse: true }); // the job that grades attempts

export const assessmentCollection = defineCollection<Assessment>({
  schema: assessmentSchema,
  holds: "an educator's assessment of a chapter: questions and rules",
  kept: "for good, because attempts name it",
  userData: "none",
});
