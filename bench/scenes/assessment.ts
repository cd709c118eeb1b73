import { Types } from "mongoose";
import type { Build } from "../processes/builds.js";

/** The chapter with the assessment. */
export const assessedChapterId = "ch3";
const questionCount = 10;

/**
 * Gives a chapter an assessment of ten questions, among `size` questions of the bank and `size` graded attempts of other
 * learners.
 */
export async function fillAssessment(
  db: Build["db"],
  { courseId: id, educatorId, size }: { courseId: string; educatorId: string; size: number },
): Promise<void> {
  const courseId = new Types.ObjectId(id);
  const now = new Date();
  const options = ["a", "b", "c", "d"].map((name) => ({ id: name, text: `Option ${name}` }));
  const content = { kind: "single", points: 1, tags: [], fields: { options, correct: "a" } };
  const facts = { educatorId, version: 1, isCurrent: true, createdAt: now, changedAt: now };
  const bank = Array.from({ length: Math.max(size, questionCount) }, (_, i) => ({
    ...{ ...content, ...facts, _id: new Types.ObjectId(), questionId: new Types.ObjectId() },
    prompt: `Which option is the first one in question ${i}?`,
  }));
  await db.Question.insertMany(bank, { lean: true });
  const chosen = bank.slice(0, questionCount);
  const place = { courseId, chapterId: assessedChapterId };
  const passPercent = 60;
  const { _id: assessmentId } = await db.Assessment.create({
    ...{ ...place, title: "Assessment", questionIds: chosen.map(({ questionId }) => questionId), draw: [] },
    ...{ passPercent, maxAttempts: null, cooldownMinutes: 0, timeLimitMinutes: null, shuffle: true },
    ...{ showAnswers: "after_attempt", requiredForCompletion: false, isCurrent: true },
  });
  const marker = { chapterId: assessedChapterId, assessmentId, requiredPercent: null };
  await db.Course.updateOne({ _id: courseId }, { $set: { assessments: [marker] } }, { timestamps: false });
  const questions = chosen.map(({ _id: versionId, questionId, kind }) => ({ questionId, versionId, kind, order: [] }));
  const answers = Object.fromEntries(chosen.map(({ questionId }) => [String(questionId), "a"]));
  const grade = {
    percent: 100,
    points: chosen.map(() => 1),
    totalPoints: questionCount,
    passed: true,
    group: "mastered",
  };
  const attempts = Array.from({ length: size }, (_, i) => ({
    ...{ ...place, ...grade, assessmentId, passPercent, questions, answers, _id: new Types.ObjectId() },
    ...{ userId: `user_examined_${i}`, number: 1, state: "graded", startedAt: now, endsAt: null, endedAt: now },
  }));
  for (let at = 0; at < attempts.length; at += 1_000) {
    await db.AssessmentAttempt.insertMany(attempts.slice(at, at + 1_000), { lean: true });
  }
}
