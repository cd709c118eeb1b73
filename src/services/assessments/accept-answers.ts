import type { AssessmentAttempt } from "../../models/assessments/assessment-attempt.js";
import { readAnswer } from "../questions/question-kinds.js";

/** Answers as a learner sends them, by question id. */
export type SentAnswers = Readonly<Record<string, unknown>>;

/** Keeps the answers to questions of the attempt. An answer of a wrong type becomes null. */
export function acceptAnswers(
  { questions }: Pick<AssessmentAttempt, "questions">,
  sent: SentAnswers,
): AssessmentAttempt["answers"] {
  const accepted = questions.flatMap(({ questionId, kind }) => {
    const name = String(questionId);
    return Object.hasOwn(sent, name) ? [[name, readAnswer(kind, sent[name])]] : [];
  });
  return Object.fromEntries(accepted);
}
