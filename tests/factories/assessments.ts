import { type AssessmentForm, putAssessment } from "../../src/services/assessments/manage-assessments.js";
import { addQuestion } from "../../src/services/questions/question-bank.js";
import { questionContent } from "../../src/services/questions/question-kinds.js";
import type { SignedIn, TestServer } from "../server/test-server.js";

/** The rules of an assessment that asks little. */
export const rules = {
  ...{ passPercent: 50, maxAttempts: null, cooldownMinutes: 0, timeLimitMinutes: null, shuffle: false },
  ...{ showAnswers: "after_attempt" as const, requiredForCompletion: false },
};

interface Where {
  readonly courseId: unknown;
  readonly educatorId: string;
  readonly chapterId?: string;
}

/** Gives a chapter an assessment of one true statement. @returns the id of the question. */
export async function buildAssessment(
  { deps: { db } }: TestServer,
  { courseId, educatorId, chapterId = "ch1" }: Where,
  fields: Partial<AssessmentForm> = {},
): Promise<string> {
  const statement = questionContent.parse({ kind: "boolean", prompt: "The earth is round.", correct: true });
  const questionId = String((await addQuestion(db, educatorId, statement))._id);
  const form = { ...rules, questionIds: [questionId], ...fields };
  await putAssessment(db, { userId: educatorId, role: "educator" }, { courseId: String(courseId), chapterId }, form);
  return questionId;
}

/** Starts an attempt. @returns its id. */
export async function beginAttempt(
  server: TestServer,
  { token }: SignedIn,
  { courseId, chapterId = "ch1" }: Pick<Where, "courseId" | "chapterId">,
): Promise<string> {
  const path = `/api/quiz/assessments/${courseId}/${chapterId}/attempts`;
  const { status, body } = await server.post(path, undefined, token);
  if (status !== 200) throw new Error(`a start was answered ${status}: ${JSON.stringify(body)}`);
  return body.attempt._id;
}
