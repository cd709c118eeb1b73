import { Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { isDuplicateKey } from "../../db/duplicate-key.js";
import type { Deps } from "../../deps.js";
import { failure } from "../../lib/errors.js";
import type { Quiz, QuizQuestion } from "../../models/learning/quiz.js";
import type { QuizGroup, QuizResult } from "../../models/learning/quiz-result.js";
import { currentQuiz } from "./generate-quiz.js";
import { askRecommendations, plainRecommendations } from "./quiz-recommendations.js";
import { storeAttempt } from "./store-attempt.js";

export const QuizNotFound = failure("quiz_not_found", 404, "Quiz not found");
export const AnswerCountDiffers = failure("answer_count_differs", 400, "Answer count does not match question count");

export interface ReviewedQuestion extends QuizQuestion {
  chosenIndex: number;
}

export interface GradedQuiz extends Pick<QuizResult, "score" | "total" | "percentage" | "group" | "recommendations"> {
  review: ReviewedQuestion[];
}

/** Share of right answers in whole percent, and the group it puts the learner into. */
export function gradeOf(score: number, total: number): { percentage: number; group: QuizGroup } {
  const percentage = Math.round((score / total) * 100);
  return { percentage, group: percentage <= 40 ? "needs_review" : percentage <= 75 ? "on_track" : "mastered" };
}

/** Remembers the version that a learner was shown; an older one never replaces a newer one. */
export async function rememberServed(db: Db, userId: string, quiz: Quiz): Promise<void> {
  const { courseId, chapterId, version } = quiz;
  const write = () => db.QuizServed.updateOne({ userId, courseId, chapterId }, { $max: { version } }, { upsert: true });
  await write().catch((error: unknown) => {
    // Two first views at once: the unique index refused one of the upserts, and the document is there now.
    if (!isDuplicateKey(error)) throw error;
    return write();
  });
}

/** The version to grade a learner on: the one shown to them last, else the one in force. */
async function quizToGrade(db: Db, userId: string, courseId: Types.ObjectId, chapterId: string): Promise<Quiz | null> {
  const served = await db.QuizServed.findOne({ userId, courseId, chapterId }, { version: 1 }).lean();
  if (!served) return currentQuiz(db, courseId, chapterId);
  return db.Quiz.findOne({ courseId, chapterId, version: served.version }).lean<Quiz>();
}

/**
 * Grades an attempt and stores it with plain advice before the AI is asked; its advice then replaces the plain one, if
 * it comes in time. Every call is an attempt of its own.
 * @throws QuizNotFound, AnswerCountDiffers
 */
export async function gradeQuiz(
  { db, ai, config }: Pick<Deps, "db" | "ai" | "config">,
  attempt: { userId: string; courseId: Types.ObjectId; chapterId: string; answers: number[] },
): Promise<GradedQuiz> {
  const { userId, courseId, chapterId, answers } = attempt;
  const quiz = await quizToGrade(db, userId, courseId, chapterId);
  if (!quiz) throw QuizNotFound();
  if (answers.length !== quiz.questions.length) throw AnswerCountDiffers();

  const review = quiz.questions.map((question, i) => ({ ...question, chosenIndex: answers[i] ?? -1 }));
  const missed = review.filter(({ chosenIndex, correctIndex }) => chosenIndex !== correctIndex);
  const total = review.length;
  const score = total - missed.length;
  const { percentage, group } = gradeOf(score, total);
  const { courseTitle, chapterTitle } = quiz;
  const graded = { courseTitle, chapterTitle, score, total, percentage, group, missed };

  const plain = plainRecommendations(graded);
  const _id = new Types.ObjectId();
  const grade = { score, total, percentage, group, answers, version: quiz.version };
  await storeAttempt(db, { _id, userId, courseId, chapterId, ...grade, recommendations: plain });
  // The attempt is stored: what fails from here on costs the learner nothing but the better advice.
  const advice = await askRecommendations(ai, graded, {
    withinMs: config.ai.adviceTimeoutMs,
    platform: config.platform.name,
  })
    .then((better) => keepAdvice(db, { _id, userId }, better))
    .catch(() => plain);
  return { score, total, percentage, group, recommendations: advice, review };
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
