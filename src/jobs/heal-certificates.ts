import type { Deps } from "../deps.js";
import { ApiError } from "../http/errors.js";
import type { Certificate } from "../models/certificate.js";
import { CertificateBusy, issueCertificate } from "../services/certificates/issue-certificate.js";
import { UserNotFound } from "../services/users/user-cards.js";
import { isWorthALine, type Job } from "./scheduler.js";

const atOnce = 100;
/** So many failures in a row are the storage's, not the certificates': the rest waits for the next run. */
const givesUpAfter = 3;

/** Produces the PDFs that a crash, the storage or a missing user record has held up. */
export function healCertificatesJob(deps: Deps): Job {
  return { name: "heal-certificates", everyMs: 5_000, run: (signal) => healCertificates(deps, signal) };
}

/** Certificates without a PDF whose pause is over, longest waiting first. */
export async function healCertificates(deps: Deps, signal: AbortSignal): Promise<string | undefined> {
  const pending = await deps.db.Certificate.find({ status: "pending", nextAttemptAt: { $lte: new Date() } })
    .sort({ nextAttemptAt: 1 })
    .limit(atOnce)
    .lean<Certificate[]>();
  let issued = 0;
  let failures = 0;
  for (const { _id, certificateId, attempts } of pending) {
    if (signal.aborted || failures >= givesUpAfter) break;
    try {
      await issueCertificate(deps, _id, Date.now() + 1_000);
      issued += 1;
      failures = 0;
    } catch (error) {
      const waits =
        error instanceof CertificateBusy || (error instanceof ApiError && error.status === UserNotFound.status);
      if (waits) continue;
      failures += 1;
      const fault = { certificateId, attempt: attempts + 1, cause: String(error) };
      if (isWorthALine(fault.attempt)) deps.log.warn(fault, "certificate not produced");
    }
  }
  return issued > 0 ? `${issued} certificates issued` : undefined;
}
