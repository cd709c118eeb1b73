import type { Deps } from "../deps.js";
import { endExpired } from "../services/enrollments/end-expired.js";
import { earlierOf, earliestDue } from "./earliest-due.js";
import type { Job } from "./scheduler.js";

/** Takes enrollments whose time is over out of the numbers of students, well within a minute. */
export function endExpiredEnrollments({ db }: Pick<Deps, "db">): Job {
  return {
    name: "end-expired-enrollments",
    everyMs: 5_000,
    restMs: 25_000,
    async nextDue() {
      return earlierOf(
        await earliestDue(db.Enrollment, "expiresAt", { active: true }),
        await earliestDue(db.Grant, "expiresAt", { state: "waiting" }),
      );
    },
    async run(signal) {
      const ended = await endExpired(db, signal);
      return ended > 0 ? `${ended} enrollments ended` : undefined;
    },
  };
}
