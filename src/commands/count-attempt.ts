import type { Models } from "../models/index.js";
import type { QuizResult } from "../models/quiz-result.js";
import { countOnce } from "./count-once.js";

/**
 * Adds an attempt to the statistics of its chapter and of its quiz version, once, and marks it as counted. Safe to repeat
 * after a crash between any two of the three writes.
 */
export async function countAttempt(models: Models, attempt: QuizResult): Promise<void> {
  const { courseId, chapterId, version, percentage, group, answers } = attempt;
  const key = String(attempt._id);
  await countOnce(
    models.QuizChapterStats,
    { courseId, chapterId },
    key,
    { $inc: { attempts: 1, totalPct: percentage, [group]: 1 }, $max: { newestVersion: version } },
    { upsert: true },
  );
  const chosen = Object.fromEntries(answers.map((option, question) => [`chosen.${question}_${option}`, 1]));
  await countOnce(
    models.QuizVersionStats,
    { courseId, chapterId, version },
    key,
    { $inc: { attempts: 1, ...chosen } },
    { upsert: true },
  );
  await models.QuizResult.updateOne({ _id: attempt._id }, { $set: { counted: true } }, { timestamps: false });
}
