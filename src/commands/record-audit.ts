import type { Models } from "../models/index.js";

export interface AuditedAction {
  actorId: string;
  action: string;
  targetKind: string;
  targetId: string;
  before?: unknown;
  after?: unknown;
  requestId?: string | undefined;
}

/** Appends one action to the audit trail. Secrets and message bodies do not belong in `before` and `after`. */
export async function recordAudit(models: Models, action: AuditedAction): Promise<void> {
  await models.AuditEntry.create({
    ...action,
    before: action.before ?? null,
    after: action.after ?? null,
    requestId: action.requestId ?? null,
  });
}
