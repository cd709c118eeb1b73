import type { Db } from "../../db/db.js";
import { type Certificate, describeItem } from "../../models/learning/certificate.js";
import { certificateState } from "./certificate-state.js";

/** What anyone may see of an issued certificate. */
export type VerifiedCertificate = NonNullable<Awaited<ReturnType<typeof verifyCertificate>>>;

/**
 * Finds what anyone may see of an issued certificate; null for any other id.
 * @param typedId from a printed certificate: letter case and spaces around it do not count.
 */
export async function verifyCertificate(db: Db, typedId: string) {
  const wanted = { certificateId: typedId.trim().toLowerCase(), status: "issued" } as const;
  const found = await db.Certificate.findOne(wanted).lean<Certificate>();
  if (!found?.issuedAt) return null;
  const { certificateId, studentName, courseTitle, completionDate, issuedAt } = found;
  const { expiresAt = null, reissuedAt = null, revokedAt } = found;
  const record = { certificateId, ...describeItem(found), courseTitle, issuedAt };
  if (revokedAt) return { ...record, state: "revoked" as const, revokedAt };
  const state = certificateState(found) === "expired" ? ("expired" as const) : ("valid" as const);
  return { ...record, state, studentName: studentName ?? "", completionDate, expiresAt, reissuedAt };
}
