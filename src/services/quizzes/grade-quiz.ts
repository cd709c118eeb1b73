import Big from "big.js";
import { Types } from "mongoose";
import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import type { Deps } from "../../deps.js";
import { failure } from "../../lib/errors.js";
import type { Quiz } from "../../models/learning/quiz.js";
import type { NewQuizResult, QuizGroup, QuizResult } from "../../models/learning/quiz-result.js";
import { recordEvent } from "../events/record-event.js";
import { countQuizAttempt } from "../learners/learner-figures.js";
import { currentQuiz } from "./generate-quiz.js";
import { askRecommendations, plainRecommendations } from "./quiz-recommendations.js";

export const QuizNotFound = failure("quiz_not_found", 404, "Quiz not found");
export const AnswerCountDiffers = failure("answer_count_differs", 400, "Answer count does not match question count");

/** Computes the share of right answers or of points in whole percent, rounded half up, and the learner's group. */
export function gradeScore(score: number, total: number): { percentage: number; group: QuizGroup } {
  const percentage = new Big(score).times(100).div(total).round(0, Big.roundHalfUp).toNumber();
  return { percentage, group: percentage <= 40 ? "needs_review" : percentage <= 75 ? "on_track" : "mastered" };
}

/** Remembers the version that a learner was shown. An older version never replaces a newer one. */
export async function rememberServed(db: Db, userId: string, quiz: Quiz): Promise<void> {
  const { courseId, chapterId, version } = quiz;
  const write = () =>
    db.LastServedQuiz.updateOne({ userId, courseId, chapterId }, { $max: { version } }, { upsert: true });
  await write().catch((error: unknown) => {
    // The unique index refused one of two upserts at once, so the document exists now.
    if (!isDuplicateKey(error)) throw error;
    return write();
  });
}

/** Reads the version to grade a learner on: the version shown to them last, else the version in force. */
async function quizToGrade(db: Db, userId: string, courseId: Types.ObjectId, chapterId: string): Promise<Quiz | null> {
  const served = await db.LastServedQuiz.findOne({ userId, courseId, chapterId }, { version: 1 }).lean();
  if (!served) return currentQuiz(db, courseId, chapterId);
  return db.Quiz.findOne({ courseId, chapterId, version: served.version }).lean<Quiz>();
}

/**
 * Grades an attempt and stores it with plain advice before the AI is asked. The AI's advice then replaces the plain advice
 * if it comes in time. Every call is an attempt of its own.
 * @throws QuizNotFound, AnswerCountDiffers
 */
export async function gradeQuiz(
  { db, ai, config }: Pick<Deps, "db" | "ai" | "config">,
  attempt: { userId: string; courseId: Types.ObjectId; chapterId: string; answers: number[] },
) {
  const { userId, courseId, chapterId, answers } = attempt;
  const quiz = await quizToGrade(db, userId, courseId, chapterId);
  if (!quiz) throw QuizNotFound();
  if (answers.length !== quiz.questions.length) throw AnswerCountDiffers();

  const review = quiz.questions.map((question, i) => ({ ...question, chosenIndex: answers[i] ?? -1 }));
  const missed = review.filter(({ chosenIndex, correctIndex }) => chosenIndex !== correctIndex);
  const total = review.length;
  const score = total - missed.length;
  const { percentage, group } = gradeScore(score, total);
  const { courseTitle, chapterTitle } = quiz;
  const graded = { courseTitle, chapterTitle, score, total, percentage, group, missed };

  const plain = plainRecommendations(graded);
  const _id = new Types.ObjectId();
  const grade = { score, total, percentage, group, answers, version: quiz.version };
  await storeAttempt(db, { _id, userId, courseId, chapterId, ...grade, recommendations: plain });
  // The attempt is stored, so a failure from here on costs only the AI's advice.
  const advice = await askRecommendations(ai, graded, {
    withinMs: config.ai.adviceTimeoutMs,
    platform: config.platform.name,
  })
    .then((better) => keepAdvice(db, { _id, userId }, better))
    .catch(() => plain);
  return { score, total, percentage, group, recommendations: advice, review };
}

/** Stores a graded attempt and updates the learner's figures and the statistics of its chapter and quiz version. */
export async function storeAttempt(db: Db, attempt: NewQuizResult): Promise<void> {
  const { userId, courseId, chapterId, version, percentage, group, answers, createdAt = new Date() } = attempt;
  const inChapter = { attempts: 1, totalPct: percentage, [group]: 1 };
  const chosen = Object.fromEntries(answers.map((option, question) => [`chosen.${question}_${option}`, 1]));
  await db.transaction(
    async (session) => {
      const upsert = { upsert: true, session };
      await db.QuizResult.create([attempt], { session });
      await recordEvent(db, session, "quiz.attempted", { userId, courseId, chapterId, percentage, group });
      await countQuizAttempt(db, { userId, courseId }, { percentage, at: createdAt }, session);
      await db.QuizVersionStats.updateOne(
        { courseId, chapterId, version },
        { $inc: { attempts: 1, ...chosen } },
        upsert,
      );
      await db.QuizChapterStats.updateOne(
        { courseId, chapterId },
        { $inc: inChapter, $max: { newestVersion: version } },
        upsert,
      );
    },
    { mutex: `quiz:${courseId}:${chapterId}` },
  );
}

/** Stores the advice with the attempt, unless the attempt no longer is the user's because of an erasure. */
async function keepAdvice(
  db: Db,
  attempt: Pick<QuizResult, "_id" | "userId">,
  recommendations: string,
): Promise<string> {
  await db.QuizResult.updateOne(attempt, { $set: { recommendations } });
  return recommendations;
}
