import type { Deps } from "../deps.js";
import { activateWaitingGrants } from "../services/grants/activate-grants.js";
import { createJob, dueRows } from "./create-job.js";

/** Activates the waiting grants of a verified address that one identity event did not activate. */
export const activateGrantsJob = ({ db }: Deps) =>
  createJob({
    name: "activate-grants",
    work: dueRows(db.EmailLock, "nextActivationAt"),
    async run(signal) {
      const transactions = await activateWaitingGrants(db, signal);
      return transactions > 0 ? `waiting grants activated in ${transactions} transactions` : undefined;
    },
  });
