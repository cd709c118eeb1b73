import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { isObjectId } from "../../lib/fields.js";
import type { AssessmentAttempt } from "../../models/assessments/assessment-attempt.js";
import {
  type CourseLectures,
  findLecturesAndRelease,
  findProgressAndCourse,
} from "../../models/courses/course-queries.js";
import { countCompletedLecture, noteActivity, setCourseCompleted } from "../../models/enrollments/learner-figures.js";
import type { Certificate } from "../../models/learning/certificate.js";
import {
  addCompletedLecture,
  type CourseProgress,
  setPlace,
  setProgressCompleted,
} from "../../models/learning/course-progress.js";
import { addLectureCompletions } from "../../models/learning/lecture-completions.js";
import { hasPassedAll } from "../assessments/required-assessments.js";
import { openCertificate } from "../certificates/issue-certificate.js";
import { isOpen, LectureNotOpen } from "../courses/release.js";
import { type NewEvent, recordEvents } from "../events/record-event.js";
import { CourseNotFound, CourseNotPurchased } from "../failures.js";

export const InvalidLecture = failure("invalid_lecture", 400, "Invalid lecture for this course");

export interface CompletedLecture {
  userId: string;
  courseId: string;
  lectureId: string;
  /** Seconds into the lecture; without it the learner goes on at its start. */
  positionSeconds?: number | undefined;
}

/** A learner's progress, and the certificate of a course that was completed by this very call. */
export interface RecordedProgress {
  progress: CourseProgress;
  certificate: Certificate | null;
}

/** Reads a learner's progress in a course; null without any, and for an id that is none. */
export const findProgress = async (db: Db, userId: string, courseId: string): Promise<CourseProgress | null> =>
  isObjectId(courseId) ? db.CourseProgress.findOne({ userId, courseId }).lean<CourseProgress>() : null;

/**
 * Adds a lecture to the learner's completed lectures, and completes the course once they include all its present lectures
 * and its required assessments are passed.
 * Parallel calls lose nothing. Lectures added to the course later do not undo `completed`.
 * @throws CourseNotFound, CourseNotPurchased, InvalidLecture, LectureNotOpen, in this order.
 */
export async function recordProgress(db: Db, done: CompletedLecture): Promise<RecordedProgress> {
  if (!isObjectId(done.courseId)) throw CourseNotFound();
  const { userId, lectureId, positionSeconds = 0 } = done;
  const lecture = { userId, courseId: new Types.ObjectId(done.courseId), lectureId };
  const found = await findLecturesAndRelease(db, lecture);
  if (!found) throw CourseNotFound();
  const { course, enrollment, done: before } = found;
  if (!enrollment) throw CourseNotPurchased();
  if (!course.lectureIds.includes(done.lectureId)) throw InvalidLecture();
  if (!isOpen(done.lectureId, course, enrollment)) throw LectureNotOpen();
  // A repeated lecture completes nothing, unless it is the one that brings the count up to the lectures of today.
  const isRepeated = before?.isDone && (before.completed || before.doneCount < course.lectureIds.length);
  const progress = isRepeated ? await setPlace(db, { ...lecture, positionSeconds }) : null;
  if (!progress) return addLecture(db, done, course);
  await noteActivity(db, lecture);
  return { progress, certificate: null };
}

/**
 * Adds the lecture to the learner's progress and figures, and to the number of learners who have completed it. The last
 * lecture also completes the course.
 */
function addLecture(
  db: Db,
  { userId, courseId: id, lectureId, positionSeconds = 0 }: CompletedLecture,
  course: CourseLectures,
): Promise<RecordedProgress> {
  const courseId = new Types.ObjectId(id);
  const done = { userId, courseId, lectureId, positionSeconds };
  return db.transaction(
    async (session) => {
      const { progress, isNew } = await addCompletedLecture(db, done, session);
      const completedAt = (await completesNow(db, progress, course, session)) ? new Date() : null;
      // The enrollment may have ended meanwhile. Then its lectures are counted no more.
      const figures = { isNew, completedAt };
      const counted = await countCompletedLecture(db, done, figures, session);
      if (!counted) throw CourseNotPurchased();
      const recorded = completedAt ? await certify(db, session, progress, course, completedAt) : undefined;
      const facts: NewEvent[] = [];
      if (isNew && !counted.wasReset) facts.push({ type: "lecture.completed", data: { userId, courseId, lectureId } });
      if (recorded?.certificate) facts.push(courseCompleted(progress));
      await recordEvents(db, session, facts);
      if (isNew) await addLectureCompletions(db, [{ courseId, lectureId, by: 1 }], session);
      return recorded ?? { progress, certificate: null };
    },
    { mutex: `lectures:${courseId}` },
  );
}

