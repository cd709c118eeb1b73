import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { objectIdField } from "../row.js";

/**
 * One version of a question in an educator's bank. Its content never changes: an edit adds a version. Attempts name
 * versions, so that neither an edit nor a deletion changes an attempt.
 */
export type Question = z.input<typeof questionRow>;
const questionRow = z.object({
  /** Id of the version. */
  _id: objectIdField,
  questionId: objectIdField,
  educatorId: z.string(),
  /** From 1. */
  version: z.number(),
  /** True for the newest version of a question that is not deleted. */
  isCurrent: z.boolean(),
  kind: z.string(),
  /** Markdown. */
  prompt: z.string(),
  points: z.number(),
  explanation: z.string().exactOptional(),
  tags: z.array(z.string()),
  /** The fields of the kind. */
  fields: z.record(z.string(), z.unknown()),
  /** Of the question. */
  createdAt: timestamp,
  /** Of the version. */
  changedAt: timestamp,
});

export const questionCollection = defineCollection({
  row: questionRow,
  indexes: [
    [{ questionId: 1, version: 1 }, { unique: true }],
    [{ questionId: 1 }, { unique: true, partialFilterExpression: { isCurrent: true } }],
    // The bank, newest first: whole, by tag or by kind. A search reads the prompts of one bank.
    [{ educatorId: 1, isCurrent: 1, createdAt: -1, questionId: -1 }],
    [{ educatorId: 1, isCurrent: 1, tags: 1, createdAt: -1, questionId: -1 }],
    [{ educatorId: 1, isCurrent: 1, kind: 1, createdAt: -1, questionId: -1 }],
  ],
  holds: "a version of a question in an educator's bank",
  kept: "for good, because attempts name versions",
  userData: {
    owner: "educatorId",
    section: "questions",
    exported: [
      "questionId",
      "version",
      "isCurrent",
      "kind",
      "prompt",
      "points",
      "explanation",
      "tags",
      "fields",
      "createdAt",
      "changedAt",
    ],
    erasure: { keep: "learners' attempts name it; the educator's name is gone with the profile" },
  },
});
