import { countAbandonedAttempts } from "../commands/count-attempt.js";
import type { Models } from "../models/index.js";
import type { Job } from "./scheduler.js";

const atOnce = 500;

/** Counts quiz attempts that a crash left out of the statistics. */
export function countAttemptsJob(models: Models): Job {
  return {
    name: "count-quiz-attempts",
    everyMs: 20_000,
    async run(signal) {
      const counted = await countAbandonedAttempts(models, atOnce, signal);
      return counted > 0 ? `counted ${counted} quiz attempts` : undefined;
    },
  };
}
