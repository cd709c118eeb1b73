import type { mongo } from "mongoose";
import type { Db } from "../db/db.js";
import type { Removal } from "../models/community-post.js";
import type { TargetKind } from "../models/vote.js";
import { recordAudit } from "./record-audit.js";

/**
 * How long a request may clear away what belonged to a removed post or reply before it leaves the rest to the sweeper.
 */
const inlineMs = 2_000;

/** Tells whether there is time left. */
export type InTime = () => boolean;

export function inlineBudget(): InTime {
  const until = Date.now() + inlineMs;
  return () => Date.now() < until;
}

/**
 * Records an administrator's removal in the audit trail, once, and resolves the open reports that it answers. Part of
 * the removal itself, so it is repeated after a crash.
 * @param reported names the reports: of a post also those of its replies.
 */
export async function recordRemoval(
  db: Db,
  kind: TargetKind,
  { _id, removal, authorId }: { _id: mongo.ObjectId; removal?: Removal; authorId: string },
  reported: { postId: mongo.ObjectId; targetId?: mongo.ObjectId },
): Promise<void> {
  if (!removal) return;
  const action = `community.${kind}.remove`;
  await recordAudit(
    db,
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
  await db.Report.updateMany(
    { ...reported, state: "open" },
    { $set: { state: "resolved", resolvedBy: removal.by, resolvedAt: new Date() } },
  );
}
