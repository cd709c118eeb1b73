import type { Deps } from "../deps.js";
import { isLoggedFailure } from "../lib/is-logged-failure.js";
import type { Certificate } from "../models/learning/certificate.js";
import {
  CertificateBusy,
  delayNextAttempt,
  issueCertificate,
  StorageFailed,
  waitsForName,
} from "../services/certificates/issue-certificate.js";
import { createJob, dueRows } from "./create-job.js";

const maxCertificatesPerRun = 100;
/** Failures of the media storage in a row after which the rest waits for the next run. */
const maxStorageFailures = 3;

/** Produces the PDFs that a crash, the media storage or a missing profile has held up. */
export const produceCertificatesJob = (deps: Deps) =>
  createJob({
    name: "produce-certificates",
    work: dueRows(deps.db.Certificate, "nextAttemptAt", {
      filter: { status: "pending" },
      // The gauge of certificates without a name counts the others.
      counted: { studentName: { $ne: null } },
      since: "createdAt",
    }),
    run: (signal) => produceCertificates(deps, signal),
  });

/**
 * Produces due certificates, those with the fewest attempts first, so that a failing certificate never delays the others.
 */
export async function produceCertificates(deps: Deps, signal: AbortSignal): Promise<string | undefined> {
  const pending = await deps.db.Certificate.find({ status: "pending", nextAttemptAt: { $lte: new Date() } })
    .sort({ attempts: 1, nextAttemptAt: 1 })
    .limit(maxCertificatesPerRun)
    .lean<Certificate[]>();
  let issued = 0;
  let storageFailures = 0;
  for (const certificate of pending) {
    if (signal.aborted || storageFailures >= maxStorageFailures) break;
    try {
      await issueCertificate(deps, certificate, Date.now() + 1_000);
      issued += 1;
      storageFailures = 0;
    } catch (error) {
      if (error instanceof StorageFailed) storageFailures += 1;
      await delayNextAttempt(deps.db, certificate, error).catch(() => undefined);
      logFailure(deps, certificate, error);
    }
  }
  return issued > 0 ? `${issued} certificates issued` : undefined;
}

function logFailure({ log }: Deps, certificate: Certificate, error: unknown): void {
  const { certificateId, userId, courseId, attempts } = certificate;
  const attempt = attempts + 1;
  if (error instanceof CertificateBusy || !isLoggedFailure(attempt)) return;
  const cause = waitsForName(error) ? "the identity provider has reported no name of the learner" : String(error);
  log.warn(
    { eventId: "certificate_not_produced", certificateId, userId, courseId: String(courseId), attempt, cause },
    "certificate not produced",
  );
}
