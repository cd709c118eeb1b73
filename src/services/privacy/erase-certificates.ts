import { setTimeout as pause } from "node:timers/promises";
import type { Types } from "mongoose";
import { underLease } from "../../db/lease.js";
import type { Deps } from "../../deps.js";
import { certificateFile, certificateLease } from "../certificates/issue-certificate.js";

/** How often, and after which pause, a certificate is tried that is being produced at the moment. */
const tries = { count: 10, pauseMs: 200 };

/**
 * Removes a person's certificates: the stored file first, then the row, so that a crash in between leaves no file that
 * nobody knows of. Both under the lease of the certificate's production, which would store the file again.
 * @param keep those that are issued, or can be, stay.
 */
export async function eraseCertificates(
  { db, storage }: Pick<Deps, "db" | "storage">,
  userId: string,
  { keep, signal }: { keep: boolean; signal: AbortSignal },
): Promise<void> {
  // One whose name is not known waits for a profile that is not going to come.
  const going = keep ? { userId, studentName: null } : { userId };
  const certificates = await db.Certificate.find(going, { certificateId: 1 }).lean();
  for (const certificate of certificates) {
    signal.throwIfAborted();
    await eraseCertificate({ db, storage }, certificate);
  }
}

async function eraseCertificate(
  { db, storage }: Pick<Deps, "db" | "storage">,
  { _id, certificateId }: { _id: Types.ObjectId; certificateId: string },
): Promise<void> {
  for (let tried = 0; tried < tries.count; tried += 1) {
    const erased = await underLease(db, certificateLease(certificateId), async () => {
      await storage.remove(certificateFile(certificateId));
      await db.Certificate.deleteOne({ _id });
      return true;
    });
    if (erased) return;
    await pause(tries.pauseMs);
  }
  throw new Error(`the certificate ${certificateId} is being produced`);
}
