import Big from "big.js";
import type { QuestionContent } from "../questions/kinds/question-kind.js";
import { gradeAnswer } from "../questions/question-kinds.js";
import { gradeScore } from "../quizzes/grade-quiz.js";

/** A question and its answer; undefined or null when there is none. */
export interface AnsweredQuestion {
  readonly content: QuestionContent;
  readonly answer: unknown;
}

export interface Grade {
  /** Points of each question. */
  readonly points: number[];
  readonly totalPoints: number;
  readonly percent: number;
  readonly passed: boolean;
  readonly group: ReturnType<typeof gradeScore>["group"];
}

/** Grades the answers of an attempt. */
export function gradeAnswers(answered: readonly AnsweredQuestion[], passPercent: number): Grade {
  const points = answered.map(({ content, answer }) => gradeAnswer(content, answer));
  const totalPoints = sumPoints(answered.map(({ content }) => content.points));
  const { percentage: percent, group } =
    totalPoints === 0 ? gradeScore(0, 1) : gradeScore(sumPoints(points), totalPoints);
  return { points, totalPoints, percent, passed: percent >= passPercent, group };
}

/** Decimals of a sum. Parts of points, such as a third, have no end. */
const decimals = 6;

/** Adds points in decimals, so that 0.1 and 0.2 are 0.3. */
export const sumPoints = (points: readonly number[]): number =>
  points
    .reduce((sum, one) => sum.plus(one), new Big(0))
    .round(decimals)
    .toNumber();
