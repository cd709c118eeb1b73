import type { Quiz, QuizQuestion } from "../../models/learning/quiz.js";
import type { QuizGroup, QuizResult } from "../../models/learning/quiz-result.js";
import type { Ai } from "../../providers/openai/openai.js";
import { dataRule, promptLine, promptMessages } from "../ai/model-text.js";

export interface QuizOutcome
  extends Pick<Quiz, "courseTitle" | "chapterTitle">,
    Pick<QuizResult, "score" | "total" | "percentage" | "group"> {
  /** The questions with a wrong answer. */
  readonly missed: readonly QuizQuestion[];
}

const goals: Record<QuizGroup, string> = {
  needs_review: "Go through the lectures of this chapter again before you move on, then take the quiz once more.",
  on_track: "You are close: revisit the lectures behind your mistakes and take the quiz once more.",
  mastered: "You are ready for the next chapter: explain what you learned to another learner to keep it fresh.",
};

/** Writes advice without the AI: four lines, each starting with a bullet. Equal attempts get equal advice. */
export function plainRecommendations({ chapterTitle, score, total, percentage, group, missed }: QuizOutcome): string {
  const [first] = missed;
  return [
    `You answered ${score} of ${total} questions on “${promptLine(chapterTitle, 120)}” correctly (${percentage}%).`,
    first
      ? `Start with the question “${promptLine(first.question, 160)}” and work out why its explanation holds.`
      : "You made no mistake: try to say in your own words why each right answer is right.",
    goals[group],
    "Write a small example of your own for each idea of the chapter and check it against the lecture.",
  ]
    .map((line) => `• ${line}`)
    .join("\n");
}

const maxLineLength = 500;

/** Reads the advice in a model's answer. Returns `undefined` unless it has 4 or 5 lines that start with a bullet. */
export function readRecommendations(answer: string): string | undefined {
  const lines = answer
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  const fits =
    lines.length >= 4 &&
    lines.length <= 5 &&
    lines.every((line) => /^•\s*\S/.test(line) && line.length <= maxLineLength && !/\p{Cc}/u.test(line));
  return fits ? lines.join("\n") : undefined;
}

const instructions = (platform: string) =>
  [
    `You advise a learner of ${platform}, an online learning platform, after a quiz. ` +
      "Write 4 or 5 lines and nothing else; each line starts with • and is one " +
      "concrete next step, under 200 characters, about the subjects of the questions that were missed.",
    "Do not say which option of a question is right.",
    dataRule,
  ].join("\n");

/**
 * Asks for advice on an attempt without sending options or answers of the quiz.
 * @param options.withinMs longest time that the learner waits.
 * @throws AiFault
 */
export function askRecommendations(
  ai: Ai,
  attempt: QuizOutcome,
  { withinMs, platform }: { withinMs: number; platform: string },
): Promise<string> {
  const facts = {
    courseTitle: promptLine(attempt.courseTitle, 200),
    chapterTitle: promptLine(attempt.chapterTitle, 200),
    percentage: attempt.percentage,
    missedQuestions: attempt.missed.slice(0, 10).map(({ question }) => promptLine(question, 200)),
  };
  return ai.ask({
    purpose: "recommendations",
    messages: promptMessages(instructions(platform), facts),
    maxTokens: 600,
    withinMs,
    read: readRecommendations,
  });
}
