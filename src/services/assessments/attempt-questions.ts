import type { AssessmentAttempt, AttemptQuestion } from "../../models/assessments/assessment-attempt.js";
import type { FoundAttempt } from "../../models/assessments/attempt-queries.js";
import type { QuestionContent } from "../questions/kinds/question-kind.js";
import { contentOf } from "../questions/question-bank.js";
import { readAnswer, withIds } from "../questions/question-kinds.js";

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
