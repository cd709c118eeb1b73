import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../../db/db.js";
import { withLease } from "../../db/lease.js";
import type { Deps } from "../../deps.js";
import { certificateFile, certificateLease } from "../certificates/issue-certificate.js";

/** How often, and after which pause, a certificate is tried that is being produced at the moment. */
const tries = { count: 10, pauseMs: 200 };

/** How long a crash keeps others away from a certificate. */
const ttlMs = 6_000;

/**
 * Removes a user's certificates: the stored file first, then the row, so that a crash in between leaves no file without
 * a row. One that is not issued is removed under the lease of its production, which would store the file again.
 * @param keep those that are issued, or can be, stay.
 */
export async function eraseCertificates(
  { db, storage }: Pick<Deps, "db" | "storage">,
  userId: string,
  { keep, signal }: { keep: boolean; signal: AbortSignal },
): Promise<void> {
  // One whose name is not known waits for a profile that is not going to come.
  const going = keep ? { userId, studentName: null } : { userId };
  for (const certificate of await db.Certificate.find(going, { certificateId: 1, status: 1 }).lean()) {
    signal.throwIfAborted();
    const { _id, certificateId } = certificate;
    const remove = async (): Promise<true> => {
      await storage.remove(certificateFile(certificateId));
      await db.Certificate.deleteOne({ _id });
      return true;
    };
    if (certificate.status === "issued") await remove();
    else await whenNotProduced(db, certificateId, remove);
  }
}

async function whenNotProduced(db: Db, certificateId: string, remove: () => Promise<true>): Promise<void> {
  for (let tried = 0; tried < tries.count; tried += 1) {
    if (await withLease(db, certificateLease(certificateId), remove, { ttlMs })) return;
    await pause(tries.pauseMs);
  }
  throw new Error(`the certificate ${certificateId} is being produced`);
}
