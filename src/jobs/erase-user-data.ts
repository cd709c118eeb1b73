import type { Deps } from "../deps.js";
import { backoffMs } from "../lib/backoff.js";
import { isLoggedFailure } from "../lib/is-logged-failure.js";
import { eraseUserData } from "../services/privacy/erase-user-data.js";
import { createJob, dueRows } from "./create-job.js";

const maxUsersPerRun = 20;
const pauses = { firstMs: 5_000, maxMs: 10 * 60_000 };

/**
 * Erases the data of users who requested it where a crash or the media storage has held it up, and makes the second pass
 * of every erasure.
 */
export const eraseUserDataJob = ({ db, storage, config, log }: Deps) =>
  createJob({
    name: "erase-user-data",
    work: dueRows(db.Erasure, "nextAttemptAt", { since: "dueSince" }),
    async run(signal) {
      const due = await db.Erasure.find({ nextAttemptAt: { $lte: new Date() } })
        .sort({ nextAttemptAt: 1 })
        .limit(maxUsersPerRun)
        .lean();
      let done = 0;
      for (const { _id, attempts, requestedAt } of due) {
        if (signal.aborted) break;
        try {
          if ((await eraseUserData({ db, storage, config }, _id, signal)) === "done") done += 1;
        } catch (error) {
          const nextAttemptAt = new Date(Date.now() + backoffMs(attempts, pauses));
          const delayed = { $inc: { attempts: 1 }, $set: { nextAttemptAt } };
          await db.Erasure.updateOne({ _id, requestedAt }, delayed).catch(() => undefined);
          const failure = { userId: _id, attempt: attempts + 1, cause: String(error) };
          if (isLoggedFailure(failure.attempt))
            log.warn({ eventId: "data_not_erased", ...failure }, "a user's data not erased yet");
        }
      }
      return done > 0 ? `the data of ${done} users erased` : undefined;
    },
  });
