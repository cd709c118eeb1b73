import { type ClientSession, Schema, type Types } from "mongoose";
import { z } from "zod";
import { id } from "../../lib/fields.js";
import { defineCollection, optional, rowTimes } from "../collection.js";
import type { Models } from "../index.js";
import { nativeCollection } from "../native-collection.js";

/** What one learner has done in one course. `completed` is final, and is set together with the certificate's row. */
export interface CourseProgress {
  _id: Types.ObjectId;
  userId: string;
  courseId: Types.ObjectId;
  lectureCompleted: string[];
  completed: boolean;
  completedAt: Date | null;
  /** The lecture of the newest progress call, and where in it the learner was, in seconds. */
  lastLectureId: string | null;
  positionSeconds: number;
  createdAt: Date;
  updatedAt: Date;
}

const courseProgressSchema = new Schema<CourseProgress>(
  {
    userId: { type: String, required: true },
    courseId: { type: Schema.Types.ObjectId, required: true },
    lectureCompleted: { type: [String], default: [] },
    completed: { type: Boolean, default: false },
    completedAt: { type: Date, default: null },
    lastLectureId: { type: String, default: null },
    positionSeconds: { type: Number, default: 0 },
  },
  { timestamps: true },
);
courseProgressSchema.index({ userId: 1, courseId: 1 }, { unique: true });
courseProgressSchema.index({ userId: 1, completed: 1, updatedAt: -1 }); // where a learner can go on, newest first
// The job that completes a course for its learners after an edit.
courseProgressSchema.index({ courseId: 1, _id: 1 }, { partialFilterExpression: { completed: false } });

export const courseProgressCollection = defineCollection<CourseProgress>({
  schema: courseProgressSchema,
  holds: "completed lectures, place in the player",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "progress",
    row: z.object({
      courseId: id,
      lectureCompleted: optional.texts,
      completed: optional.flag,
      completedAt: optional.time,
      lastLectureId: z.string().nullable().optional(),
      positionSeconds: optional.number,
      ...rowTimes,
    }),
    erasure: "delete",
  },
});

type Pair = Pick<CourseProgress, "userId" | "courseId">;

/** Adds a lecture to a learner's completed ones, in a record that is created if there is none. @returns the record. */
export async function addCompletedLecture(
  db: Models,
  { userId, courseId, lectureId, positionSeconds }: Pair & { lectureId: string; positionSeconds: number },
): Promise<CourseProgress> {
  const now = new Date();
  const progress = await nativeCollection(db.CourseProgress).findOneAndUpdate(
    { userId, courseId },
    {
      $addToSet: { lectureCompleted: lectureId },
      $set: { lastLectureId: lectureId, positionSeconds, updatedAt: now },
      $setOnInsert: { completed: false, completedAt: null, createdAt: now },
    },
    { upsert: true, returnDocument: "after" },
  );
  if (!progress) throw new Error("an upsert without a document");
  return progress;
}

/** Completes a progress. @returns it; null when it was completed already. */
export function setProgressCompleted(
  db: Models,
  { _id }: Pick<CourseProgress, "_id">,
  completedAt: Date,
  session: ClientSession,
): Promise<CourseProgress | null> {
  return nativeCollection(db.CourseProgress).findOneAndUpdate(
    { _id, completed: false },
    { $set: { completed: true, completedAt, updatedAt: completedAt } },
    { returnDocument: "after", session },
  );
}
