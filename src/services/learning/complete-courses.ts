import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { orderedList } from "../../db/ordered-list.js";
import { readBatches } from "../../lib/read-batches.js";
import type { Course } from "../../models/courses/course.js";
import type { Certificate } from "../../models/learning/certificate.js";
import { isRunning } from "../certificates/certificate-state.js";
import { findCertificate } from "../certificates/issue-certificate.js";
import { isEnrolled } from "../enrollments/enrollment.js";
import { recountLecturesDone } from "../learners/lecture-counts.js";
import { completeCourse, findCourseLectures, hasAllLectures, isComplete } from "./completion.js";
import { findProgress } from "./record-progress.js";

/** Unfinished learners that are read at once. */
const batchSize = 200;

type DueCourse = Pick<Course, "_id" | "completionsDueAt">;

/**
 * Recounts the completed lectures of every learner of a course whose lectures or required assessments have changed, and
 * completes it for each enrolled learner who has nothing left to do. The course stays due until all its learners were
 * looked at, so that a run after a crash begins the course again.
 * @returns how many learners have completed the course by it.
 */
export async function completeDueCourse(
  db: Db,
  { _id, completionsDueAt }: DueCourse,
  signal: AbortSignal,
): Promise<number> {
  await recountLecturesDone(db, _id, signal);
  const completed = await completeForLearners(db, _id, signal);
  if (signal.aborted) return completed;
  if (!completionsDueAt) return completed;
  // An edit in the meantime has set another date.
  const done = { $unset: { completionsDueAt: 1 } } as const;
  await db.Course.updateOne({ _id, completionsDueAt }, done, { timestamps: false });
  return completed;
}

async function completeForLearners(db: Db, courseId: Types.ObjectId, signal: AbortSignal): Promise<number> {
  const course = await findCourseLectures(db, courseId);
  if (!course || course.lectureIds.length === 0) return 0;
  let completed = 0;
  const unfinished = orderedList(db.CourseProgress, { filter: { courseId, completed: false }, sort: { _id: 1 } });
  for await (const batch of readBatches(unfinished, batchSize)) {
    for (const progress of batch) {
      if (signal.aborted) return completed;
      if (!hasAllLectures(progress, course) || !(await isEnrolled(db, progress.userId, courseId))) continue;
      // The educator may have put a lecture or an assessment back in the meantime.
      const now = await findCourseLectures(db, courseId);
      if (!now || !(await isComplete(db, progress, now))) continue;
      const { certificate } = await completeCourse(db, progress, now);
      if (!certificate) continue;
      completed += 1;
      db.jobWakeups.emit("Certificate");
    }
  }
  return completed;
}

/** Finds a learner's progress in a course and the course's lectures; null when either is missing. */
async function findProgressAndLectures(db: Db, userId: string, courseId: string) {
  const [progress, course] = await Promise.all([
    findProgress(db, userId, courseId),
    findCourseLectures(db, new Types.ObjectId(courseId)),
  ]);
  return progress && course && { progress, course };
}

/**
 * Whether a learner has completed a course, or has nothing left to do in it. Writes nothing: `findEarnedCertificate`, the
 * next progress call or a job completes a course that lost the missing lectures.
 */
export async function hasCompleted(db: Db, userId: string, courseId: string): Promise<boolean> {
  const found = await findProgressAndLectures(db, userId, courseId);
  return found !== null && isComplete(db, found.progress, found.course);
}

/** Finds the newest certificate. Completes a course that lost its missing lectures since the learner's last call. */
export async function findEarnedCertificate(db: Db, userId: string, courseId: string): Promise<Certificate | null> {
  const certificate = await findCertificate(db, userId, courseId);
  if (certificate && isRunning(certificate)) return certificate;
  const found = await findProgressAndLectures(db, userId, courseId);
  if (!found) return certificate;
  const now = await completeCourse(db, found.progress, found.course);
  return now.certificate ?? (now.progress.completed ? findCertificate(db, userId, courseId) : certificate);
}
