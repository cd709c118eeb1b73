import type { ClientSession, mongo } from "mongoose";
import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import type { Report, TargetKind } from "../../models/community/report.js";
import { type Actor, audited } from "../audit/record-audit.js";

export const ReportNotFound = failure("report_not_found", 404, "Report not found");

/** Files a report. While it is open, a further report of the same user and target changes nothing. */
export async function fileReport(
  db: Db,
  report: Pick<Report, "reporterId" | "targetKind" | "targetId" | "postId" | "courseId" | "reason">,
): Promise<void> {
  try {
    await db.Report.create(report);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

export const resolvedBy = ({ userId }: Actor) => ({
  $set: { state: "resolved", resolvedBy: userId, resolvedAt: new Date() } as const,
});

/** Marks a report as resolved; repeating that changes nothing. Audited. @throws ReportNotFound */
export function resolveReport(db: Db, _id: mongo.ObjectId, moderator: Actor): Promise<void> {
  return db.transaction(async (session) => {
    const { matchedCount } = await db.Report.updateOne({ _id, state: "open" }, resolvedBy(moderator), { session });
    if (matchedCount > 0) {
      await audited(db, session, moderator, "community.report.resolve", ["community.report", _id]);
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
  moderator: Actor,
  kind: Exclude<TargetKind, "review">,
  { _id, authorId }: { _id: mongo.ObjectId; authorId: string },
  reported: { postId: mongo.ObjectId; targetId?: mongo.ObjectId },
): Promise<void> {
  await db.Report.updateMany({ ...reported, state: "open" }, resolvedBy(moderator), { session });
  await audited(db, session, moderator, `community.${kind}.remove`, [`community.${kind}`, _id], {
    before: { authorId },
  });
}
