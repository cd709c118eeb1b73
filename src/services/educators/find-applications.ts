import type { Db } from "../../db/db.js";
import { newestFirst } from "../../db/ordered-list.js";
import {
  type ApplicationStatus,
  type EducatorApplication,
  shownStatus,
  shownStatuses,
} from "../../models/users/educator-application.js";

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
