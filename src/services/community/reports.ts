import type { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { isDuplicateKey } from "../../db/duplicate-key.js";
import { failure } from "../../lib/errors.js";
import type { Report } from "../../models/community/report.js";
import { recordAudit } from "../audit/record-audit.js";
import type { Moderator } from "./removal.js";

export const ReportNotFound = failure("report_not_found", 404, "Report not found");

/** Files a report, once while it is open: a user's further report of the same thing changes nothing. */
export async function fileReport(
  { Report: Reports }: Db,
  report: Pick<Report, "reporterId" | "targetKind" | "targetId" | "postId" | "reason">,
): Promise<void> {
  try {
    await Reports.create(report);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Marks a report as dealt with; repeating that changes nothing. Audited. @throws ReportNotFound */
export function resolveReport(db: Db, _id: mongo.ObjectId, by: Moderator): Promise<void> {
  return db.transaction(async (session) => {
    const { matchedCount } = await db.Report.updateOne(
      { _id, state: "open" },
      { $set: { state: "resolved", resolvedBy: by.actorId, resolvedAt: new Date() } },
      { session },
    );
    if (matchedCount > 0) {
      const [action, targetKind] = ["community.report.resolve", "community.report"];
      await recordAudit(db, session, { ...by, action, targetKind, targetId: String(_id) });
    } else if (!(await db.Report.exists({ _id }).session(session))) {
      throw ReportNotFound();
    }
  });
}
