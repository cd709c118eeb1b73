import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { type AssessmentAttempt, type AttemptQuestion, isGraded } from "../../models/assessments/assessment-attempt.js";
import { type FoundAttempt, findAttempt } from "../../models/assessments/attempt-queries.js";
import { type NewEvent, recordEvents } from "../events/record-event.js";
import { countQuizAttempt } from "../learners/learner-figures.js";
import { certify, completedFacts, findCompletion } from "../learning/completion.js";
import type { QuestionContent } from "../questions/kinds/question-kind.js";
import { contentOf } from "../questions/question-bank.js";
import { readAnswer, withIds } from "../questions/question-kinds.js";
import { endedAt, isOver } from "./attempt-times.js";
import { type Grade, gradeAnswers } from "./grade-answers.js";

export const AttemptNotFound = failure("attempt_not_found", 404, "Attempt not found");

/** Names an attempt; with a user, only if it is theirs. */
export interface AttemptKey {
  readonly _id: Types.ObjectId;
  readonly userId?: string;
}

/**
 * Grades an attempt with the sent answers and those that were saved. If its time is over, only saved answers count. A
 * graded attempt stays as it is.
 * @param sent the answers of a submission; without it, an attempt whose time is not over stays open.
 * @throws AttemptNotFound
 */
export async function gradeAttempt(db: Db, key: AttemptKey, sent?: SentAnswers): Promise<FoundAttempt> {
  const { hasCompleted, ...graded } = await db.transaction(async (session) => {
    const found = await findAttempt(db, key, session);
    if (!found) throw AttemptNotFound();
    const { attempt, assessment } = found;
    const now = new Date();
    const isLate = isOver(attempt, assessment, now);
    if (isGraded(attempt) || !(isLate || sent)) return { ...found, hasCompleted: false };
    const answers = { ...attempt.answers, ...(isLate ? {} : acceptAnswers(attempt, sent ?? {})) };
    const answered = questionsOf(found).map(({ question, content }) => ({
      content,
      answer: answers[String(question.questionId)],
    }));
    const grade = gradeAnswers(answered, attempt.passPercent);
    const stored = await storeGradedAttempt(db, found, { answers, ...grade, now }, session);
    return { ...found, ...stored };
  });
  if (hasCompleted) db.jobWakeups.emit("Certificate");
  return graded;
}

/**
 * Stores the grade of an open attempt with everything that follows from it: the learner's figures, and the completion of
 * the course. The enrollment is the document that excludes a progress call at the same time.
 */
async function storeGradedAttempt(
  db: Db,
  { attempt, assessment }: FoundAttempt,
  { now, ...graded }: Grade & { answers: AssessmentAttempt["answers"]; now: Date },
  session: ClientSession,
): Promise<{ attempt: AssessmentAttempt; hasCompleted: boolean }> {
  const at = endedAt(attempt, assessment, now);
  const stored = await db.AssessmentAttempt.findOneAndUpdate(
    { _id: attempt._id, state: "open" },
    { $set: { ...graded, state: "graded", endedAt: at }, $unset: { gradeAt: 1 } },
    { session, returnDocument: "after" },
  )
    .lean<AssessmentAttempt>()
    .orFail();
  // The percentage to pass may have been lowered since the attempt started.
  const passes = graded.passed || graded.percent >= assessment.passPercent;
  const isDecisive = passes && !attempt.isFormer && assessment.isCurrent && assessment.requiredForCompletion;
  const completion = isDecisive ? await findCompletion(db, attempt, session) : undefined;
  const figures = { percentage: graded.percent, at, completedAt: completion ? now : null };
  const enrollment = await countQuizAttempt(db, attempt, figures, session);
  const completed = enrollment ? completion : undefined;
  const recorded = completed && (await certify(db, session, completed.progress, completed.course, now));
  const hasCompleted = recorded?.certificate !== undefined && recorded.certificate !== null;
  const { userId, courseId, chapterId } = attempt;
  const { percent: percentage, group } = graded;
  const attempted: NewEvent = { type: "quiz.attempted", data: { userId, courseId, chapterId, percentage, group } };
  const facts = hasCompleted ? await completedFacts(db, session, attempt, enrollment) : [];
  await recordEvents(db, session, [attempted, ...facts]);
  return { attempt: stored, hasCompleted };
}

/** The questions of an attempt in the order shown, with the ids that the attempt gave to their options and items. */
export function questionsOf({
  attempt,
  versions,
}: Pick<FoundAttempt, "attempt" | "versions">): { question: AttemptQuestion; content: QuestionContent }[] {
  const versionOf = new Map(versions.map((version) => [String(version._id), version]));
  return attempt.questions.flatMap((question) => {
    const version = versionOf.get(String(question.versionId));
    if (!version) return [];
    const content = contentOf(version);
    return [{ question, content: question.ids ? withIds(content, question.ids) : content }];
  });
}

/** Answers as a learner sends them, by question id. */
export type SentAnswers = Readonly<Record<string, unknown>>;

/** Keeps the answers to questions of the attempt. An answer of a wrong type becomes null. */
function acceptAnswers(
  { questions }: Pick<AssessmentAttempt, "questions">,
  sent: SentAnswers,
): AssessmentAttempt["answers"] {
  const accepted = questions.flatMap(({ questionId, kind }) => {
    const name = String(questionId);
    return Object.hasOwn(sent, name) ? [[name, readAnswer(kind, sent[name])]] : [];
  });
  return Object.fromEntries(accepted);
}

export const AttemptOver = failure("attempt_over", 409, "The attempt is over");

/**
 * Saves answers beside those that were saved before. Saves at the same time keep each other's answers.
 * @returns when they were saved. @throws AttemptNotFound, AttemptOver
 */
export async function saveAnswers(db: Db, key: AttemptKey, sent: SentAnswers): Promise<Date> {
  const found = await findAttempt(db, key);
  if (!found) throw AttemptNotFound();
  const { attempt, assessment } = found;
  const savedAt = new Date();
  if (attempt.state !== "open" || isOver(attempt, assessment, savedAt)) throw AttemptOver();
  const changes = Object.entries(acceptAnswers(attempt, sent)).map(([name, answer]) => [`answers.${name}`, answer]);
  if (changes.length === 0) return savedAt;
  const open = { _id: attempt._id, state: "open" as const };
  const { matchedCount } = await db.AssessmentAttempt.updateOne(open, { $set: Object.fromEntries(changes) });
  if (matchedCount === 0) throw AttemptOver();
  return savedAt;
}
