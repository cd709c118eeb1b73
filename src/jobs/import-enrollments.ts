import type { Deps } from "../deps.js";
import { abandonedAfterMs, runImports } from "../services/grants/imports/run-imports.js";
import { earlierOf, earliestDue, laterBy } from "./earliest-due.js";
import type { Job } from "./scheduler.js";

/** Works through tables of grants that were sent, and goes on with those that a crash has interrupted. */
export function importEnrollments({ db }: Pick<Deps, "db">): Job {
  return {
    name: "import-enrollments",
    everyMs: 2_000,
    restMs: 25_000,
    async nextDue() {
      const receiving = await earliestDue(db.EnrollmentImport, "startedAt", { state: "receiving" });
      const running = await earliestDue(db.EnrollmentImport, "startedAt", { state: "running" });
      return earlierOf(running, laterBy(receiving, abandonedAfterMs));
    },
    leaseMs: 6_000,
    async run(signal) {
      const rows = await runImports(db, signal);
      return rows > 0 ? `${rows} rows of enrollments imported` : undefined;
    },
  };
}
