import { underLease } from "../../db/lease.js";
import type { Deps } from "../../deps.js";
import { removeAddresses } from "../../models/own-rows.js";
import type { Erasure } from "../../models/users/erasure.js";
import { recordAudit } from "../audit/record-audit.js";
import { leaveGroup, readJoinedGroups } from "../community/groups.js";
import { removeProfile } from "../users/apply-identity-event.js";
import { eraseCertificates } from "./erase-certificates.js";
import { eraseFromCourses } from "./erase-courses.js";
import { eraseRows } from "./erase-rows.js";

type Erasing = Pick<Deps, "db" | "storage">;

/**
 * Erases what is stored about a user, as personal-data.ts says, if that was asked for. Each step may be repeated, and
 * finds what is left.
 *
 *   1. The profile goes first: without it nothing new can be bought or written.
 *   2. Purchases, grants, enrollments and ratings get a random id, course by course.
 *   3. An application that was not approved is deleted; of an approved one the state remains.
 *   4. Groups are left, and counted without the user.
 *   5. All other rows are deleted or get a random id.
 *   6. Certificates, whose files are at another provider, come last: it may be away.
 *   7. The request is removed, unless the user asked again in the meantime.
 * @returns whether it is done; false while another instance is at it, or when it was asked for anew.
 */
export async function eraseUserData(deps: Erasing, userId: string, signal: AbortSignal): Promise<boolean> {
  const work = async (lost: AbortSignal): Promise<boolean> => {
    const erasure = await deps.db.Erasure.findById(userId).lean<Erasure>();
    return erasure === null || erase(deps, erasure, AbortSignal.any([lost, signal]));
  };
  return (await underLease(deps.db, `erasure:${userId}`, work, { ttlMs: 15_000 })) ?? false;
}

async function erase(deps: Erasing, erasure: Erasure, signal: AbortSignal): Promise<boolean> {
  const { db } = deps;
  const { _id: userId, keepCertificates, requestedAt } = erasure;
  // 1. An event that is older than the request does not bring the profile back.
  const newestEvent = requestedAt.getTime();
  await db.transaction(async (session) => {
    await removeAddresses(db, userId, session);
    await removeProfile(db, session, userId, { $max: { newestEvent } });
  });
  // 2.
  await eraseFromCourses(db, userId, signal);
  // 3.
  await eraseApplication(deps, userId);
  // 4.
  for await (const groupIds of readJoinedGroups(db, userId)) {
    for (const groupId of groupIds) {
      if (signal.aborted) return false;
      await leaveGroup(db, userId, groupId);
    }
  }
  // 5.
  await eraseRows(db, userId, signal);
  // 6.
  await eraseCertificates(deps, userId, { keep: keepCertificates, signal });
  // 7.
  return db.transaction(async (session) => {
    const { deletedCount } = await db.Erasure.deleteOne({ _id: userId, requestedAt }, { session });
    if (deletedCount === 0) return false;
    const target = { targetKind: "user", targetId: userId };
    await recordAudit(db, session, { actorId: "system", action: "user.erase.done", ...target });
    return true;
  });
}

/** An approved application and the role that it gave belong together, so its state outlives what it says. */
async function eraseApplication({ db }: Erasing, userId: string): Promise<void> {
  await db.EducatorApplication.deleteOne({ userId, status: { $in: ["pending", "rejected"] } });
  const nothing = { professionalTitle: "", bio: "", expertise: [], linkedinUrl: "", rejectionReason: "" };
  await db.EducatorApplication.updateOne({ userId }, { $set: nothing });
}
