import type { Db } from "../../db/db.js";
import type { NewQuizResult } from "../../models/learning/quiz-result.js";

/** Stores a graded attempt; the statistics of its chapter and of its quiz version move with it. */
export async function storeAttempt(db: Db, attempt: NewQuizResult): Promise<void> {
  const { courseId, chapterId, version, percentage, group, answers } = attempt;
  const inChapter = { attempts: 1, totalPct: percentage, [group]: 1 };
  const chosen = Object.fromEntries(answers.map((option, question) => [`chosen.${question}_${option}`, 1]));
  await db.transaction(
    async (session) => {
      const upsert = { upsert: true, session };
      await db.QuizResult.create([attempt], { session });
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
