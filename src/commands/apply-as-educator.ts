import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import { failure } from "../http/errors.js";
import type { Viewer } from "../http/route.js";
import { shownStatus } from "./application-view.js";
import { effectiveRole } from "./effective-role.js";

export const AlreadyPending = failure(409, "You already have a pending application.");
export const AlreadyApproved = failure(409, "Your application has already been approved.");

export interface Submission {
  professionalTitle: string;
  bio: string;
  expertise: string[];
  linkedinUrl: string;
}

/**
 * Submits an application, or resubmits a rejected one: one record per person, kept by a unique index. Anybody signed in
 * may apply; an administrator's role is noted, because approval must not take it away.
 * @throws AlreadyPending, AlreadyApproved.
 */
export async function applyAsEducator(
  db: Db,
  viewer: Viewer,
  submission: Submission,
): Promise<"submitted" | "resubmitted"> {
  const { EducatorApplication: Applications } = db;
  const appliedAsAdmin = (await effectiveRole(db, viewer)) === "admin";
  const resubmit = () =>
    Applications.findOneAndUpdate(
      { userId: viewer.id, status: "rejected" },
      { $set: { ...submission, appliedAsAdmin, status: "pending", rejectionReason: "" }, $inc: { submission: 1 } },
      { projection: { _id: 1 } },
    ).lean();

  if (await resubmit()) return "resubmitted";
  try {
    await Applications.create({ ...submission, userId: viewer.id, appliedAsAdmin, status: "pending" });
    return "submitted";
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const present = await Applications.findOne({ userId: viewer.id }, { userId: 1, status: 1 }).lean();
  if (present?.status === "rejected" && (await resubmit())) return "resubmitted"; // rejected at this very moment
  const shown = present ? (await shownStatus(db, [present]))(present) : "pending";
  throw shown === "approved" ? AlreadyApproved() : AlreadyPending();
}
