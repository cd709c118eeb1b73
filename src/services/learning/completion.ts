import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Assessment } from "../../models/assessments/assessment.js";
import type { AssessmentAttempt } from "../../models/assessments/assessment-attempt.js";
import { findStandings, isPassed } from "../../models/assessments/attempt-queries.js";
import type { ChapterAssessment } from "../../models/courses/course.js";
import {
  type CompletionRow,
  completionFields,
  findProgressAndCourse,
  type LecturesDone,
  lectureIdsOf,
} from "../../models/courses/course-queries.js";
import type { Certificate } from "../../models/learning/certificate.js";
import { type CourseProgress, setProgressCompleted } from "../../models/learning/course-progress.js";
import { hasQuestions } from "../assessments/assessment-questions.js";
import { openCertificate } from "../certificates/issue-certificate.js";
import { type NewEvent, recordEvents } from "../events/record-event.js";
import { setCourseCompleted, type ViaPath } from "../learners/learner-figures.js";
import { completePathsWith } from "../paths/complete-paths.js";

/** What a course demands for its completion. */
export interface CourseLectures {
  readonly courseTitle: string;
  readonly educatorId: string;
  readonly lectureIds: readonly string[];
  /** Assessments that have to be passed, too. */
  readonly required: readonly RequiredAssessment[];
}

type RequiredAssessment = Pick<ChapterAssessment, "assessmentId"> & { readonly passPercent: number };

/** Returns the percentage that completion demands of each assessment of a course. Others are for practice. */
export const requiredAmong = (assessments: readonly ChapterAssessment[] = []): RequiredAssessment[] =>
  assessments.flatMap(({ assessmentId, requiredPercent }) =>
    requiredPercent === null ? [] : [{ assessmentId, passPercent: requiredPercent }],
  );

/** Returns what a stored course demands. */
export const completionFacts = ({
  courseTitle,
  educatorId,
  courseContent,
  assessments,
}: CompletionRow): CourseLectures => ({
  courseTitle,
  educatorId,
  lectureIds: lectureIdsOf(courseContent),
  required: requiredAmong(assessments),
});

/** Reads what a course demands, and nothing else of it. */
export async function findCourseLectures(
  db: Db,
  courseId: Types.ObjectId,
  session: ClientSession | null = null,
): Promise<CourseLectures | null> {
  const course = await db.Course.findById(courseId, completionFields).session(session).lean<CompletionRow>();
  return course && completionFacts(course);
}

/** Counts how many of a learner's completed lectures the course has now. Others were removed from the course. */
export const countPresent = (completed: readonly string[] = [], present: ReadonlySet<string>): number =>
  completed.filter((lectureId) => present.has(lectureId)).length;

/** Whether a learner has completed every lecture that the course has now. A course without lectures is never complete. */
export function hasAllLectures(
  { lectureCompleted }: Pick<CourseProgress, "lectureCompleted">,
  { lectureIds }: Pick<CourseLectures, "lectureIds">,
): boolean {
  const done = new Set(lectureCompleted);
  return lectureIds.length > 0 && lectureIds.every((lectureId) => done.has(lectureId));
}

/**
 * Whether a repeated lecture may complete the course. It completes nothing, unless the learner has as many lectures as the
 * course has today.
 */
export const mayCompleteAgain = (
  { completed, doneCount }: LecturesDone,
  { lectureIds }: Pick<CourseLectures, "lectureIds">,
): boolean => !completed && doneCount >= lectureIds.length;

/**
 * Whether a learner has completed every lecture that the course has now, and passed every assessment that it requires.
 * Lectures and assessments that are added later do not undo `completed`.
 */
export const isComplete = async (
  db: Db,
  progress: CourseProgress,
  course: CourseLectures,
  session: ClientSession | null = null,
): Promise<boolean> =>
  progress.completed ||
  (hasAllLectures(progress, course) && (await hasPassedAll(db, progress.userId, course, session)));

/**
 * Whether a learner has passed the assessments that a course requires. An assessment whose questions are all gone is not
 * required. It reads nothing when there are none.
 */
