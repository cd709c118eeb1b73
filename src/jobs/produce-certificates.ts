import type { Deps } from "../deps.js";
import { ApiError } from "../lib/errors.js";
import type { Certificate } from "../models/learning/certificate.js";
import {
  CertificateBusy,
  issueCertificate,
  postpone,
  StorageFailed,
} from "../services/certificates/issue-certificate.js";
import { UserNotFound } from "../services/users/failures.js";
import { dueRows } from "./due-work.js";
import { isLoggedFailure, type Job } from "./scheduler.js";

const atOnce = 100;
const named = { status: "pending", studentName: { $ne: null } } as const;
/** So many failures of the storage in a row say that it is down: the rest waits for the next run. */
const givesUpAfter = 3;

/** Produces the PDFs that a crash, the storage or a missing user record has held up. */
export function produceCertificatesJob(deps: Deps): Job {
  const pending = dueRows(deps.db.Certificate, "nextAttemptAt", { status: "pending" });
  const pendingNamed = dueRows(deps.db.Certificate, "nextAttemptAt", named, { since: "createdAt" });
  return {
    name: "produce-certificates",
    everyMs: 2_000,
    restMs: 29_000,
    nextDue: pending.nextDue,
    async waiting() {
      // One without a name waits for the identity provider to report the user.
      const [{ count }, { since }] = await Promise.all([pending.waiting(), pendingNamed.waiting()]);
      return { count, since };
    },
    run: (signal) => produceCertificates(deps, signal),
  };
}

/**
 * Certificates without a PDF whose pause is over. Those that were tried least come first, so that ones which fail again
 * and again never keep others waiting; each attempt that fails lengthens the pause before the next.
 */
export async function produceCertificates(deps: Deps, signal: AbortSignal): Promise<string | undefined> {
  const pending = await deps.db.Certificate.find({ status: "pending", nextAttemptAt: { $lte: new Date() } })
    .sort({ attempts: 1, nextAttemptAt: 1 })
    .limit(atOnce)
    .lean<Certificate[]>();
  let issued = 0;
  let storageFailures = 0;
  for (const certificate of pending) {
    if (signal.aborted || storageFailures >= givesUpAfter) break;
    try {
      await issueCertificate(deps, certificate, Date.now() + 1_000);
      issued += 1;
      storageFailures = 0;
    } catch (error) {
      if (error instanceof StorageFailed) storageFailures += 1;
      await postpone(deps.db, certificate).catch(() => undefined); // it comes behind those that were tried less
      report(deps, certificate, error);
    }
  }
  return issued > 0 ? `${issued} certificates issued` : undefined;
}

function report({ log }: Deps, { certificateId, attempts }: Certificate, error: unknown): void {
  const waits = error instanceof CertificateBusy || (error instanceof ApiError && error.id === UserNotFound.id);
  if (waits || !isLoggedFailure(attempts + 1)) return;
  const attempt = attempts + 1;
  log.warn(
    { eventId: "certificate_not_produced", certificateId, attempt, cause: String(error) },
    "certificate not produced",
  );
}
