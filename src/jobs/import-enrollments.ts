import type { Deps } from "../deps.js";
import { runImports } from "../services/grants/imports/run-imports.js";
import { createJob, dueRows } from "./create-job.js";

/** Works through uploaded tables of grants, and resumes those that a crash has interrupted. */
export const importEnrollmentsJob = ({ db }: Deps) =>
  createJob({
    name: "import-enrollments",
    // An upload that broke off is removed by the run of the next import.
    work: dueRows(db.EnrollmentImport, "startedAt", { filter: { state: "running" } }),
    async run(signal) {
      const rows = await runImports(db, signal);
      return rows > 0 ? `${rows} rows of enrollments imported` : undefined;
    },
  });
