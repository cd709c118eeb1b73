import type { Deps } from "../deps.js";
import { endExpired } from "../services/enrollments/end-expired.js";
import { allWork, dueRows } from "./due-work.js";
import type { Job } from "./scheduler.js";

/** Takes enrollments whose time is over out of the numbers of students, well within a minute. */
export function endExpiredEnrollments({ db }: Pick<Deps, "db">): Job {
  return {
    name: "end-expired-enrollments",
    everyMs: 5_000,
    restMs: 29_000,
    // A waiting grant that is over gives no access, and a new one for its address ends it: it may wait for the next run.
    ...allWork(
      dueRows(db.Enrollment, "expiresAt", { active: true }),
      dueRows(db.Enrollment, "boughtUntil", { active: true, kind: { $in: ["purchase", "free"] } }),
    ),
    async run(signal) {
      const ended = await endExpired(db, signal);
      return ended > 0 ? `${ended} enrollments ended` : undefined;
    },
  };
}
