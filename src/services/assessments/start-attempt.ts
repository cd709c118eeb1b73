import { randomBytes, randomInt } from "node:crypto";
import { type ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import {
  type AssessmentAttempt,
  type AttemptQuestion,
  countAttempts,
} from "../../models/assessments/assessment-attempt.js";
import { contentOf } from "../questions/question-bank.js";
import { itemsOf } from "../questions/question-kinds.js";
import { chooseVersions } from "./assessment-questions.js";
import { cooldownEnd, endOf, isOver } from "./attempt-times.js";
import { randomOrder } from "./draw-questions.js";
import { findAssessment, findNewestAttempt, type OpenAssessment } from "./find-assessment.js";
import { gradeAttempt } from "./grade-attempt.js";
import type { ChapterPath } from "./manage-assessments.js";

export const NoAttemptsLeft = failure("no_attempts_left", 409, "No attempts left");
export const NoQuestions = failure("no_questions", 409, "Assessment has no questions");
export const AttemptTooSoon = failure("attempt_too_soon", 409, "Please wait before the next attempt");

/** A start before the end of the pause, and when it ends. */
export interface TooSoon {
  readonly retryAt: Date;
}

/**
 * Starts an attempt, or finds the open one. The unique number of an attempt keeps the limit in any race.
 * @throws as `findAssessment`, and NoAttemptsLeft, NoQuestions.
 */
export async function startAttempt(db: Db, userId: string, path: ChapterPath): Promise<AssessmentAttempt | TooSoon> {
  const found = await findAssessment(db, userId, path);
  const started = await startOrFind(db, userId, found);
  if ("retryAt" in started || !isOver(started, found.assessment, new Date())) return started;
  await gradeAttempt(db, { _id: started._id });
  return startOrFind(db, userId, found);
}

function startOrFind(db: Db, userId: string, found: OpenAssessment): Promise<AssessmentAttempt | TooSoon> {
  const { _id: assessmentId, courseId, chapterId, maxAttempts, timeLimitMinutes, passPercent } = found.assessment;
  return db.transaction(
    async (session) => {
      const newest = await findNewestAttempt(db, userId, found.assessment, session);
      if (newest?.state === "open") return newest;
      const number = (newest?.number ?? 0) + 1;
      const used = countAttempts(newest);
      if (maxAttempts !== null && used >= maxAttempts) throw NoAttemptsLeft();
      const startedAt = new Date();
      const retryAt = cooldownEnd(newest, found.assessment, startedAt);
      if (retryAt) return { retryAt };
      const questions = await chooseQuestions(db, found, session);
      if (questions.length === 0) throw NoQuestions();
      const attempt: AssessmentAttempt = {
        _id: new Types.ObjectId(),
        userId,
        courseId,
        chapterId,
        assessmentId,
        number,
        ...(number - 1 > used && { formerAttempts: number - 1 - used }),
        state: "open",
        ...(found.enrollment?.viaPath && { viaPath: true }),
        startedAt,
        ...endOf(startedAt, timeLimitMinutes),
        passPercent,
        questions,
        answers: {},
      };
      await db.AssessmentAttempt.create([attempt], { session });
      return attempt;
    },
    { mutex: `attempt:${userId}:${assessmentId}` },
  );
}

const random = (below: number): number => randomInt(below);

/** Makes an id of an option or item. It is random, because an ObjectId would tell the order. */
const randomId = (): string => randomBytes(12).toString("hex");

/** Chooses the present versions of the questions, and the order in which they and their options are shown. */
async function chooseQuestions(
  db: Db,
  { assessment, educatorId }: OpenAssessment,
  session: ClientSession,
): Promise<AttemptQuestion[]> {
  const chosen = await chooseVersions(db, assessment, educatorId, random, session);
  const { shuffle } = assessment;
  const order = shuffle ? randomOrder(chosen.length, random) : chosen.keys();
  return [...order].flatMap((i) => {
    const version = chosen[i];
    if (!version) return [];
    const { _id: versionId, questionId, kind } = version;
    const { items, isAlwaysShuffled } = itemsOf(contentOf(version));
    const order = shuffle || isAlwaysShuffled ? randomOrder(items.length, random) : [];
    return [{ questionId, versionId, kind, order, ids: items.map(randomId) }];
  });
}
