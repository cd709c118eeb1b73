import type { Deps } from "../deps.js";
import { endExpired } from "../services/enrollments/end-expired.js";
import { createJob, dueRows } from "./create-job.js";

/** Takes enrollments whose time is over out of the numbers of students, well within a minute. */
export const endExpiredEnrollmentsJob = ({ db }: Deps) =>
  createJob({
    name: "end-expired-enrollments",
    // An expired waiting grant gives no access and a new grant replaces it, so it waits for the next run.
    work: [
      dueRows(db.Enrollment, "expiresAt", { filter: { active: true } }),
      dueRows(db.Enrollment, "boughtUntil", { filter: { active: true, kind: { $in: ["purchase", "free"] } } }),
    ],
    async run(signal) {
      const ended = await endExpired(db, signal);
      return ended > 0 ? `${ended} enrollments ended` : undefined;
    },
  });
