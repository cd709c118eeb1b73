import { isDuplicateKey } from "../../db/database-errors.js";
import type { Db } from "../../db/db.js";
import { newestFirst } from "../../db/ordered-list.js";
import { failure } from "../../lib/errors.js";
import {
  type ApplicationStatus,
  type EducatorApplication,
  shownStatus,
  shownStatuses,
} from "../../models/users/educator-application.js";
import { effectiveRole, type Viewer } from "../../models/users/user.js";

export const AlreadyPending = failure("application_already_pending", 409, "You already have a pending application.");
export const AlreadyApproved = failure(
  "application_already_approved",
  409,
  "Your application has already been approved.",
);

type Submission = Pick<EducatorApplication, "professionalTitle" | "bio" | "expertise" | "linkedinUrl">;

/**
 * Submits an application, or resubmits a rejected one: one record per user, kept by a unique index. Every signed-in
 * user may apply; an administrator's role is noted, because approval must not take it away.
 * @throws AlreadyPending, AlreadyApproved.
 */
export async function applyAsEducator(
  db: Db,
  viewer: Viewer,
  submission: Submission,
): Promise<"submitted" | "resubmitted"> {
  const { EducatorApplication: Applications } = db;
  const { id: userId } = viewer;
  const appliedAsAdmin = (await effectiveRole(db, viewer)) === "admin";
  const fields = { ...submission, appliedAsAdmin, status: "pending" as const };
  try {
    await Applications.create({ ...fields, userId });
    return "submitted";
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const resubmitted = await Applications.updateOne(
    { userId, status: "rejected" },
    { $set: { ...fields, rejectionReason: "" } },
  );
  if (resubmitted.matchedCount > 0) return "resubmitted";
  const present = await Applications.findOne({ userId }, { status: 1 }).lean();
  throw present?.status === "pending" ? AlreadyPending() : AlreadyApproved();
}

/** Finds a user's application as it is shown; null without one. */
export async function findApplication(db: Db, userId: string) {
  const found = await db.EducatorApplication.findOne({ userId }).lean<EducatorApplication>();
  return found && { ...found, status: shownStatus(found) };
}

/** The applications that are shown as `status`, newest first. */
export function applicationsNewestFirst(db: Db, status: string | undefined) {
  return newestFirst(db.EducatorApplication, {
    filter: filterFor(status),
    describe: (found) => found.map((application) => ({ ...application, status: shownStatus(application) })),
  });
}

function filterFor(status = "all"): { status?: ApplicationStatus | { $in: ApplicationStatus[] } } {
  if (status === "all") return {};
  if (status === "approved") return { status: { $in: ["approving", "approved"] } };
  return { status: { $in: shownStatuses.filter((one) => one === status) } };
}
