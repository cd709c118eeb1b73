import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import type { EducatorApplication } from "../../models/users/educator-application.js";
import { type Actor, actionBy, audited, recordAudit } from "../audit/record-audit.js";
import { recordEvent } from "../events/record-event.js";

export const ApplicationNotFound = failure("application_not_found", 404, "Application not found.");
export const AlreadyReviewed = failure("application_already_reviewed", 409, "Application has already been reviewed.");
export const ApplicantIsAdmin = failure("applicant_is_admin", 409, "Applicant is an administrator.");

/**
 * Approves a pending application and puts the educator role in force. The role is written at the identity provider
 * afterwards (`writeRoleAtProvider`), by the caller or by the role job. Repeating it changes nothing.
 * @throws ApplicationNotFound, AlreadyReviewed, ApplicantIsAdmin.
 */
export async function approveApplication(db: Db, applicationId: string, decider: Actor): Promise<void> {
  await db.transaction(async (session) => {
    const { _id, userId, status, appliedAsAdmin } = await find(db, session, applicationId);
    if (status === "rejected") throw AlreadyReviewed();
    if (status !== "pending") return;
    const record = await db.RoleRecord.findById(userId, { role: 1 }, { session }).lean();
    // The server's own record decides; where there is none, the role that the applicant had when applying.
    if (record ? record.role === "admin" : appliedAsAdmin) throw ApplicantIsAdmin();
    await db.EducatorApplication.updateOne(
      { _id, status: "pending" },
      { $set: { status: "approving", rejectionReason: "", nextAttemptAt: new Date(), attempts: 0 } },
      { session },
    );
    await db.RoleRecord.updateOne(
      { _id: userId },
      { $set: { role: "educator", awaitsProvider: true }, $max: { writtenAt: new Date() } },
      { session, upsert: true },
    );
    await recordEvent(db, session, "application.decided", { userId, status: "approved" });
    await recordAudit(
      db,
      session,
      actionBy(decider, "application.approve", ["application", _id], {
        before: { status: "pending" },
        after: { status: "approved" },
      }),
      actionBy(decider, "role.change", ["user", userId], {
        before: { role: record?.role ?? null },
        after: { role: "educator" },
      }),
    );
  });
}

/**
 * Rejects a pending application. Repeating it changes nothing, the first reason included.
 * @throws ApplicationNotFound, AlreadyReviewed.
 */
export async function rejectApplication(db: Db, applicationId: string, reason: string, decider: Actor): Promise<void> {
  await db.transaction(async (session) => {
    const rejected = await db.EducatorApplication.findOneAndUpdate(
      { _id: applicationId, status: "pending" },
      { $set: { status: "rejected", rejectionReason: reason } },
      { session, projection: { userId: 1 } },
    ).lean();
    if (!rejected) {
      const { status } = await find(db, session, applicationId);
      if (status === "rejected") return;
      throw AlreadyReviewed();
    }
    await recordEvent(db, session, "application.decided", { userId: rejected.userId, status: "rejected" });
    await audited(db, session, decider, "application.reject", ["application", rejected._id], {
      before: { status: "pending" },
      after: { status: "rejected", rejectionReason: reason },
    });
  });
}

async function find(db: Db, session: ClientSession, applicationId: string): Promise<EducatorApplication> {
  const found = await db.EducatorApplication.findById(applicationId, null, { session }).lean<EducatorApplication>();
  if (!found) throw ApplicationNotFound();
  return found;
}
