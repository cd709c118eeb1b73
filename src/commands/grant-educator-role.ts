import type { Db } from "../db/db.js";
import { isDuplicateKey } from "../db/duplicate-key.js";
import type { EducatorApplication } from "../models/educator-application.js";
import type { Identity } from "../services/identity.js";
import { recordAudit } from "./record-audit.js";

/** Bound of the loop below; it is gone round again only when a record was created at that very moment. */
const maxAttempts = 10;

/**
 * Puts the educator role in force for an application that is being approved: once per application, so that a later role
 * from the identity provider is not undone by a repeat. A role of admin is never overwritten; then the application goes
 * back to pending, undecided.
 * @returns whether the role was granted, now or before.
 */
export async function grantEducatorRole(db: Db, application: EducatorApplication): Promise<boolean> {
  const { RoleRecord, EducatorApplication: Applications } = db;
  const { userId } = application;
  const grantedFor = String(application._id);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    try {
      await RoleRecord.updateOne(
        { _id: userId, role: { $ne: "admin" }, grantedFor: { $ne: grantedFor } },
        { $set: { role: "educator", grantedFor }, $max: { writtenAt: new Date() } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // There is a record that the filter excludes, or one that was created at this moment.
    const present = await RoleRecord.findById(userId, { role: 1, grantedFor: 1 }).lean();
    if (present?.grantedFor === grantedFor) return true;
    if (present?.role === "admin") {
      await Applications.updateOne(
        { _id: application._id, status: "approving" },
        { $set: { status: "pending", decision: null, unaudited: false, nextAttemptAt: null } },
      );
      return false;
    }
  }
  throw new Error(`the role record of ${userId} does not come to rest`);
}

/**
 * Writes the newest decision, and the change of role that came with it, to the audit trail: once, however often called.
 */
export async function auditDecision(db: Db, application: EducatorApplication): Promise<void> {
  const { _id, userId, decision, unaudited } = application;
  if (!decision || !unaudited) return;
  const { outcome, submission, reason, roleBefore, by } = decision;
  const actor = { actorId: by, requestId: decision.requestId ?? undefined };
  const name = `application:${_id}:${submission}`;
  await recordAudit(
    db,
    {
      ...actor,
      action: outcome === "approved" ? "application.approve" : "application.reject",
      targetKind: "application",
      targetId: String(_id),
      before: { status: "pending" },
      after: outcome === "approved" ? { status: "approved" } : { status: "rejected", rejectionReason: reason },
    },
    name,
  );
  if (outcome === "approved") {
    const change = { before: { role: roleBefore }, after: { role: "educator" } };
    await recordAudit(
      db,
      { ...actor, action: "role.change", targetKind: "user", targetId: userId, ...change },
      `${name}:role`,
    );
  }
  await db.EducatorApplication.updateOne(
    { _id, "decision.submission": submission },
    { $set: { unaudited: false } },
    { timestamps: false },
  );
}

/** How long one attempt holds its claim: longer than a call to the provider may take. A crash frees it then. */
const claimMs = 15_000;
/** Pauses between attempts: 2, 4, 8 … 60 seconds. */
const pauseMs = (attempts: number): number => Math.min(60_000, 1_000 * 2 ** Math.min(attempts, 6));

/**
 * Takes an application that is being approved the rest of the way: role record if it is not written yet, then the
 * identity provider's metadata, then `approved`. One runner at a time and application, on any instance; nothing happens
 * while its next attempt is not due.
 * @throws when the provider fails; the next attempt is then scheduled.
 */
export async function tellProvider(db: Db, identity: Identity, applicationId: string): Promise<void> {
  const { EducatorApplication: Applications } = db;
  const now = Date.now();
  const claimed = await Applications.findOneAndUpdate(
    { _id: applicationId, status: "approving", nextAttemptAt: { $lte: new Date(now) } },
    { $set: { nextAttemptAt: new Date(now + claimMs) }, $inc: { attempts: 1 } },
    { returnDocument: "after", timestamps: false },
  ).lean<EducatorApplication>();
  if (!claimed || !(await grantEducatorRole(db, claimed))) return;
  await auditDecision(db, claimed);
  try {
    if (await providerShouldKnow(db, claimed.userId)) await identity.setRole(claimed.userId, "educator");
  } catch (error) {
    await Applications.updateOne(
      { _id: claimed._id, status: "approving", attempts: claimed.attempts },
      { $set: { nextAttemptAt: new Date(Date.now() + pauseMs(claimed.attempts)) } },
      { timestamps: false },
    );
    throw error;
  }
  await Applications.updateOne(
    { _id: claimed._id, status: "approving" },
    { $set: { status: "approved", nextAttemptAt: null } },
  );
}

/** Not for somebody whom the provider has given another role since, nor for an account that no longer exists. */
async function providerShouldKnow(db: Db, userId: string): Promise<boolean> {
  const record = await db.RoleRecord.findById(userId, { role: 1 }).lean();
  return record?.role === "educator" && !(await db.UserTombstone.exists({ _id: userId }));
}
