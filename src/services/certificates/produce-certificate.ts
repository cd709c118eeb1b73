import type { Deps } from "../../deps.js";
import type { Certificate } from "../../models/learning/certificate.js";
import { CertificateBusy, issueCertificate, waitsForName } from "./issue-certificate.js";

/** How long a production waits for another one of the same certificate. */
const maxWaitMs = 1_000;

/** Produces the PDF of a certificate. @returns `left` while another call produces it. */
export async function produceCertificate(
  deps: Pick<Deps, "db" | "storage" | "config">,
  certificate: Certificate,
): Promise<"done" | "left"> {
  try {
    await issueCertificate(deps, certificate, Date.now() + maxWaitMs);
    return "done";
  } catch (error) {
    if (error instanceof CertificateBusy) return "left";
    throw waitsForName(error)
      ? new Error("the identity provider has reported no name of the learner", { cause: error })
      : error;
  }
}
