import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../../db/db.js";
import { withLease } from "../../db/lease.js";
import type { Deps } from "../../deps.js";
import { certificateFile, certificateLease, isNameless } from "../certificates/issue-certificate.js";
import { endCredentials } from "../credentials/end-credentials.js";

/** Retries while the certificate is being produced. */
const tries = { count: 10, pauseMs: 200 };

/** How long a crash blocks the certificate. */
const ttlMs = 6_000;

/**
 * Removes a user's certificates: the stored file first, then the row, so that a crash in between leaves no file without
 * a row. A pending certificate is removed under the lease of its production, which would store the file again.
 * @param keep keeps certificates that are issued or can be issued, without the signed credential: it holds the hash of an
 *   address.
 */
export async function eraseCertificates(
  { db, storage }: Pick<Deps, "db" | "storage">,
  userId: string,
  { keep, signal }: { keep: boolean; signal: AbortSignal },
): Promise<void> {
  // A kept certificate keeps its entry in the status list, where its bit stays 0.
  if (keep) await db.Certificate.updateMany({ userId }, { $unset: { "credential.text": 1 } }, { timestamps: false });
  const shown = { certificateId: 1, status: 1, studentName: 1 };
  for (const certificate of await db.Certificate.find({ userId }, shown).lean()) {
    signal.throwIfAborted();
    // A certificate without a name waits for a profile that never comes.
    if (keep && !isNameless(certificate)) continue;
    const { _id, certificateId } = certificate;
    const remove = async (): Promise<true> => {
      await storage.remove(certificateFile(certificateId));
      await db.transaction(async (session) => {
        await endCredentials(db, session, certificateId);
        await db.Certificate.deleteOne({ _id }, { session });
      });
      return true;
    };
    if (certificate.status === "issued") await remove();
    else await removeUnderLease(db, certificateId, remove);
  }
}

async function removeUnderLease(db: Db, certificateId: string, remove: () => Promise<true>): Promise<void> {
  for (let tried = 0; tried < tries.count; tried += 1) {
    if (await withLease(db, certificateLease(certificateId), remove, { ttlMs })) return;
    await pause(tries.pauseMs);
  }
  throw new Error(`the certificate ${certificateId} is being produced`);
}
