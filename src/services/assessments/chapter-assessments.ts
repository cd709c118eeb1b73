import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { ChapterAssessment, Course } from "../../models/courses/course.js";
import { completionsDate, demandsLess } from "../learning/completion.js";

type AssessedCourse = Pick<Course, "_id" | "assessments">;

/** Removes the assessments of some chapters, in the caller's transaction. @returns how many there were. */
export async function removeAssessments(
  db: Db,
  course: AssessedCourse,
  chapterIds: readonly string[],
  session: ClientSession,
): Promise<number> {
  const removedAt = new Date();
  const { modifiedCount } = await db.Assessment.updateMany(
    { courseId: course._id, chapterId: { $in: chapterIds }, isCurrent: true },
    { $set: { isCurrent: false, removedAt, sweepAt: removedAt } },
    { session },
  );
  if (modifiedCount > 0) await setChapterAssessments(db, course, otherAssessments(course, chapterIds), session);
  return modifiedCount;
}

/** Returns the assessments of the chapters that are not listed. */
export const otherAssessments = ({ assessments = [] }: Pick<Course, "assessments">, chapterIds: readonly string[]) =>
  assessments.filter(({ chapterId }) => !chapterIds.includes(chapterId));

/** Stores which chapters have assessments. When less is required now, a job looks for learners who are done. */
export async function setChapterAssessments(
  db: Db,
  { _id, assessments: before = [] }: AssessedCourse,
  after: ChapterAssessment[],
  session: ClientSession,
): Promise<void> {
  const due = demandsLess(before, after) ? { completionsDueAt: completionsDate() } : {};
  await db.Course.updateOne({ _id }, { $set: { assessments: after, ...due } }, { session, timestamps: false });
}
