import { auditDecision, tellProvider } from "../commands/grant-educator-role.js";
import type { Deps } from "../deps.js";
import type { EducatorApplication } from "../models/educator-application.js";
import { isWorthALine, type Job } from "./scheduler.js";

/** How many applications one run takes on. */
const batch = 50;

/** Finishes approvals that a crash or a failing identity provider left half-way, and the audit of decisions. */
export function grantRoles({ db, identity, log }: Pick<Deps, "db" | "identity" | "log">): Job {
  const { EducatorApplication: Applications } = db;
  return {
    name: "grant-roles",
    everyMs: 2_500,
    async run(signal) {
      const due = await Applications.find(
        { status: "approving", nextAttemptAt: { $lte: new Date() } },
        { _id: 1, attempts: 1 },
      )
        .sort({ nextAttemptAt: 1 })
        .limit(batch)
        .lean();
      const attempts = due.map(async ({ _id, attempts: before }) => {
        try {
          await tellProvider(db, identity, String(_id));
        } catch (error) {
          const fault = { application: String(_id), attempt: before + 1, cause: String(error) };
          if (isWorthALine(fault.attempt)) log.warn(fault, "role not written yet");
        }
      });
      await Promise.all(attempts);
      const unaudited = await Applications.find({ unaudited: true, status: { $ne: "approving" } })
        .limit(batch)
        .lean<EducatorApplication[]>();
      for (const application of unaudited) {
        if (signal.aborted) break;
        await auditDecision(db, application);
      }
      const done = due.length + unaudited.length;
      return done > 0 ? `${done} approvals taken on` : undefined;
    },
  };
}
