import { mongo } from "mongoose";
import { failure } from "../http/errors.js";
import type { Models } from "../models/index.js";
import type { Report } from "../models/report.js";
import { isDuplicateKey } from "./count-once.js";
import { recordAudit } from "./record-audit.js";

export const ReportNotFound = failure(404, "Report not found");

/** Files a report, once while it is open: a person's further report of the same thing changes nothing. */
export async function fileReport(
  { Report: Reports }: Models,
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
  models: Models,
  reportId: string,
  by: { actorId: string; requestId?: string | undefined },
): Promise<void> {
  const _id = new mongo.ObjectId(reportId);
  const { Report: Reports } = models;
  await Reports.updateOne(
    { _id, state: "open" },
    { $set: { state: "resolved", resolvedBy: by.actorId, resolvedAt: new Date() } },
  );
  const report = await Reports.findById(_id, { resolvedBy: 1 }).lean();
  if (!report) throw ReportNotFound();
  const action = "community.report.resolve";
  await recordAudit(
    models,
    {
      actorId: report.resolvedBy ?? by.actorId,
      action,
      targetKind: "community.report",
      targetId: String(_id),
      requestId: by.requestId,
    },
    `${action}:${_id}`,
  );
}
