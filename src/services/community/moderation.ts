import type { ClientSession, mongo } from "mongoose";
import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import type { Report, TargetKind } from "../../models/community/report.js";
import { recordAudit } from "../audit/record-audit.js";

export const ReportNotFound = failure("report_not_found", 404, "Report not found");

/** The administrator who removes something or resolves a report. */
export interface Moderator {
  /** User id. */
  actorId: string;
  requestId?: string | undefined;
}

/** Files a report. While it is open, a further report of the same user and target changes nothing. */
export async function fileReport(
  db: Db,
  report: Pick<Report, "reporterId" | "targetKind" | "targetId" | "postId" | "reason">,
): Promise<void> {
  try {
    await db.Report.create(report);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

const resolvedBy = ({ actorId }: Moderator) => ({
  $set: { state: "resolved", resolvedBy: actorId, resolvedAt: new Date() } as const,
});

/** Marks a report as resolved; repeating that changes nothing. Audited. @throws ReportNotFound */
export function resolveReport(db: Db, _id: mongo.ObjectId, moderator: Moderator): Promise<void> {
  return db.transaction(async (session) => {
    const { matchedCount } = await db.Report.updateOne({ _id, state: "open" }, resolvedBy(moderator), { session });
    if (matchedCount > 0) {
      const [action, targetKind] = ["community.report.resolve", "community.report"];
      await recordAudit(db, session, { ...moderator, action, targetKind, targetId: String(_id) });
    } else if (!(await db.Report.exists({ _id }).session(session))) {
      throw ReportNotFound();
    }
  });
}

/**
 * Records an administrator's removal in the audit trail and resolves the open reports that it answers. Part of the
 * transaction that removes.
 * @param reported selects the reports; those of a post include the reports of its replies.
 */
export async function recordRemoval(
  db: Db,
  session: ClientSession,
  moderator: Moderator,
  kind: TargetKind,
  { _id, authorId }: { _id: mongo.ObjectId; authorId: string },
  reported: { postId: mongo.ObjectId; targetId?: mongo.ObjectId },
): Promise<void> {
  await db.Report.updateMany({ ...reported, state: "open" }, resolvedBy(moderator), { session });
  await recordAudit(db, session, {
    ...moderator,
    action: `community.${kind}.remove`,
    targetKind: `community.${kind}`,
    targetId: String(_id),
    before: { authorId },
  });
}
