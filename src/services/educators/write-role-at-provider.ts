import type { Db } from "../../db/db.js";
import type { EducatorApplication } from "../../models/users/educator-application.js";
import type { Identity } from "../../providers/clerk.js";

/** Lease of one attempt: longer than a call to the provider may take. After a crash the next attempt is due then. */
const leaseMs = 15_000;
/** Pauses between attempts: 2, 4, 8 … 60 seconds. */
const pauseMs = (attempts: number): number => Math.min(60_000, 1_000 * 2 ** Math.min(attempts, 6));

/**
 * Writes the role of an approved applicant at the identity provider, and marks the application as `approved`. One
 * attempt runs at a time over all instances; does nothing before the next one is due.
 * @throws when the provider fails; the next attempt is then scheduled.
 */
export async function writeRoleAtProvider(db: Db, identity: Identity, applicationId: string): Promise<void> {
  const { EducatorApplication: Applications } = db;
  const now = Date.now();
  const leased = await Applications.findOneAndUpdate(
    { _id: applicationId, status: "approving", nextAttemptAt: { $lte: new Date(now) } },
    { $set: { nextAttemptAt: new Date(now + leaseMs) }, $inc: { attempts: 1 } },
    { returnDocument: "after", timestamps: false },
  ).lean<EducatorApplication>();
  if (!leased) return;
  const { _id, userId, attempts } = leased;
  try {
    if (await providerShouldKnow(db, userId)) await identity.setRole(userId, "educator");
  } catch (error) {
    const next = new Date(Date.now() + pauseMs(attempts));
    await Applications.updateOne(
      { _id, status: "approving", attempts },
      { $set: { nextAttemptAt: next } },
      { timestamps: false },
    );
    db.jobCalls.emit("write-roles", next);
    throw error;
  }
  await Applications.updateOne({ _id, status: "approving" }, { $set: { status: "approved", nextAttemptAt: null } });
}

/** Not when the provider has given the user another role since, nor when the account no longer exists. */
async function providerShouldKnow(db: Db, userId: string): Promise<boolean> {
  const record = await db.RoleRecord.findById(userId, { role: 1 }).lean();
  if (record?.role !== "educator") return false;
  const account = await db.Account.findById(userId, { deletedAt: 1 }).lean();
  return account?.deletedAt === undefined;
}
