import type { Db } from "../../db/db.js";
import type { Assessment } from "../../models/assessments/assessment.js";
import { type AttemptQuestion, type GradedAttempt, isGraded } from "../../models/assessments/assessment-attempt.js";
import { type FoundAttempt, findAttempt, findStandings, isPassed } from "../../models/assessments/attempt-queries.js";
import type { Question } from "../../models/learning/question.js";
import type { Shuffle } from "../questions/kinds/question-kind.js";
import { showQuestion } from "../questions/question-kinds.js";
import { isOver } from "./attempt-times.js";
import { sumPoints } from "./grade-answers.js";
import {
  type AttemptKey,
  AttemptNotFound,
  gradeAttempt,
  questionsOf,
  requireUnlockedAttempt,
  type SentAnswers,
} from "./grade-attempt.js";

type OwnAttempt = AttemptKey & { readonly userId: string };

/** Shows an attempt, and its result once it is graded. An attempt whose time is over is graded first. @throws AttemptNotFound, CourseLocked */
export async function showAttempt(db: Db, key: OwnAttempt) {
  let found = await findAttempt(db, key);
  if (!found) throw AttemptNotFound();
  await requireUnlockedAttempt(db, found.attempt);
  if (!isGraded(found.attempt) && isOver(found.attempt, found.assessment, new Date())) {
    found = await gradeAttempt(db, key);
  }
  const attempt = viewOf(found);
  return isGraded(found.attempt) ? { attempt, result: await resultOf(db, found.attempt, found) } : { attempt };
}

/** Submits an attempt and shows its result. @throws AttemptNotFound, CourseLocked */
export async function showSubmitted(db: Db, key: OwnAttempt, sent: SentAnswers) {
  const { attempt, ...found } = await gradeAttempt(db, key, sent);
  return resultOf(db, attempt as GradedAttempt, found);
}

function viewOf(found: FoundAttempt) {
  const { _id, startedAt, endsAt, answers } = found.attempt;
  const questions = questionsOf(found).map(({ question, content }) => ({
    _id: question.questionId,
    ...showQuestion(content, shuffleOf(question)),
  }));
  return { _id, startedAt, endsAt, questions, answers };
}

/** Repeats the order in which options or items were shown. */
const shuffleOf =
  ({ order }: Pick<AttemptQuestion, "order">): Shuffle =>
  (items) =>
    order.length === 0 ? [...items] : order.flatMap((i) => items.slice(i, i + 1));

async function resultOf(
  db: Db,
  attempt: GradedAttempt,
  { assessment, versions }: Pick<FoundAttempt, "assessment" | "versions">,
) {
  const { percent, points, totalPoints, passed, group } = attempt;
  const review = (await mayReview(db, attempt, assessment)) ? { review: reviewOf(attempt, versions) } : {};
  return { percent, points: sumPoints(points), totalPoints, passed, group, ...review };
}

/** Whether the learner may see the right answers. The present rule of the assessment holds for earlier attempts, too. */
async function mayReview(db: Db, { userId, passed }: GradedAttempt, assessment: Assessment): Promise<boolean> {
  if (assessment.showAnswers !== "after_pass") return assessment.showAnswers === "after_attempt";
  if (passed) return true;
  const standings = await findStandings(db, userId, [assessment._id]);
  return isPassed(standings.get(String(assessment._id)), assessment.passPercent);
}

const reviewOf = (attempt: GradedAttempt, versions: readonly Question[]) =>
  questionsOf({ attempt, versions }).map(({ question, content }, i) => ({
    question: { _id: question.questionId, ...content },
    answer: attempt.answers[String(question.questionId)] ?? null,
    points: attempt.points[i] ?? 0,
    pointsPossible: content.points,
  }));
