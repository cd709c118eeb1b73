import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../../db/db.js";
import { withLease } from "../../db/lease.js";
import type { Deps } from "../../deps.js";
import type { Certificate } from "../../models/learning/certificate.js";
import { anonymiseAudit } from "../audit/record-audit.js";
import { changeLease } from "../certificates/change-certificate.js";
import { discardPdf } from "../certificates/discard-pdf.js";
import { certificateFile } from "../certificates/draw-certificate.js";
import { certificateLease, isNameless } from "../certificates/issue-certificate.js";
import { endCredentials } from "../credentials/end-credentials.js";
import { createPseudonym } from "./pseudonym.js";

/** Retries while the certificate is being produced. */
const tries = { count: 10, pauseMs: 200 };

/** How long a crash blocks the certificate. */
const ttlMs = 6_000;

/**
 * Removes a user's certificates: the stored files first, then the row, so that a crash in between leaves no file without
 * a row. A certificate is removed under the lease of its production, which would store a file again.
 * @param keep keeps certificates that are issued or can be issued, without former names, reasons and signed credentials.
 */
export async function eraseCertificates(
  deps: Pick<Deps, "db" | "storage">,
  userId: string,
  { keep, signal }: { keep: boolean; signal: AbortSignal },
): Promise<void> {
  const { db } = deps;
  for (const certificate of await db.Certificate.find({ userId }).lean<Certificate[]>()) {
    signal.throwIfAborted();
    const { certificateId, status } = certificate;
    const lease = status === "issued" ? changeLease(certificateId) : certificateLease(certificateId);
    // A certificate without a name waits for a profile that never comes.
    const erase = keep && !isNameless(certificate) ? keepOnly : remove;
    await underLease(db, lease, () => erase(deps, certificate));
  }
}

async function remove({ db, storage }: Pick<Deps, "db" | "storage">, certificate: Certificate): Promise<void> {
  const { _id, certificateId } = certificate;
  for (const pdf of await db.DiscardedPdf.find({ certificateId }).lean()) await discardPdf({ db, storage }, pdf);
  // It may have another edition since it was read.
  const now = await db.Certificate.findById(_id).lean<Certificate>();
  await storage.remove(certificateFile(now ?? certificate));
  await db.transaction(async (session) => {
    await endCredentials(db, session, certificateId);
    await db.Certificate.deleteOne({ _id }, { session });
    await eraseReasons(db, certificate, session);
  });
}

function keepOnly({ db }: Pick<Deps, "db">, certificate: Certificate): Promise<void> {
  const { _id } = certificate;
  return db.transaction(async (session) => {
    // The credential's entry in the status list stays, so that a later revocation sets its bit.
    const nothing = { $unset: { formerEditions: 1, revokedReason: 1, "credential.text": 1 } } as const;
    await db.Certificate.updateOne({ _id }, nothing, { session, timestamps: false });
    await eraseReasons(db, certificate, session);
  });
}

type Session = Parameters<typeof anonymiseAudit>[3];

const eraseReasons = (db: Db, { certificateId, userId }: Certificate, session: Session): Promise<void> => {
  const about = { targetKind: "certificate", targetIds: [certificateId] };
  return anonymiseAudit(db, about, { userId, to: createPseudonym() }, session);
};

async function underLease(db: Db, name: string, erase: () => Promise<void>): Promise<void> {
  const work = () => erase().then(() => true);
  for (let tried = 0; tried < tries.count; tried += 1) {
    if (await withLease(db, name, work, { ttlMs })) return;
    await pause(tries.pauseMs);
  }
  throw new Error(`${name} is held`);
}
