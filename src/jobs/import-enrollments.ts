import type { Deps } from "../deps.js";
import { runImports } from "../services/grants/imports/run-imports.js";
import { dueRows } from "./due-work.js";
import type { Job } from "./scheduler.js";

/** Works through tables of grants that were sent, and goes on with those that a crash has interrupted. */
export function importEnrollments({ db }: Pick<Deps, "db">): Job {
  return {
    name: "import-enrollments",
    everyMs: 2_000,
    restMs: 29_000,
    // What an upload that broke off has left is removed with the next import.
    ...dueRows(db.EnrollmentImport, "startedAt", { state: "running" }),
    leaseMs: 6_000,
    async run(signal) {
      const rows = await runImports(db, signal);
      return rows > 0 ? `${rows} rows of enrollments imported` : undefined;
    },
  };
}
