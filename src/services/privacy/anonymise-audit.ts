import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";

/** What says who somebody is in the `before` and `after` of an audit entry, and what stands in its place. */
const emptied: Readonly<Record<string, unknown>> = { email: null, reason: "", rejectionReason: "" };

/**
 * Takes a user out of the audit entries about some grants or applications: the address, what was written about the user,
 * and the id. Who acted, what was done and when stays.
 * @param user whose id is replaced by `to`; undefined when the entries name no user.
 */
export async function anonymiseAudit(
  db: Db,
  { targetKind, targetIds }: { targetKind: string; targetIds: readonly string[] },
  user: { userId: string; to: string } | undefined,
  session: ClientSession,
): Promise<void> {
  if (targetIds.length === 0) return;
  const without = (state: unknown): unknown => {
    if (typeof state !== "object" || state === null) return state;
    const fields = Object.entries(state).map(([field, value]) => {
      if (field in emptied) return [field, emptied[field]];
      return [field, user && value === user.userId ? user.to : value];
    });
    return Object.fromEntries(fields);
  };
  const entries = await db.AuditEntry.find({ targetKind, targetId: { $in: [...targetIds] } })
    .session(session)
    .lean();
  const updates = entries.map(({ _id, before, after }) => ({
    updateOne: { filter: { _id }, update: { $set: { before: without(before), after: without(after) } } },
  }));
  if (updates.length > 0) await db.AuditEntry.bulkWrite(updates, { session });
}