async function hasPassedAll(
  db: Db,
  userId: string,
  { required, educatorId }: Pick<CourseLectures, "required" | "educatorId">,
  session: ClientSession | null,
): Promise<boolean> {
  if (required.length === 0) return true;
  const ids = required.map(({ assessmentId }) => assessmentId);
  const standings = await findStandings(db, userId, ids, session);
  for (const { assessmentId, passPercent } of required) {
    if (isPassed(standings.get(String(assessmentId)), passPercent)) continue;
    const assessment = await db.Assessment.findById(assessmentId).session(session).lean<Assessment>();
    if (assessment && (await hasQuestions(db, assessment, educatorId, session))) return false;
  }
  return true;
}

/** Whether a learner has nothing left to do in a course that is not marked as completed. */
export const completesNow = async (
  db: Db,
  progress: CourseProgress,
  course: CourseLectures,
  session: ClientSession | null = null,
): Promise<boolean> => !progress.completed && (await isComplete(db, progress, course, session));

/** A learner's progress, and the certificate of a course that was completed by this very call. */
export interface RecordedProgress {
  readonly progress: CourseProgress;
  readonly certificate: Certificate | null;
}

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
      const enrollment = await setCourseCompleted(db, progress, completedAt, session);
      await recordEvents(db, session, await completedFacts(db, session, progress, enrollment));
      return recorded;
    },
    { mutex: `lectures:${progress.courseId}:${progress.userId}` },
  );
}

/**
 * Completes a progress. The row of the certificate is created in the same transaction, so that a completed course always
 * has a certificate. The caller stores the date in the enrollment and records `completedFacts`.
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

/** The learner's name, if it was read already; null without a user record. */
interface WithStudentName {
  readonly studentName?: string | null;
}

/**
 * Reports that a learner has completed a course, and completes the paths of which it was the last course.
 * @param enrollment tells whether the learner holds a path with the course. Without one, nothing is read.
 */
export async function completedFacts(
  db: Db,
  session: ClientSession,
  { userId, courseId }: Pick<CourseProgress, "userId" | "courseId">,
  enrollment: ViaPath | null | undefined,
): Promise<NewEvent[]> {
  const completed: NewEvent = { type: "course.completed", data: { userId, courseId } };
  return [completed, ...(enrollment?.viaPath ? await completePathsWith(db, session, { userId, courseId }) : [])];
}

/** When a learner completed a course; null before. Version 1.0 has stored progresses without the date. */
export const completedAtOf = ({ completed, completedAt, updatedAt }: CourseProgress): Date | null =>
  completed ? (completedAt ?? updatedAt) : null;

/**
 * Finds the progress that a passed assessment completes, in the transaction that stores the attempt.
 * @param assessmentId the assessment that was passed just now.
 */
export async function findCompletion(
  db: Db,
  { userId, courseId, assessmentId }: Pick<AssessmentAttempt, "userId" | "courseId" | "assessmentId">,
  session: ClientSession,
): Promise<{ progress: CourseProgress; course: CourseLectures & WithStudentName } | undefined> {
  const { progress, course: row, studentName } = await findProgressAndCourse(db, { userId, courseId }, session);
  if (!progress || !row) return undefined;
  const course = completionFacts(row);
  const required = course.required.filter((other) => !other.assessmentId.equals(assessmentId));
  return (await completesNow(db, progress, { ...course, required }, session))
    ? { progress, course: { ...course, studentName } }
    : undefined;
}

/** Whether a course demands less of an assessment than before, so that learners may have nothing left to do. */
export function demandsLess(before: readonly ChapterAssessment[], after: readonly ChapterAssessment[]): boolean {
  const now = new Map(requiredAmong(after).map(({ assessmentId, passPercent }) => [String(assessmentId), passPercent]));
  return requiredAmong(before).some(
    ({ assessmentId, passPercent }) => (now.get(String(assessmentId)) ?? -1) < passPercent,
  );
}

/**
 * How long after an edit a job counts the completed lectures of all learners again, and completes the course for learners
 * who have nothing left to do. It is longer than a request that has read the former course can be under way.
 */
const completionsAfterMs = 30_000;

/** When the job is due after an edit, made now, that demands less of learners. */
export const completionsDate = (): Date => new Date(Date.now() + completionsAfterMs);
