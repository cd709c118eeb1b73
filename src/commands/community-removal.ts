import type { mongo } from "mongoose";
import type { Removal } from "../models/community-post.js";
import type { Models } from "../models/index.js";
import type { TargetKind } from "../models/vote.js";
import { recordAudit } from "./record-audit.js";

/** How long a request may clear away what belonged to a removed post or reply before it leaves the rest to the sweeper. */
const inlineMs = 2_000;

/** Tells whether there is time left. */
export type InTime = () => boolean;

export function inlineBudget(): InTime {
  const until = Date.now() + inlineMs;
  return () => Date.now() < until;
}

/**
 * Records an administrator's removal in the audit trail, once, and resolves the reports that are open on its target. Part of
 * the removal itself, so it is repeated after a crash.
 */
export async function recordRemoval(
  models: Models,
  kind: TargetKind,
  { _id, removal, authorId }: { _id: mongo.ObjectId; removal?: Removal; authorId: string },
): Promise<void> {
  if (!removal) return;
  const action = `community.${kind}.remove`;
  await recordAudit(
    models,
    {
      actorId: removal.by,
      action,
      targetKind: `community.${kind}`,
      targetId: String(_id),
      before: { authorId },
      requestId: removal.requestId ?? undefined,
    },
    `${action}:${_id}`,
  );
  await models.Report.updateMany(
    { targetKind: kind, targetId: _id, state: "open" },
    { $set: { state: "resolved", resolvedBy: removal.by, resolvedAt: new Date() } },
  );
}
