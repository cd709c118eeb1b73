import { createHash } from "node:crypto";
import { Types } from "mongoose";
import type { Models } from "../models/index.js";
import { isDuplicateKey } from "./count-once.js";

export interface AuditedAction {
  actorId: string;
  action: string;
  targetKind: string;
  targetId: string;
  before?: unknown;
  after?: unknown;
  requestId?: string | undefined;
}

/**
 * Appends one action to the audit trail. Secrets and message bodies do not belong in `before` and `after`.
 * @param once names the action, where a resumed crash may report it again: the trail then holds it a single time.
 */
export async function recordAudit(models: Models, action: AuditedAction, once?: string): Promise<void> {
  try {
    await models.AuditEntry.create({
      ...(once === undefined ? {} : { _id: idOf(once) }),
      ...action,
      before: action.before ?? null,
      after: action.after ?? null,
      requestId: action.requestId ?? null,
    });
  } catch (error) {
    if (once === undefined || !isDuplicateKey(error)) throw error;
  }
}

/** An object id that depends on nothing but the name. */
const idOf = (name: string): Types.ObjectId =>
  new Types.ObjectId(createHash("sha256").update(name).digest("hex").slice(0, 24));
