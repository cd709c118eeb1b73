import type { ClientSession, Types } from "mongoose";
import type { Db } from "../../db/db.js";
import type { AuditEntry } from "../../models/audit-entry.js";

type AuditedAction = Pick<AuditEntry, "actorId" | "action" | "targetKind"> &
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
