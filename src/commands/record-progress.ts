import type { Types } from "mongoose";
import { failure } from "../http/errors.js";
import { isObjectId } from "../http/fields.js";
import type { CourseProgress } from "../models/enrollment.js";
import type { Models } from "../models/index.js";
import { isDuplicateKey } from "./count-once.js";
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
export async function recordProgress(models: Models, done: CompletedLecture): Promise<CourseProgress> {
  const { userId, courseId, lectureId, positionSeconds = 0 } = done;
  const lectureIds = await findLectureIds(models, courseId);
  if (!lectureIds) throw CourseNotFound();
  if (!(await isEnrolled(models, userId, courseId))) throw CourseNotPurchased();
  if (!lectureIds.includes(lectureId)) throw InvalidLecture();

  const add = () =>
    models.CourseProgress.findOneAndUpdate(
      { userId, courseId },
      { $addToSet: { lectureCompleted: lectureId }, $set: { lastLectureId: lectureId, positionSeconds } },
      { upsert: true, returnDocument: "after" },
    ).lean<CourseProgress>();
  // Of two first calls at once, one creates the record and the other is refused by the unique key: the record is there
  // now.
  const progress = await add().catch((error: unknown) => {
    if (isDuplicateKey(error)) return add();
    throw error;
  });
  return latchCompletion(models, progress, lectureIds);
}

/**
 * Marks a progress as completed if every lecture of the course is in its set: by inclusion, since lectures may have
 * been removed from the course. A course without lectures never completes. The same write marks the certificate as due.
 */
export async function latchCompletion(
  models: Models,
  progress: CourseProgress,
  lectureIds: readonly string[],
): Promise<CourseProgress> {
  if (progress.completed || lectureIds.length === 0) return progress;
  const done = new Set(progress.lectureCompleted);
  if (!lectureIds.every((lectureId) => done.has(lectureId))) return progress;
  const latched = await models.CourseProgress.findOneAndUpdate(
    { _id: progress._id, completed: false },
    { $set: { completed: true, completedAt: new Date(), certificateDue: true } },
    { returnDocument: "after" },
  ).lean<CourseProgress>();
  return latched ?? (await models.CourseProgress.findById(progress._id).lean<CourseProgress>()) ?? progress;
}

/**
 * Ids of all lectures that a course has now, without reading anything else of it; null when there is no such course.
 */
export async function findLectureIds(models: Models, courseId: string | Types.ObjectId): Promise<string[] | null> {
  if (!isObjectId(String(courseId))) return null;
  const course = await models.Course.findById(courseId, { "courseContent.chapterContent.lectureId": 1 }).lean<{
    courseContent?: { chapterContent?: { lectureId: string }[] }[];
  }>();
  if (!course) return null;
  return lectureIdsOf(course.courseContent ?? []);
}

/** Ids of all lectures in chapters that were read with no more than these ids. */
export function lectureIdsOf(chapters: readonly { chapterContent?: readonly { lectureId: string }[] }[]): string[] {
  return chapters.flatMap(({ chapterContent = [] }) => chapterContent.map(({ lectureId }) => lectureId));
}
