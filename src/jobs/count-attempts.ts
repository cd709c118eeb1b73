import { countAttempt } from "../commands/count-attempt.js";
import type { Models } from "../models/index.js";
import type { QuizResult } from "../models/quiz-result.js";
import type { Job } from "./scheduler.js";

const atOnce = 500;

/** Counts quiz attempts that a crash left out of the statistics. */
export function countAttemptsJob(models: Models): Job {
  return {
    name: "count-quiz-attempts",
    everyMs: 20_000,
    async run(signal) {
      const left = await models.QuizResult.find({ counted: false })
        .sort({ createdAt: 1 })
        .limit(atOnce)
        .lean<QuizResult[]>();
      for (const attempt of left) {
        if (signal.aborted) break;
        await countAttempt(models, attempt);
      }
      return left.length > 0 ? `counted ${left.length} quiz attempts` : undefined;
    },
  };
}
