import { type ClientSession, type Model, type mongo, Types } from "mongoose";
import { z } from "zod";
import { timestamp } from "../../lib/fields.js";
import { defineCollection } from "../collection.js";
import { nativeCollection } from "../native-collection.js";
import { objectIdField, rowTimes, withDefault } from "../row.js";

/** What one learner has done in one course. `completed` is final, and is set together with the certificate's row. */
export type CourseProgress = z.input<typeof courseProgressRow>;
const courseProgressRow = z.object({
  _id: objectIdField,
  userId: z.string(),
  courseId: objectIdField,
  lectureCompleted: withDefault(z.array(z.string()), []),
  /** When each lecture was completed. Rows from before this field existed lack some of their lectures. */
  lectureTimes: z.array(z.object({ lectureId: z.string(), at: timestamp })).exactOptional(),
  completed: withDefault(z.boolean(), false),
  completedAt: timestamp.nullable(),
  /** The lecture of the newest progress call, and where in it the learner was, in seconds. */
  lastLectureId: z.string().nullable(),
  positionSeconds: withDefault(z.number(), 0),
  ...rowTimes,
});

export const courseProgressCollection = defineCollection({
  row: courseProgressRow,
  indexes: [
    [{ userId: 1, courseId: 1 }, { unique: true }],
    [{ userId: 1, completed: 1, updatedAt: -1 }], // where a learner can go on, newest first
    // The job that completes a course for its learners after an edit.
    [{ courseId: 1, _id: 1 }, { partialFilterExpression: { completed: false } }],
  ],
  holds: "completed lectures, place in the player",
  kept: "erasure",
  userData: {
    owner: "userId",
    section: "progress",
    exported: [
      "courseId",
      "lectureCompleted",
      "lectureTimes",
      "completed",
      "completedAt",
      "lastLectureId",
      "positionSeconds",
      "createdAt",
      "updatedAt",
    ],
    erasure: "delete",
  },
});

type Pair = Pick<CourseProgress, "userId" | "courseId">;

type Progresses = { readonly CourseProgress: Model<CourseProgress> };

/**
 * Adds a lecture to a learner's completed ones, in a record that is created if there is none. It is a native query, because
 * players send it all day and Mongoose takes almost 2 × the CPU of a write (decision 8).
 * @returns the record, and whether the lecture was not in it before.
 */
export async function addCompletedLecture(
  db: Progresses,
  { userId, courseId, lectureId, positionSeconds }: Pair & { lectureId: string; positionSeconds: number },
  session: ClientSession,
): Promise<{ progress: CourseProgress; isNew: boolean }> {
  const now = new Date();
  const created = { _id: new Types.ObjectId(), completed: false, completedAt: null, createdAt: now };
  const place = { lastLectureId: lectureId, positionSeconds, updatedAt: now };
  const alreadyDone = { $ifNull: ["$lectureCompleted", []] };
  const isKnown = { $in: [{ $literal: lectureId }, alreadyDone] };
  const times = { $ifNull: ["$lectureTimes", []] };
  const onInsert = Object.entries(created).map(([field, value]) => [field, { $ifNull: [`$${field}`, value] }]);
  const changes: mongo.Document = {
    ...Object.fromEntries(onInsert),
    lectureCompleted: { $cond: [isKnown, alreadyDone, { $concatArrays: [alreadyDone, [{ $literal: lectureId }]] }] },
    lectureTimes: {
      $cond: [isKnown, times, { $concatArrays: [times, [{ lectureId: { $literal: lectureId }, at: now }]] }],
    },
    ...place,
    lastLectureId: { $literal: lectureId },
  };
  const options = { upsert: true, returnDocument: "before", session } as const;
  const before = await nativeCollection(db.CourseProgress).findOneAndUpdate(
    { userId, courseId },
    [{ $set: changes }],
    options,
  );
  const known = before?.lectureCompleted ?? [];
  const isNew = !known.includes(lectureId);
  const lectureCompleted = isNew ? [...known, lectureId] : known;
  return { progress: { ...(before ?? { ...created, userId, courseId }), ...place, lectureCompleted }, isNew };
}

/** Moves the place of a learner to a lecture that they have completed before. @returns null when they have not. */
export function setPlace(
  db: Progresses,
  { userId, courseId, lectureId, positionSeconds }: Pair & { lectureId: string; positionSeconds: number },
): Promise<CourseProgress | null> {
  const place = { lastLectureId: lectureId, positionSeconds };
  return db.CourseProgress.findOneAndUpdate({ userId, courseId, lectureCompleted: lectureId }, place, {
    returnDocument: "after",
  })
    .lean<CourseProgress>()
    .exec();
}

/** Completes a progress. @returns it; null when it was completed already. */
export function setProgressCompleted(
  db: Progresses,
  { _id }: Pick<CourseProgress, "_id">,
  completedAt: Date,
  session: ClientSession,
): Promise<CourseProgress | null> {
  return db.CourseProgress.findOneAndUpdate(
    { _id, completed: false },
    { completed: true, completedAt, updatedAt: completedAt },
    { returnDocument: "after", session, timestamps: false },
  )
    .lean<CourseProgress>()
    .exec();
}
