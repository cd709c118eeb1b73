import { countAbandonedAttempts } from "../commands/count-attempt.js";
import type { Db } from "../db/db.js";
import type { Job } from "./scheduler.js";

const atOnce = 500;

/** Counts quiz attempts that a crash left out of the statistics. */
export function countAttemptsJob(db: Db): Job {
  return {
    name: "count-quiz-attempts",
    everyMs: 20_000,
    async run(signal) {
      const counted = await countAbandonedAttempts(db, atOnce, signal);
      return counted > 0 ? `counted ${counted} quiz attempts` : undefined;
    },
  };
}
