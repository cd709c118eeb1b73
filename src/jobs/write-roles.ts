import type { Deps } from "../deps.js";
import { isLoggedFailure } from "../lib/is-logged-failure.js";
import { writeRoleAtProvider } from "../services/educators/write-role-at-provider.js";
import { createJob, dueRows } from "./create-job.js";

const maxApplicationsPerRun = 50;

/** Reports approvals to the identity provider where a crash or the provider has held it up. */
export const writeRolesJob = ({ db, identity, log }: Deps) =>
  createJob({
    name: "write-roles",
    work: dueRows(db.EducatorApplication, "nextAttemptAt", { filter: { status: "approving" }, since: "updatedAt" }),
    async run() {
      const due = await db.EducatorApplication.find(
        { status: "approving", nextAttemptAt: { $lte: new Date() } },
        { _id: 1, attempts: 1 },
      )
        .sort({ nextAttemptAt: 1 })
        .limit(maxApplicationsPerRun)
        .lean();
      const attempts = due.map(async ({ _id, attempts: before }) => {
        try {
          await writeRoleAtProvider(db, identity, String(_id));
        } catch (error) {
          const failure = { application: String(_id), attempt: before + 1, cause: String(error) };
          if (isLoggedFailure(failure.attempt))
            log.warn({ eventId: "role_not_written", ...failure }, "role not written yet");
        }
      });
      await Promise.all(attempts);
      return due.length > 0 ? `${due.length} approvals attempted` : undefined;
    },
  });
