import type { ClientSession, mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import type { TargetKind } from "../../models/community/report.js";
import { recordAudit } from "../audit/record-audit.js";

/** The administrator who removes a post or reply. */
export interface Moderator {
  /** User id. */
  actorId: string;
  requestId?: string | undefined;
}

/**
 * Records an administrator's removal in the audit trail and resolves the open reports that it answers. Part of the
 * transaction that removes.
 * @param reported names the reports: of a post also those of its replies.
 */
export async function recordRemoval(
  db: Db,
  session: ClientSession,
  moderator: Moderator,
  kind: TargetKind,
  { _id, authorId }: { _id: mongo.ObjectId; authorId: string },
  reported: { postId: mongo.ObjectId; targetId?: mongo.ObjectId },
): Promise<void> {
  await db.Report.updateMany(
    { ...reported, state: "open" },
    { $set: { state: "resolved", resolvedBy: moderator.actorId, resolvedAt: new Date() } },
    { session },
  );
  await recordAudit(db, session, {
    ...moderator,
    action: `community.${kind}.remove`,
    targetKind: `community.${kind}`,
    targetId: String(_id),
    before: { authorId },
  });
}
