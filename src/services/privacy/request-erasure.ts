import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { recordAudit } from "../audit/record-audit.js";

export interface ErasureRequest {
  userId: string;
  keepCertificates: boolean;
  /** Who asks: the user, or `system` when the identity provider has deleted the account. */
  actorId: string;
  requestId?: string | undefined;
}

/**
 * Notes that a user's data are to be erased: from then on it is done, whatever happens to this process. Asked again
 * before it is done, the newest wish about certificates counts.
 */
export async function requestErasure(
  db: Db,
  session: ClientSession,
  { userId, keepCertificates, actorId, requestId }: ErasureRequest,
): Promise<void> {
  const now = new Date();
  const asked = { keepCertificates, requestedAt: now, attempts: 0, nextAttemptAt: now };
  await db.Erasure.updateOne({ _id: userId }, { $set: asked }, { session, upsert: true });
  const entry = { actorId, action: "user.erase.request", targetKind: "user", targetId: userId, requestId };
  await recordAudit(db, session, { ...entry, after: { keepCertificates } });
}
