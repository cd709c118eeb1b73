import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";

/**
 * Ends the credential of a certificate's present edition, if one was made: its bit in the status list is 1 for good. Call
 * it in the transaction that revokes, reissues or erases the certificate. A credential that is being made at the same time
 * is not handed out, because its text is stored only beside its place.
 */
export async function endCredentials(db: Db, session: ClientSession, certificateId: string): Promise<void> {
  const withCredential = { certificateId, credential: { $exists: true } };
  const unset = { $unset: { credential: 1 } } as const;
  const options = { session, projection: { credential: 1 }, returnDocument: "before" } as const;
  const found = await db.Certificate.findOneAndUpdate(withCredential, unset, options).lean();
  if (!found?.credential) return;
  const { list, index } = found.credential;
  const raised = { session, returnDocument: "after" } as const;
  const { version } = await db.StatusList.findOneAndUpdate({ _id: list }, { $inc: { version: 1 } }, raised)
    .lean()
    .orFail();
  await db.EndedEntry.create([{ list, index, version }], { session });
}
