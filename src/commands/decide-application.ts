import type { Db } from "../db/db.js";
import { failure } from "../http/errors.js";
import type { Decision, EducatorApplication } from "../models/educator-application.js";
import { auditDecision, grantEducatorRole } from "./grant-educator-role.js";

export const ApplicationNotFound = failure(404, "Application not found.");
export const AlreadyReviewed = failure(409, "Application has already been reviewed.");
export const ApplicantIsAdmin = failure(409, "Applicant is an administrator.");

/** Who decides, and in which request. */
export interface Decider {
  readonly adminId: string;
  readonly requestId: string | null;
}

/**
 * Approves a pending application: when it resolves, the educator role is in force on this server. The identity provider
 * is told afterwards (`tellProvider`), by the caller or by the role job. Repeating it changes nothing.
 * @throws ApplicationNotFound, AlreadyReviewed, ApplicantIsAdmin.
 */
export async function approveApplication(db: Db, applicationId: string, decider: Decider): Promise<void> {
  const found = await find(db, applicationId);
  if (found.status === "rejected") throw AlreadyReviewed();
  if (found.status === "approved") return;
  const approving = found.status === "approving" ? found : await startApproving(db, found, decider);
  // Somebody else decided in between: look again.
  if (!approving) return approveApplication(db, applicationId, decider);
  if (!(await grantEducatorRole(db, approving))) throw ApplicantIsAdmin();
  await auditDecision(db, approving);
}

async function startApproving(
  db: Db,
  { _id, userId, submission, appliedAsAdmin }: EducatorApplication,
  decider: Decider,
): Promise<EducatorApplication | null> {
  const record = await db.RoleRecord.findById(userId, { role: 1 }).lean();
  // The server's own record decides; where there is none, the role that the applicant had when applying.
  if (record ? record.role === "admin" : appliedAsAdmin) throw ApplicantIsAdmin();
  const decision = decided("approved", submission, decider, { roleBefore: record?.role ?? null });
  return db.EducatorApplication.findOneAndUpdate(
    { _id, status: "pending", submission },
    {
      $set: {
        status: "approving",
        rejectionReason: "",
        decision,
        unaudited: true,
        nextAttemptAt: decision.at,
        attempts: 0,
      },
    },
    { returnDocument: "after" },
  ).lean<EducatorApplication>();
}

/**
 * Rejects a pending application. Repeating it changes nothing, the first reason included.
 * @throws ApplicationNotFound, AlreadyReviewed.
 */
export async function rejectApplication(
  db: Db,
  applicationId: string,
  reason: string,
  decider: Decider,
): Promise<void> {
  const found = await find(db, applicationId);
  if (found.status === "rejected") return;
  if (found.status !== "pending") throw AlreadyReviewed();
  const decision = decided("rejected", found.submission, decider, { reason });
  const rejected = await db.EducatorApplication.findOneAndUpdate(
    { _id: found._id, status: "pending", submission: found.submission },
    { $set: { status: "rejected", rejectionReason: reason, decision, unaudited: true } },
    { returnDocument: "after" },
  ).lean<EducatorApplication>();
  if (!rejected) return rejectApplication(db, applicationId, reason, decider);
  await auditDecision(db, rejected);
}

async function find(db: Db, applicationId: string): Promise<EducatorApplication> {
  const found = await db.EducatorApplication.findById(applicationId).lean<EducatorApplication>();
  if (!found) throw ApplicationNotFound();
  return found;
}

function decided(
  outcome: Decision["outcome"],
  submission: number,
  { adminId, requestId }: Decider,
  { reason = "", roleBefore = null }: Partial<Pick<Decision, "reason" | "roleBefore">>,
): Decision {
  return { outcome, submission, reason, roleBefore, by: adminId, at: new Date(), requestId };
}
