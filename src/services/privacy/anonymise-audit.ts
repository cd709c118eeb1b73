import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";

/** Personal fields in `before` and `after` of audit entries, and the values that replace them. */
const replacements: Readonly<Record<string, unknown>> = { email: null, reason: "", rejectionReason: "" };

/**
 * Removes the address, the reasons and the id of a user from the audit entries about some grants or applications. The
 * actor, the action and the time stay.
 * @param user whose id is replaced by `to`; undefined when the entries name no user.
 */
export async function anonymiseAudit(
  db: Db,
  { targetKind, targetIds }: { targetKind: string; targetIds: readonly string[] },
  user: { userId: string; to: string } | undefined,
  session: ClientSession,
): Promise<void> {
  if (targetIds.length === 0) return;
  const anonymise = (state: unknown): unknown => {
    if (typeof state !== "object" || state === null) return state;
    const fields = Object.entries(state).map(([field, value]) => {
      if (field in replacements) return [field, replacements[field]];
      return [field, user && value === user.userId ? user.to : value];
    });
    return Object.fromEntries(fields);
  };
  const entries = await db.AuditEntry.find({ targetKind, targetId: { $in: [...targetIds] } })
    .session(session)
    .lean();
  const updates = entries.map(({ _id, before, after }) => ({
    updateOne: { filter: { _id }, update: { $set: { before: anonymise(before), after: anonymise(after) } } },
  }));
  if (updates.length > 0) await db.AuditEntry.bulkWrite(updates, { session });
}
