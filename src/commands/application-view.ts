import type { Db } from "../db/db.js";
import type { EducatorApplication } from "../models/educator-application.js";

/** What people see of an application's state: `approving` counts as approved from the moment the role is in force. */
export type ShownStatus = "pending" | "approved" | "rejected";

export const shownStatuses: readonly ShownStatus[] = ["pending", "approved", "rejected"];

type Stated = Pick<EducatorApplication, "_id" | "userId" | "status">;

/** The shown state of each of `applications`, with one query at most. */
export async function shownStatus(
  db: Db,
  applications: readonly Stated[],
): Promise<(application: Stated) => ShownStatus> {
  const approving = applications.filter(({ status }) => status === "approving");
  const granted = new Set<string>();
  if (approving.length > 0) {
    const records = await db.RoleRecord.find(
      { _id: { $in: approving.map(({ userId }) => userId) } },
      { grantedFor: 1 },
    ).lean();
    for (const { grantedFor } of records) if (grantedFor) granted.add(grantedFor);
  }
  return ({ _id, status }) => {
    if (status !== "approving") return status;
    return granted.has(String(_id)) ? "approved" : "pending";
  };
}

/**
 * Number of applications that are shown as pending. Reads no more than the index entries of undecided applications;
 * those in between, whose role record is looked up, are the few that the role job has at hand.
 */
export async function countPending(db: Db): Promise<number> {
  const { EducatorApplication: Applications } = db;
  const approving = await Applications.find({ status: "approving" }, { userId: 1, status: 1 }).lean();
  const pending = await Applications.countDocuments({ status: "pending" });
  const shown = await shownStatus(db, approving);
  return pending + approving.filter((application) => shown(application) === "pending").length;
}
