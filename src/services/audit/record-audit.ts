import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { AuditEntry } from "../../models/audit-entry.js";

export type AuditedAction = Pick<AuditEntry, "actorId" | "action" | "targetKind" | "targetId"> &
  Partial<Pick<AuditEntry, "before" | "after">> & {
    requestId?: string | undefined;
    /** The API key with which the actor acts. */
    keyId?: string | null | undefined;
  };

/**
 * Appends actions to the audit trail, in the transaction that does them. Secrets and message bodies do not belong in
 * `before` and `after`.
 */
export async function recordAudit(db: Db, session: ClientSession, ...actions: AuditedAction[]): Promise<void> {
  const entries = actions.map(({ before = null, after = null, requestId = null, keyId, ...action }) => {
    return { ...action, before, after, requestId, ...(keyId && { by: { kind: "key", id: keyId } }) };
  });
  await db.AuditEntry.insertMany(entries, { session });
}
