import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { AuditEntry } from "../../models/audit-entry.js";

export type AuditedAction = Pick<AuditEntry, "actorId" | "action" | "targetKind"> &
  Partial<Pick<AuditEntry, "before" | "after">> & {
    targetId: Types.ObjectId | string;
    requestId?: string | undefined;
    /** The API key with which the actor acts. */
    keyId?: string | null | undefined;
  };

/** Who acts: a `Manager`, or the user, request and API key of one. */
export interface Actor {
  readonly userId: string;
  readonly requestId?: string | undefined;
  readonly key?: { readonly id: string } | undefined;
}

/** The actor of what no user asks for. */
export const theSystem: Actor = { userId: "system" };

/** Describes an action of an actor. @param target the kind and the id of what the action is about. */
export const actionBy = (
  { userId: actorId, requestId, key }: Actor,
  action: string,
  [targetKind, targetId]: [kind: string, id: Types.ObjectId | string],
  states: Pick<AuditedAction, "before" | "after"> = {},
): AuditedAction => ({ actorId, requestId, keyId: key?.id, action, targetKind, targetId, ...states });

/** Records one action, as `recordAudit` does. */
export const audited = (db: Db, session: ClientSession, ...action: Parameters<typeof actionBy>): Promise<void> =>
  recordAudit(db, session, actionBy(...action));

/**
 * Appends actions to the audit trail, in the transaction that does them. Secrets and message bodies do not belong in
 * `before` and `after`.
 */
export async function recordAudit(db: Db, session: ClientSession, ...actions: AuditedAction[]): Promise<void> {
  const entries = actions.map(({ targetId, before = null, after = null, requestId = null, keyId, ...action }) => {
    const by = keyId && { by: { kind: "key", id: keyId } };
    return { ...action, targetId: String(targetId), before, after, requestId, ...by };
  });
  await db.AuditEntry.insertMany(entries, { session });
}
