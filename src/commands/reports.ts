import { mongo } from "mongoose";
import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import { failure } from "../http/errors.js";
import type { Report } from "../models/report.js";
import { recordAudit } from "./record-audit.js";

export const ReportNotFound = failure(404, "Report not found");

/** Files a report, once while it is open: a person's further report of the same thing changes nothing. */
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
export async function resolveReport(
  db: Db,
  reportId: string,
  by: { actorId: string; requestId?: string | undefined },
): Promise<void> {
  const _id = new mongo.ObjectId(reportId);
  const { Report: Reports } = db;
  const now = new Date();
  const unaudited = { since: now, requestId: by.requestId ?? null };
  await Reports.updateOne(
    { _id, state: "open" },
    { $set: { state: "resolved", resolvedBy: by.actorId, resolvedAt: now, unaudited } },
  );
  const report = await Reports.findById(_id).lean<Report>();
  if (!report) throw ReportNotFound();
  await auditResolution(db, report);
}

/** Takes a resolution that is not there yet into the audit trail. May be repeated. */
export async function auditResolution(db: Db, { _id, resolvedBy, unaudited }: Report): Promise<void> {
  if (!resolvedBy || !unaudited) return;
  const action = "community.report.resolve";
  await recordAudit(
    db,
    {
      actorId: resolvedBy,
      action,
      targetKind: "community.report",
      targetId: String(_id),
      requestId: unaudited.requestId ?? undefined,
    },
    `${action}:${_id}`,
  );
  await db.Report.updateOne({ _id }, { $unset: { unaudited: 1 } }, { timestamps: false });
}