/**
 * Whether a learner has completed every lecture that the course has now. Goes by inclusion, because lectures may have
 * been removed from the course. A course without lectures is never complete.
 */
export function hasAllLectures(
  { lectureCompleted }: Pick<CourseProgress, "lectureCompleted">,
  { lectureIds }: Pick<CourseLectures, "lectureIds">,
): boolean {
  const done = new Set(lectureCompleted);
  return lectureIds.length > 0 && lectureIds.every((lectureId) => done.has(lectureId));
}

/** Whether a learner has completed every lecture that the course has now, and passed every assessment that it requires. */
export const isComplete = async (
  db: Db,
  progress: CourseProgress,
  course: CourseLectures,
  session: ClientSession | null = null,
): Promise<boolean> => hasAllLectures(progress, course) && (await hasPassedAll(db, progress.userId, course, session));

const completesNow = async (
  db: Db,
  progress: CourseProgress,
  course: CourseLectures,
  session: ClientSession | null = null,
): Promise<boolean> => !progress.completed && (await isComplete(db, progress, course, session));

/** Marks a progress as completed if nothing is left to do in the course. */
export async function completeCourse(
  db: Db,
  progress: CourseProgress,
  course: CourseLectures,
): Promise<RecordedProgress> {
  if (!(await completesNow(db, progress, course))) return { progress, certificate: null };
  const completedAt = new Date();
  return db.transaction(
    async (session) => {
      const recorded = await certify(db, session, progress, course, completedAt);
      if (!recorded.certificate) return recorded;
      await recordEvents(db, session, [courseCompleted(progress)]);
      await setCourseCompleted(db, progress, completedAt, session);
      return recorded;
    },
    { mutex: `lectures:${progress.courseId}` },
  );
}

export const courseCompleted = ({ userId, courseId }: Pick<CourseProgress, "userId" | "courseId">): NewEvent => ({
  type: "course.completed",
  data: { userId, courseId },
});

/**
 * Finds the progress that a passed assessment completes, in the transaction that stores the attempt.
 * @param assessmentId the assessment that was passed just now.
 */
export async function findCompletion(
  db: Db,
  { userId, courseId, assessmentId }: Pick<AssessmentAttempt, "userId" | "courseId" | "assessmentId">,
  session: ClientSession,
): Promise<Completion | undefined> {
  const { progress, course, studentName } = await findProgressAndCourse(db, { userId, courseId }, session);
  if (!progress || !course) return undefined;
  const required = course.required.filter((other) => !other.assessmentId.equals(assessmentId));
  return (await completesNow(db, progress, { ...course, required }, session))
    ? { progress, course: { ...course, studentName } }
    : undefined;
}

export interface Completion {
  readonly progress: CourseProgress;
  readonly course: CourseLectures & WithStudentName;
}

/** The learner's name, if it was read already; null without a user record. */
interface WithStudentName {
  readonly studentName?: string | null;
}

/**
 * Completes a progress. The row of the certificate is created in the same transaction, so that a completed course always
 * has a certificate.
 */
export async function certify(
  db: Db,
  session: ClientSession,
  progress: CourseProgress,
  { courseTitle, studentName }: CourseLectures & WithStudentName,
  completedAt: Date,
): Promise<RecordedProgress> {
  const { userId, courseId } = progress;
  const completed = await setProgressCompleted(db, progress, completedAt, session);
  if (!completed) return { progress: { ...progress, completed: true }, certificate: null };
  const completion = { userId, courseId, courseTitle, completionDate: completedAt };
  return { progress: completed, certificate: await openCertificate(db, session, completion, studentName) };
}
