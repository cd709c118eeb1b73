import type { Db } from "../db/db.js";
import type { QuizResult } from "../models/quiz-result.js";
import { claimAfter, lapsedBy } from "./claims.js";
import { countOnce, forgetKeys } from "./count-once.js";

const freshChapter = { totalPct: 0, needs_review: 0, on_track: 0, mastered: 0 };

/**
 * Adds an attempt to the statistics of its chapter and of its quiz version, once, and marks it as counted.
 * @param attempt as the caller stored it just now, or took it over.
 */
export async function countAttempt(
  db: Db,
  attempt: QuizResult,
  { takenOver = false }: { takenOver?: boolean } = {},
): Promise<void> {
  const { _id, courseId, chapterId, version, percentage, group, answers, claimedAt } = attempt;
  const [chapter, quiz] = [
    { courseId, chapterId },
    { courseId, chapterId, version },
  ];
  const key = String(_id);
  const inChapter = { attempts: 1, totalPct: percentage, [group]: 1 };
  await countOnce(db.QuizChapterStats, chapter, [{ key, inc: inChapter }], {
    fresh: freshChapter,
    max: { newestVersion: version },
  });
  const chosen = Object.fromEntries(answers.map((option, question) => [`chosen.${question}_${option}`, 1]));
  await countOnce(db.QuizVersionStats, quiz, [{ key, inc: { attempts: 1, ...chosen } }], { fresh: {} });
  const marked = await db.QuizResult.updateOne(
    { _id, counted: false, claimedAt },
    { $set: { counted: true } },
    { timestamps: false },
  );
  if (marked.matchedCount === 0 || takenOver) return;
  await forgetKeys(db.QuizChapterStats, chapter, [key]);
  await forgetKeys(db.QuizVersionStats, quiz, [key]);
}

/** Counts attempts that a crash left out. @returns how many. */
export async function countAbandonedAttempts(db: Db, limit: number, signal: AbortSignal): Promise<number> {
  const lapsed = lapsedBy();
  const left = await db.QuizResult.find({ counted: false, claimedAt: { $lte: lapsed } })
    .sort({ claimedAt: 1 })
    .limit(limit)
    .lean<QuizResult[]>();
  let counted = 0;
  for (const attempt of left) {
    if (signal.aborted) break;
    const { _id, claimedAt } = attempt;
    const claim = { claimedAt: claimAfter(claimedAt) };
    const taken = await db.QuizResult.updateOne({ _id, counted: false, claimedAt }, { $set: claim });
    if (taken.matchedCount === 0) continue;
    await countAttempt(db, { ...attempt, ...claim }, { takenOver: true });
    counted += 1;
  }
  return counted;
}
