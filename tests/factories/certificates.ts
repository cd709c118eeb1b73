import type { QueryFilter } from "mongoose";
import type { Certificate } from "../../src/models/learning/certificate.js";
import { issueCertificate } from "../../src/services/certificates/issue-certificate.js";
import type { TestServer } from "../server/test-server.js";

/** Waits for the PDF of a learner's newest certificate of a course or path. A revoked certificate gets no PDF. */
export async function issuedCertificate(
  { deps }: Pick<TestServer, "deps">,
  of: QueryFilter<Certificate>,
): Promise<Certificate> {
  const newest = await deps.db.Certificate.findOne(of).sort({ ordinal: -1 }).orFail().lean<Certificate>();
  return newest.revokedAt ? newest : (await issueCertificate(deps, newest, Date.now() + 20_000)).certificate;
}
