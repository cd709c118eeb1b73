import type { Db } from "../../db/db.js";
import { backoffMs } from "../../lib/backoff.js";
import type { EducatorApplication } from "../../models/users/educator-application.js";
import type { Identity } from "../../providers/clerk.js";

/** Lease of one attempt: longer than a call to the provider may take. After a crash the next attempt is due then. */
const leaseMs = 15_000;
/** Pauses between attempts: with their jitter the first is below 5 s, and none is above a minute. */
const pauses = { firstMs: 2_000, maxMs: 48_000 };

/**
 * Writes the role of an approved applicant at the identity provider, and marks the application as `approved` once the
 * provider has confirmed it. One attempt runs at a time over all instances; an attempt before its time does nothing.
 * @returns whether it made an attempt. @throws when the provider fails; the next attempt is then scheduled.
 */
export async function writeRoleAtProvider(db: Db, identity: Identity, applicationId: string): Promise<boolean> {
  const { EducatorApplication: Applications } = db;
  const now = Date.now();
  const leased = await Applications.findOneAndUpdate(
    { _id: applicationId, status: "approving", nextAttemptAt: { $lte: new Date(now) } },
    { $set: { nextAttemptAt: new Date(now + leaseMs) }, $inc: { attempts: 1 } },
    { returnDocument: "after", timestamps: false },
  ).lean<EducatorApplication>();
  if (!leased) return false;
  const { _id, attempts } = leased;
  try {
    await writeRole(db, identity, leased);
    return true;
  } catch (error) {
    const next = new Date(Date.now() + backoffMs(attempts - 1, pauses));
    await Applications.updateOne(
      { _id, status: "approving", attempts },
      { $set: { nextAttemptAt: next } },
      { timestamps: false },
    );
    db.jobWakeups.emit("EducatorApplication");
    throw error;
  }
}

/**
 * An applicant whom the provider has made an administrator since the approval is not made an educator: the application
 * is pending again, as if the administrator's role had come first.
 */
async function writeRole(db: Db, identity: Identity, { _id, userId }: EducatorApplication): Promise<void> {
  const record = await db.RoleRecord.findById(userId, { role: 1 }).lean();
  const account = await db.Account.findById(userId, { deletedAt: 1 }).lean();
  const isDeleted = account?.deletedAt !== undefined;
  const isWanted = record?.role === "educator" && !isDeleted;
  const writtenAt = isWanted ? await identity.setRole(userId, "educator") : undefined;
  await db.transaction(async (session) => {
    // Events from before the provider's write are older than the record from now on.
    const confirmed = { $unset: { awaitsProvider: 1, ignoredAt: 1 }, ...(writtenAt && { $max: { writtenAt } }) };
    const before = await db.RoleRecord.findOneAndUpdate({ _id: userId }, confirmed, { session }).lean();
    if (writtenAt && before?.ignoredAt && before.ignoredAt > writtenAt)
      throw new Error("the role was changed meanwhile");
    const isApproved = isDeleted || (writtenAt !== undefined && before?.role === "educator");
    await db.EducatorApplication.updateOne(
      { _id, status: "approving" },
      { $set: { status: isApproved ? "approved" : "pending", nextAttemptAt: null } },
      { session },
    );
  });
}
