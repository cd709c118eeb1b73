import { Schema, type Types } from "mongoose";
import { z } from "zod";
import { id, timestamp } from "../../lib/fields.js";
import { defineCollection, optional } from "../collection.js";

/**
 * One version of a question in an educator's bank. Its content never changes: an edit adds a version. Attempts name
 * versions, so that neither an edit nor a deletion changes an attempt.
 */
export interface Question {
  /** Id of the version. */
  _id: Types.ObjectId;
  questionId: Types.ObjectId;
  educatorId: string;
  /** From 1. */
  version: number;
  /** True for the newest version of a question that is not deleted. */
  isCurrent: boolean;
  kind: string;
  /** Markdown. */
  prompt: string;
  points: number;
  explanation?: string;
  tags: string[];
  /** The fields of the kind. */
  fields: Record<string, unknown>;
  /** Of the question. */
  createdAt: Date;
  /** Of the version. */
  changedAt: Date;
}

const questionSchema = new Schema<Question>({
  questionId: { type: Schema.Types.ObjectId, required: true },
  educatorId: { type: String, required: true },
  version: { type: Number, required: true },
  isCurrent: { type: Boolean, required: true },
  kind: { type: String, required: true },
  prompt: { type: String, required: true },
  points: { type: Number, required: true },
  explanation: String,
  tags: { type: [String], required: true },
  fields: { type: Schema.Types.Mixed, required: true },
  createdAt: { type: Date, required: true },
  changedAt: { type: Date, required: true },
});
questionSchema.index({ questionId: 1, version: 1 }, { unique: true });
questionSchema.index({ questionId: 1 }, { unique: true, partialFilterExpression: { isCurrent: true } });
// The bank, newest first: whole, by tag or by kind. A search reads the prompts of one bank.
questionSchema.index({ educatorId: 1, isCurrent: 1, createdAt: -1, questionId: -1 });
questionSchema.index({ educatorId: 1, isCurrent: 1, tags: 1, createdAt: -1, questionId: -1 });
questionSchema.index({ educatorId: 1, isCurrent: 1, kind: 1, createdAt: -1, questionId: -1 });

export const questionCollection = defineCollection<Question>({
  schema: questionSchema,
  holds: "a version of a question in an educator's bank",
  kept: "for good, because attempts name versions",
  userData: {
    owner: "educatorId",
    section: "questions",
    row: z.object({
      questionId: id,
      version: z.number(),
      isCurrent: z.boolean(),
      kind: z.string(),
      prompt: z.string(),
      points: z.number(),
      explanation: optional.text,
      tags: z.array(z.string()),
      fields: z.record(z.string(), z.unknown()),
      createdAt: timestamp,
      changedAt: timestamp,
    }),
    erasure: { keep: "learners' attempts name it; the educator's name is gone with the profile" },
  },
});
