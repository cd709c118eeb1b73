import { Types } from "mongoose";
import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import { failure } from "../http/errors.js";
import { isObjectId } from "../http/fields.js";
import { bare } from "../models/bare.js";
import type { CourseProgress } from "../models/enrollment.js";
import { CourseNotFound } from "./course-view.js";
import { isEnrolled } from "./is-enrolled.js";

export const CourseNotPurchased = failure(403, "Course not purchased");
export const InvalidLecture = failure(400, "Invalid lecture for this course");

export interface CompletedLecture {
  userId: string;
  courseId: string;
  lectureId: string;
  /** Seconds into the lecture; without it the learner goes on at its start. */
  positionSeconds?: number | undefined;
}

/**
 * Adds a lecture to what the learner has completed, and latches the course once every lecture it has now is among them.
 * Parallel calls lose nothing. Lectures added to the course later do not undo `completed`.
 * @throws CourseNotFound, CourseNotPurchased, InvalidLecture, in this order.
 */
export async function recordProgress(db: Db, done: CompletedLecture): Promise<CourseProgress> {
  if (!isObjectId(done.courseId)) throw CourseNotFound();
  const [lectureIds, enrolled] = await Promise.all([
    findLectureIds(db, done.courseId),
    isEnrolled(db, done.userId, done.courseId),
  ]);
  if (!lectureIds) throw CourseNotFound();
  if (!enrolled) throw CourseNotPurchased();
  if (!lectureIds.includes(done.lectureId)) throw InvalidLecture();
  // Of two first calls at once, one creates the record and the other is refused by the unique key: the record is there
  // now.
  const progress = await addLecture(db, done).catch((error: unknown) => {
    if (isDuplicateKey(error)) return addLecture(db, done);
    throw error;
  });
  return latchCompletion(db, progress, lectureIds);
}

/** @returns the learner's record as it is then; made if there was none. */
async function addLecture(
  db: Db,
  { userId, courseId, lectureId, positionSeconds = 0 }: CompletedLecture,
): Promise<CourseProgress> {
  const now = new Date();
  const progress = await bare(db.CourseProgress).findOneAndUpdate(
    { userId, courseId: new Types.ObjectId(courseId) },
    {
      $addToSet: { lectureCompleted: lectureId },
      $set: { lastLectureId: lectureId, positionSeconds, updatedAt: now },
      $setOnInsert: { completed: false, completedAt: null, certificateDue: false, createdAt: now },
    },
    { upsert: true, returnDocument: "after" },
  );
  if (!progress) throw new Error("an upsert without a document");
  return progress;
}

/**
 * Marks a progress as completed if every lecture of the course is in its set: by inclusion, since lectures may have
 * been removed from the course. A course without lectures never completes. The same write marks the certificate as due.
 */
export async function latchCompletion(
  db: Db,
  progress: CourseProgress,
  lectureIds: readonly string[],
): Promise<CourseProgress> {
  if (progress.completed || lectureIds.length === 0) return progress;
  const done = new Set(progress.lectureCompleted);
  if (!lectureIds.every((lectureId) => done.has(lectureId))) return progress;
  const latched = await db.CourseProgress.findOneAndUpdate(
    { _id: progress._id, completed: false },
    { $set: { completed: true, completedAt: new Date(), certificateDue: true } },
    { returnDocument: "after" },
  ).lean<CourseProgress>();
  return latched ?? (await db.CourseProgress.findById(progress._id).lean<CourseProgress>()) ?? progress;
}

/**
 * Ids of all lectures that a course has now, without reading anything else of it; null when there is no such course.
 */
export async function findLectureIds(db: Db, courseId: string | Types.ObjectId): Promise<string[] | null> {
  if (!isObjectId(String(courseId))) return null;
  const ids = { "courseContent.chapterContent.lectureId": 1 };
  const course = await bare(db.Course).findOne({ _id: new Types.ObjectId(courseId) }, { projection: ids });
  return course && lectureIdsOf(course.courseContent ?? []);
}

/** Ids of all lectures in chapters that were read with no more than these ids. */
export function lectureIdsOf(chapters: readonly { chapterContent?: readonly { lectureId: string }[] }[]): string[] {
  return chapters.flatMap(({ chapterContent = [] }) => chapterContent.map(({ lectureId }) => lectureId));
}
