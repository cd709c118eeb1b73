import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { audited } from "../audit/record-audit.js";
import { findAddresses } from "./erase-addresses.js";

export interface ErasureRequest {
  userId: string;
  keepCertificates: boolean;
  /** Who asks: the user, or `system` when the identity provider has deleted the account. */
  actorId: string;
  requestId?: string | undefined;
}

/**
 * Stores the request to erase a user's data, which a job fulfils if this process dies. The newest request decides about
 * certificates. Call it before the profile is removed, because the profile holds the user's e-mail addresses.
 */
export async function requestErasure(
  db: Db,
  session: ClientSession,
  { userId, keepCertificates, actorId, requestId }: ErasureRequest,
): Promise<void> {
  const now = new Date();
  const { addresses, ownAddresses } = await findAddresses(db, userId, session);
  const asked = { keepCertificates, requestedAt: now, attempts: 0, nextAttemptAt: now, dueSince: now };
  const known = { addresses: { $each: addresses }, ownAddresses: { $each: ownAddresses } };
  const update = { $set: asked, $unset: { erasedAt: 1, isProfileRemoved: 1 }, $addToSet: known } as const;
  await db.Erasure.updateOne({ _id: userId }, update, { session, upsert: true });
  const actor = { userId: actorId, requestId };
  await audited(db, session, actor, "user.erase.request", ["user", userId], { after: { keepCertificates } });
}

/** `requestErasure` in a transaction of its own. */
export const askForErasure = (db: Db, request: ErasureRequest): Promise<void> =>
  db.transaction((session) => requestErasure(db, session, request));
