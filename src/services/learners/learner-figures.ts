import type { ClientSession, mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { type Enrollment, isInForce, neverActive } from "../../models/enrollments/enrollment.js";
import { changeEnrollment, inForceAt } from "../../models/enrollments/enrollment-queries.js";

type Pair = Pick<Enrollment, "userId" | "courseId">;

/** An enrollment, as far as it says whether its learner holds a path with the course. */
export type ViaPath = Pick<Enrollment, "viaPath">;

const numberOf = (field: string) => ({ $ifNull: [field, 0] });
const phaseOfActive = { $cond: [{ $eq: ["$phase", "completed"] }, "completed", "begun"] };
const laterOf = (at: Date) => ({ $max: [{ $ifNull: ["$lastActiveAt", neverActive] }, at] });

/**
 * Notes that a learner has completed a lecture.
 * @param figures `isNew`: the learner had not completed the lecture before; `completedAt`: it completes the course.
 * @returns undefined unless the learner is enrolled: then the caller must abort the transaction. `wasReset`: the learner
 *   had completed the lecture before a reset. `viaPath` of the enrollment.
 */
export async function countCompletedLecture(
  db: Db,
  { lectureId, ...pair }: Pair & { lectureId: string },
  { isNew, completedAt }: { isNew: boolean; completedAt: Date | null },
  session: ClientSession,
): Promise<(ViaPath & { wasReset: boolean }) | undefined> {
  const changes: mongo.Document = {
    lecturesDone: { $add: [numberOf("$lecturesDone"), isNew ? 1 : 0] },
    ...(completedAt ? { phase: "completed", courseCompletedAt: completedAt } : { phase: phaseOfActive }),
    lastActiveAt: laterOf(new Date()),
  };
  const projection = { active: 1, expiresAt: 1, viaPath: 1, lecturesBeforeReset: 1 };
  const before = await changeEnrollment(db, pair, changes, { session, projection });
  if (!before || !isInForce(before)) return undefined;
  return {
    ...(before.viaPath && { viaPath: true }),
    wasReset: before.lecturesBeforeReset?.includes(lectureId) ?? false,
  };
}

/** Notes that a learner was active in a course. */
export async function noteActivity(db: Db, { userId, courseId }: Pair): Promise<void> {
  const fields = { $max: { lastActiveAt: new Date() } };
  await db.Enrollment.updateOne({ userId, courseId }, fields, { timestamps: false });
}

/** Notes that a learner has completed the course. @returns the enrollment; null without one. */
export async function setCourseCompleted(
  db: Db,
  { userId, courseId }: Pair,
  courseCompletedAt: Date,
  session: ClientSession,
): Promise<ViaPath | null> {
  const completed = { phase: "completed" as const, courseCompletedAt };
  return changeEnrollment(db, { userId, courseId }, completed, { session, projection: { viaPath: 1 } });
}

/**
 * Counts an attempt at a quiz or an assessment. An educator who tries the quiz of their own course has no enrollment.
 * @param attempt `completedAt`: the attempt completes the course, unless the learner is no longer enrolled.
 * @returns the enrollment; undefined unless the learner is enrolled.
 */
export async function countQuizAttempt(
  db: Db,
  pair: Pair,
  { percentage, at, completedAt = null }: { percentage: number; at: Date; completedAt?: Date | null },
  session: ClientSession,
): Promise<ViaPath | undefined> {
  const enrolled = inForceAt(new Date());
  const changes: mongo.Document = {
    quizAttempts: { $add: [numberOf("$quizAttempts"), 1] },
    bestQuizPercent: { $max: [numberOf("$bestQuizPercent"), percentage] },
    phase: completedAt ? { $cond: [enrolled, "completed", phaseOfActive] } : phaseOfActive,
    ...(completedAt && { courseCompletedAt: { $cond: [enrolled, completedAt, "$courseCompletedAt"] } }),
    lastActiveAt: laterOf(at),
  };
  const projection = { active: 1, expiresAt: 1, viaPath: 1 };
  const before = await changeEnrollment(db, pair, changes, { session, projection });
  return before && isInForce(before) ? before : undefined;
}

type FormerFigures = Pick<
  Enrollment,
  "lecturesDone" | "quizAttempts" | "bestQuizPercent" | "lastActiveAt" | "courseCompletedAt"
>;

/** Stores the figures of what a learner did before the enrollment began. @returns the enrollment. */
export async function setFormerFigures(
  db: Db,
  pair: Pair,
  { lastActiveAt, ...figures }: FormerFigures,
  session: ClientSession,
): Promise<ViaPath | null> {
  const hasBegun = figures.lecturesDone > 0 || figures.quizAttempts > 0;
  const begun = { $cond: [{ $eq: ["$phase", "not_started"] }, hasBegun ? "begun" : "not_started", "$phase"] };
  const changes = {
    ...figures,
    phase: figures.courseCompletedAt ? "completed" : begun,
    lastActiveAt: laterOf(lastActiveAt),
  };
  return changeEnrollment(db, pair, changes, { session, projection: { viaPath: 1 } });
}

/**
 * Resets a learner's progress.
 * @param former `lastAttemptAt`: when the learner attempted a quiz last; null: never. `lectures`: the completed lectures.
 */
export async function resetLearnerFigures(
  db: Db,
  { userId, courseId }: Pair,
  { lastAttemptAt, lectures }: { lastAttemptAt: Date | null; lectures: readonly string[] },
  session: ClientSession,
): Promise<void> {
  const phase = lastAttemptAt ? ("reset" as const) : ("not_started" as const);
  const nothing = { lecturesDone: 0, phase, lastActiveAt: lastAttemptAt ?? neverActive, courseCompletedAt: null };
  await db.Enrollment.updateOne(
    { userId, courseId },
    { $set: nothing, $addToSet: { lecturesBeforeReset: { $each: [...lectures] } } },
    { session, timestamps: false },
  );
}

/** Figures of a user who was erased, and whose progress and attempts are gone. */
export const noFigures = {
  lecturesDone: 0,
  quizAttempts: 0,
  bestQuizPercent: 0,
  phase: "not_started",
  lastActiveAt: neverActive,
  courseCompletedAt: null,
  lecturesBeforeReset: [],
} as const satisfies Partial<Enrollment>;
