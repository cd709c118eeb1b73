import type { ClientSession, Model } from "mongoose";
import { z } from "zod";
import { defineCollection } from "../collection.js";
import { objectIdField, withDefault } from "../row.js";

/** How many learners of a course have completed a lecture. Learners whose enrollment has ended are not counted. */
export type LectureCompletions = z.input<typeof lectureCompletionsRow>;
const lectureCompletionsRow = z.object({
  _id: objectIdField,
  courseId: objectIdField,
  lectureId: z.string(),
  completed: withDefault(z.number(), 0),
});

export const lectureCompletionsCollection = defineCollection({
  row: lectureCompletionsRow,
  indexes: [[{ courseId: 1, lectureId: 1 }, { unique: true }]],
  holds: "number of learners who have completed a lecture",
  kept: "for good",
  userData: "none",
});

export type CompletionChange = Pick<LectureCompletions, "courseId" | "lectureId"> & { readonly by: number };

/**
 * Adds to the numbers of learners who have completed some lectures. Call it late in a transaction, because other
 * transactions write the same rows. A number is below 0 while the events that it lacks are not counted.
 */
export async function addLectureCompletions(
  db: { readonly LectureCompletions: Model<LectureCompletions> },
  changes: readonly CompletionChange[],
  session: ClientSession,
): Promise<void> {
  if (changes.length === 0) return;
  const updates = changes.map(({ courseId, lectureId, by }) => ({
    updateOne: { filter: { courseId, lectureId }, update: { $inc: { completed: by } }, upsert: true },
  }));
  await db.LectureCompletions.bulkWrite(updates, { session });
}
