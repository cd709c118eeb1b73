import type { Deps } from "../deps.js";
import { eraseUserData } from "../services/privacy/erase-user-data.js";
import { dueRows } from "./due-work.js";
import { isLoggedFailure, type Job } from "./scheduler.js";

/** How many users one run takes on. */
const batch = 20;

/** Pauses between two attempts at one user: the first, doubled up to the longest. */
const firstPauseMs = 5_000;
const longestPauseMs = 10 * 60_000;

/**
 * Erases the data of users who requested it, where a crash or the media storage has held it up, and makes the second pass
 * of every erasure.
 */
export function eraseUserDataJob({ db, storage, log }: Pick<Deps, "db" | "storage" | "log">): Job {
  return {
    name: "erase-user-data",
    everyMs: 2_000,
    restMs: 29_000,
    ...dueRows(db.Erasure, "nextAttemptAt", {}, { since: "dueSince" }),
    async run(signal) {
      const due = await db.Erasure.find({ nextAttemptAt: { $lte: new Date() } })
        .sort({ nextAttemptAt: 1 })
        .limit(batch)
        .lean();
      let done = 0;
      for (const { _id, attempts, requestedAt } of due) {
        if (signal.aborted) break;
        try {
          if ((await eraseUserData({ db, storage }, _id, signal)) === "done") done += 1;
        } catch (error) {
          const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(attempts, 20), longestPauseMs);
          const later = { $inc: { attempts: 1 }, $set: { nextAttemptAt: new Date(Date.now() + pauseMs) } };
          await db.Erasure.updateOne({ _id, requestedAt }, later).catch(() => undefined);
          const failure = { userId: _id, attempt: attempts + 1, cause: String(error) };
          if (isLoggedFailure(failure.attempt))
            log.warn({ eventId: "data_not_erased", ...failure }, "a user's data not erased yet");
        }
      }
      return done > 0 ? `the data of ${done} users erased` : undefined;
    },
  };
}
