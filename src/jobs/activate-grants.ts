import type { Deps } from "../deps.js";
import { activateWaitingGrants } from "../services/grants/activate-waiting-grants.js";
import { dueRows } from "./due-work.js";
import type { Job } from "./scheduler.js";

/** Activates the waiting grants of a verified address that one identity event did not activate. */
export function activateGrantsJob({ db }: Pick<Deps, "db">): Job {
  return {
    name: "activate-grants",
    everyMs: 1_000,
    restMs: 29_000,
    ...dueRows(db.Recipient, "nextActivationAt"),
    async run(signal) {
      const transactions = await activateWaitingGrants(db, signal);
      return transactions > 0 ? `waiting grants activated in ${transactions} transactions` : undefined;
    },
  };
}
