import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { AuditEntry } from "../../models/audit-entry.js";
import type { Manager } from "../../models/users/user.js";

export type AuditedAction = Pick<AuditEntry, "actorId" | "action" | "targetKind"> &
  Partial<Pick<AuditEntry, "before" | "after">> & {
    targetId: Types.ObjectId | string;
    requestId?: string | undefined;
    /** The API key with which the actor acts. */
    keyId?: string | null | undefined;
  };

/** The fields of an entry that name who acts. */
export const actorOf = ({ userId, requestId, key }: Omit<Manager, "role">) => ({
  actorId: userId,
  requestId,
  keyId: key?.id,
});

/**
 * Appends actions to the audit trail, in the transaction that does them. Secrets and message bodies do not belong in
 * `before` and `after`.
 */
export async function recordAudit(db: Db, session: ClientSession, ...actions: AuditedAction[]): Promise<void> {
  const entries = actions.map(({ targetId, before = null, after = null, requestId = null, keyId, ...action }) => {
    return {
      ...action,
      targetId: String(targetId),
      before,
      after,
      requestId,
      ...(keyId && { by: { kind: "key", id: keyId } }),
    };
  });
  await db.AuditEntry.insertMany(entries, { session });
}
