import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Assessment } from "../../models/assessments/assessment.js";
import type { AssessmentAttempt } from "../../models/assessments/assessment-attempt.js";
import { findStandings, isPassed } from "../../models/assessments/attempt-queries.js";
import { findQuizAccess, type QuizAccess } from "../../models/courses/course-queries.js";
import { CourseNotFound, CourseNotPurchased } from "../failures.js";
import { cooldownEnd, isOver } from "./attempt-times.js";
import { sumPoints } from "./grade-answers.js";
import { gradeIfOver } from "./grade-attempt.js";
import { AssessmentNotFound, type ChapterPath } from "./manage-assessments.js";

/** Lets learners of a course and its educator pass. @throws CourseNotFound, CourseNotPurchased. */
export async function requireQuizAccess(db: Db, userId: string, courseId: string): Promise<QuizAccess> {
  const access = await findQuizAccess(db, new Types.ObjectId(courseId), userId);
  if (!access) throw CourseNotFound();
  if (!access.isEnrolled && access.educatorId !== userId) throw CourseNotPurchased();
  return access;
}

/** An assessment that a user may take, and the educator whose bank holds its questions. */
export interface OpenAssessment {
  readonly assessment: Assessment;
  readonly educatorId: string;
}

/** @throws CourseNotFound, CourseNotPurchased, AssessmentNotFound. */
export async function findAssessment(
  db: Db,
  userId: string,
  { courseId, chapterId }: ChapterPath,
): Promise<OpenAssessment> {
  const { _id, educatorId } = await requireQuizAccess(db, userId, courseId);
  const assessment = await db.Assessment.findOne({ courseId: _id, chapterId, isCurrent: true }).lean<Assessment>();
  if (!assessment) throw AssessmentNotFound();
  return { assessment, educatorId };
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

/** What a learner sees of an assessment before an attempt. @throws CourseNotFound, CourseNotPurchased, AssessmentNotFound. */
export async function describeAssessment(db: Db, userId: string, path: ChapterPath) {
  const { assessment, educatorId } = await findAssessment(db, userId, path);
  const { _id, title, passPercent, maxAttempts, cooldownMinutes, timeLimitMinutes } = assessment;
  let newest = await findNewestAttempt(db, userId, assessment);
  if (newest?.state === "open" && isOver(newest, assessment, new Date())) {
    newest = (await gradeIfOver(db, { _id: newest._id })).attempt;
  }
  const [standings, size] = await Promise.all([
    findStandings(db, userId, [_id]),
    measureQuestions(db, assessment, educatorId),
  ]);
  const standing = standings.get(String(_id));
  const attemptsUsed = newest?.number ?? 0;
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

/** Number of questions and points of the next attempt. Draws count with the mean points of their tag. */
async function measureQuestions(
  db: Db,
  { questionIds, draw }: Pick<Assessment, "questionIds" | "draw">,
  educatorId: string,
): Promise<{ questionCount: number; totalPoints: number }> {
  const bank = { educatorId, isCurrent: true };
  if (draw.length === 0) {
    const found = await db.Question.find({ ...bank, questionId: { $in: questionIds } }, { points: 1 })
      .batchSize(questionIds.length + 1)
      .lean();
    return { questionCount: found.length, totalPoints: sumPoints(found.map(({ points }) => points)) };
  }
  const tags = draw.map(({ tag }) => tag);
  const found = await db.Question.aggregate<{ _id: string; mean: number; count: number }>([
    { $match: { ...bank, tags: { $in: tags } } },
    { $unwind: "$tags" },
    { $match: { tags: { $in: tags } } },
    { $group: { _id: "$tags", mean: { $avg: "$points" }, count: { $sum: 1 } } },
  ]);
  const byTag = new Map(found.map((tag) => [tag._id, tag]));
  const drawn = draw.map(({ tag, count }) => {
    const { mean, count: available } = byTag.get(tag) ?? { mean: 0, count: 0 };
    const questions = Math.min(count, available);
    return { questions, points: questions * mean };
  });
  return {
    questionCount: drawn.reduce((sum, { questions }) => sum + questions, 0),
    totalPoints: sumPoints(drawn.map(({ points }) => points)),
  };
}
