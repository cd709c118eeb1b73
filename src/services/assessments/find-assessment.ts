import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Failure } from "../../lib/errors.js";
import type { Assessment } from "../../models/assessments/assessment.js";
import { type AssessmentAttempt, countAttempts } from "../../models/assessments/assessment-attempt.js";
import { findStandings, isPassed } from "../../models/assessments/attempt-queries.js";
import { findQuizAccess, type QuizAccess } from "../../models/courses/course-queries.js";
import type { ActiveEnrollment } from "../../models/enrollments/enrollment-queries.js";
import { LectureNotOpen, releaseFor } from "../courses/release.js";
import { CourseNotFound, CourseNotPurchased } from "../failures.js";
import { requireUnlocked } from "../paths/course-lock.js";
import { measureAttempt } from "./assessment-questions.js";
import { cooldownEnd, isOver } from "./attempt-times.js";
import { gradeAttempt } from "./grade-attempt.js";
import { AssessmentNotFound, type ChapterPath } from "./manage-assessments.js";

/**
 * Lets the educator of a course pass, and its learners once the chapter is open for them.
 * @throws CourseNotFound, `unknownChapter` if it is given, CourseNotPurchased, CourseLocked, LectureNotOpen.
 */
export async function requireQuizAccess(
  db: Db,
  userId: string,
  { courseId, chapterId }: ChapterPath,
  { unknownChapter }: { unknownChapter?: Failure } = {},
): Promise<QuizAccess> {
  const access = await findQuizAccess(db, new Types.ObjectId(courseId), userId);
  if (!access) throw CourseNotFound();
  if (unknownChapter && !access.chapters.some((known) => known.chapterId === chapterId)) throw unknownChapter();
  await requireOpenChapter(db, access, userId, chapterId);
  return access;
}

/** @throws CourseNotPurchased, CourseLocked, LectureNotOpen. */
async function requireOpenChapter(db: Db, access: QuizAccess, userId: string, chapterId: string): Promise<void> {
  const { _id: courseId, enrollment, educatorId, chapters } = access;
  if (educatorId === userId) return;
  if (!enrollment) throw CourseNotPurchased();
  await requireUnlocked(db, enrollment, { courseId });
  const chapter = chapters.find((known) => known.chapterId === chapterId);
  if (chapter && releaseFor(access, enrollment)(chapter)) throw LectureNotOpen();
}

/** An assessment that a user may take, and the educator whose bank holds its questions. */
export interface OpenAssessment {
  readonly assessment: Assessment;
  readonly educatorId: string;
  /** The learner's; undefined for the educator. */
  readonly enrollment: ActiveEnrollment | undefined;
}

/** @throws CourseNotFound, CourseNotPurchased, CourseLocked, LectureNotOpen, AssessmentNotFound. */
export async function findAssessment(db: Db, userId: string, path: ChapterPath): Promise<OpenAssessment> {
  const { _id, educatorId, enrollment } = await requireQuizAccess(db, userId, path);
  const { chapterId } = path;
  const assessment = await db.Assessment.findOne({ courseId: _id, chapterId, isCurrent: true }).lean<Assessment>();
  if (!assessment) throw AssessmentNotFound();
  return { assessment, educatorId, enrollment: educatorId === userId ? undefined : enrollment };
}

/** Finds the newest attempt of a user; null when the user has not attempted the assessment. */
export const findNewestAttempt = (
  db: Db,
  userId: string,
  { _id: assessmentId }: Pick<Assessment, "_id">,
  session: ClientSession | null = null,
): Promise<AssessmentAttempt | null> =>
  db.AssessmentAttempt.findOne({ userId, assessmentId })
    .sort({ number: -1 })
    .session(session)
    .lean<AssessmentAttempt>()
    .exec();

/** What a learner sees of an assessment before an attempt. @throws as `findAssessment`. */
export async function describeAssessment(db: Db, userId: string, path: ChapterPath) {
  const { assessment, educatorId } = await findAssessment(db, userId, path);
  const { _id, title, passPercent, maxAttempts, cooldownMinutes, timeLimitMinutes } = assessment;
  let newest = await findNewestAttempt(db, userId, assessment);
  if (newest?.state === "open" && isOver(newest, assessment, new Date())) {
    newest = (await gradeAttempt(db, { _id: newest._id })).attempt;
  }
  const [standings, size] = await Promise.all([
    findStandings(db, userId, [_id]),
    measureAttempt(db, assessment, educatorId),
  ]);
  const standing = standings.get(String(_id));
  const attemptsUsed = countAttempts(newest);
  const open = newest?.state === "open" ? newest : null;
  const isSpent = maxAttempts !== null && attemptsUsed >= maxAttempts;
  return {
    title,
    ...size,
    passPercent,
    maxAttempts,
    cooldownMinutes,
    timeLimitMinutes,
    attemptsUsed,
    bestPercent: standing?.best ?? null,
    passed: isPassed(standing, passPercent),
    nextAttemptAt: open || isSpent ? null : cooldownEnd(newest, assessment, new Date()),
    openAttemptId: open && String(open._id),
  };
}
