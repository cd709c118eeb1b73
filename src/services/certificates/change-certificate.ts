import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { withLease } from "../../db/lease.js";
import { backoffMs } from "../../lib/backoff.js";
import { failure } from "../../lib/errors.js";
import { type Certificate, certificatesOf } from "../../models/learning/certificate.js";
import { type Actor, audited } from "../audit/record-audit.js";
import { endCredentials } from "../credentials/end-credentials.js";
import { recordEvents } from "../events/record-event.js";
import { editionOf } from "./certificate-state.js";
import { certificateFile, drawCertificate, pdfFile, storePdf } from "./draw-certificate.js";
import { CertificateBusy, type CertificateDeps, endNotice, leaseMs, pollPauses } from "./issue-certificate.js";
import { certifiedItem, type ManagedItem } from "./managed-item.js";

export const CertificateNotFound = failure("certificate_not_found", 404, "Certificate not found");
export const CertificateRevoked = failure("certificate_revoked", 409, "Certificate was revoked");
export const NothingToChange = failure("nothing_to_change", 409, "Nothing to change");

/** How long a request waits for its turn. */
const waitMs = 25_000;

/** After this time an edition that was not stored does not get its PDF any more. */
const productionEndsAfterMs = 10 * 60_000;

/** Lease of the changes of an issued certificate, and of the removal of its files. */
export const changeLease = (certificateId: string): string => `certificate-change:${certificateId}`;

/**
 * Changes an issued certificate when no other call changes it, on any instance.
 * @throws CertificateNotFound when there is none; CertificateBusy when the others take too long.
 */
export async function changeInTurn<T>(
  db: Db,
  wanted: Pick<Certificate, "certificateId"> & Partial<Pick<Certificate, "userId" | "courseId" | "pathId">>,
  change: (certificate: Certificate) => Promise<T>,
): Promise<T> {
  const until = Date.now() + waitMs;
  const read = async () => {
    const certificate = await db.Certificate.findOne({ ...wanted, status: "issued" }).lean<Certificate>();
    if (!certificate) throw CertificateNotFound();
    return certificate;
  };
  await read();
  for (let polls = 0; ; polls += 1) {
    const work = async () => ({ changed: await change(await read()) });
    const done = await withLease(db, changeLease(wanted.certificateId), work, { ttlMs: leaseMs });
    if (done) return done.changed;
    if (Date.now() > until) throw new CertificateBusy("another request changes the certificate");
    await sleep(backoffMs(polls, pollPauses));
  }
}

/** Who changes a certificate, and why. A learner gives no reason. */
export interface CertificateChange {
  readonly actor: Actor;
  readonly reason: string | null;
}

/**
 * Makes the next edition of a certificate. It counts from the moment its PDF is stored; after a failure nothing has
 * changed. Runs under the lease of changes.
 */
export async function makeEdition(
  deps: CertificateDeps,
  certificate: Certificate,
  studentName: string,
  { actor, reason }: CertificateChange,
): Promise<Certificate> {
  const { db } = deps;
  const { certificateId, userId } = certificate;
  const edition = editionOf(certificate) + 1;
  const { content, templateHash } = await drawCertificate(deps, certificate, studentName);
  // Each production has a file of its own, so that a late upload changes no other edition.
  const file = pdfFile(`certificates/${certificateId}-${edition}-${randomBytes(4).toString("hex")}.pdf`);
  const discardAt = new Date(Date.now() + productionEndsAfterMs);
  await db.DiscardedPdf.create({ _id: file.publicId, certificateId, discardAt });
  const pdfUrl = await storePdf(deps, file, content);
  const reissued = await db.transaction(async (session) => {
    const isDue = { _id: file.publicId, discardAt: { $gt: new Date() } };
    const { deletedCount } = await db.DiscardedPdf.deleteOne(isDue, { session });
    if (deletedCount === 0) throw new Error("the production took too long");
    const now = new Date();
    const isLearners = actor.userId === userId && reason === null;
    const former = {
      edition: edition - 1,
      studentName: certificate.studentName ?? "",
      issuedAt: certificate.reissuedAt ?? certificate.issuedAt ?? now,
      replacedAt: now,
    };
    const changed = await replace(db, session, certificate, {
      $set: {
        studentName,
        edition,
        reissuedAt: now,
        pdfUrl,
        file: file.publicId,
        ...(templateHash && { templateHash }),
        // A notice that fell due meanwhile was not made.
        ...(certificate.revokedAt && endNotice(certificate)),
      },
      $unset: { revokedAt: 1, revokedReason: 1, ...(!templateHash && { templateHash: 1 }) },
      $push: { formerEditions: former },
      ...(isLearners && { $inc: { learnerEditions: 1 } }),
    });
    await recordChange(db, session, "certificate.reissue", changed, { actor, reason });
    const { courseId, pathId } = changed;
    const data = { certificateId, userId, courseId, pathId, pdfUrl, edition };
    await recordEvents(db, session, [{ type: "certificate.reissued", data, actorId: actor.userId }]);
    return changed;
  });
  db.jobWakeups.emit("DiscardedPdf");
  return reissued;
}

/** Revokes a certificate of a course or path. A job removes its PDF. @throws CertificateNotFound, CertificateRevoked */
export function revokeManaged(
  db: Db,
  item: ManagedItem,
  certificateId: string,
  { actor, reason }: CertificateChange & { reason: string },
): Promise<Certificate> {
  return changeInTurn(db, { certificateId, ...certificatesOf(certifiedItem(item)) }, async (certificate) => {
    if (certificate.revokedAt) throw CertificateRevoked();
    const revoked = await db.transaction(async (session) => {
      const changed = await replace(db, session, certificate, {
        $set: { revokedAt: new Date(), revokedReason: reason, pdfUrl: null },
      });
      await recordChange(db, session, "certificate.revoke", changed, { actor, reason });
      const { userId, courseId, pathId } = changed;
      const data = { certificateId, userId, courseId, pathId };
      await recordEvents(db, session, [{ type: "certificate.revoked", data, actorId: actor.userId }]);
      return changed;
    });
    db.jobWakeups.emit("DiscardedPdf");
    return revoked;
  });
}

/** Changes a certificate that is as it was read. Its PDF is discarded, and its credential ends. */
async function replace(db: Db, session: ClientSession, certificate: Certificate, update: object): Promise<Certificate> {
  const { _id, certificateId, edition = null, revokedAt = null } = certificate;
  const changed = await db.Certificate.findOneAndUpdate({ _id, edition, revokedAt }, update, {
    session,
    returnDocument: "after",
  }).lean<Certificate>();
  if (!changed) throw new Error("the certificate was changed or erased meanwhile");
  if (!revokedAt) {
    const discarded = { _id: certificateFile(certificate).publicId, certificateId, discardAt: new Date() };
    await db.DiscardedPdf.create([discarded], { session });
    await endCredentials(db, session, certificateId);
  }
  return changed;
}

function recordChange(
  db: Db,
  session: ClientSession,
  action: "certificate.reissue" | "certificate.revoke",
  { certificateId, userId, courseId, pathId, ...row }: Certificate,
  { actor, reason }: CertificateChange,
): Promise<void> {
  const about = pathId ? { pathId: String(pathId) } : { courseId: String(courseId) };
  const after = { userId, ...about, edition: editionOf(row), reason };
  return audited(db, session, actor, action, ["certificate", certificateId], { after });
}
