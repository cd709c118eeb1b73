import type { Deps } from "../deps.js";
import { writeRoleAtProvider } from "../services/educators/write-role-at-provider.js";
import { dueRows } from "./due-work.js";
import { isLoggedFailure, type Job } from "./scheduler.js";

/** How many applications one run takes on. */
const batch = 50;

/** Tells the identity provider of approvals that it does not know of, after a crash or while it failed. */
export function writeRoles({ db, identity, log }: Pick<Deps, "db" | "identity" | "log">): Job {
  return {
    name: "write-roles",
    everyMs: 1_000,
    restMs: 15_000,
    ...dueRows(db.EducatorApplication, "nextAttemptAt", { status: "approving" }, { since: "updatedAt" }),
    async run() {
      const due = await db.EducatorApplication.find(
        { status: "approving", nextAttemptAt: { $lte: new Date() } },
        { _id: 1, attempts: 1 },
      )
        .sort({ nextAttemptAt: 1 })
        .limit(batch)
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
      return due.length > 0 ? `${due.length} approvals taken on` : undefined;
    },
  };
}
