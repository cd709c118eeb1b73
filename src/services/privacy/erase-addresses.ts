import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { emailKey } from "../../lib/email-address.js";
import { digestOf } from "../../models/enrollments/grant.js";
import { soldId } from "../../models/payments/purchase.js";
import { actionBy, anonymiseAudit, recordAudit, theSystem } from "../audit/record-audit.js";
import { auditedItem } from "../grants/granted-item.js";

/** E-mail addresses in the form of `emailKey`. The user has verified `ownAddresses`. */
export interface KnownAddresses {
  readonly addresses: readonly string[];
  readonly ownAddresses: readonly string[];
}

/** Finds the e-mail addresses of a user's profile, grants and purchases. */
export async function findAddresses(db: Db, userId: string, session: ClientSession): Promise<KnownAddresses> {
  const user = await db.User.findById(userId, { email: 1, verifiedEmail: 1 }).session(session).lean();
  const grants = await db.Grant.find({ userId }, { email: 1 }).session(session).lean();
  const purchases = await db.Purchase.find({ userId }, { buyer: 1 }).session(session).lean();
  const own = [user?.verifiedEmail, ...grants.map(({ email }) => email)];
  const listed = [user?.email, ...purchases.map(({ buyer }) => buyer?.email)];
  const unique = (found: (string | null | undefined)[]) => [
    ...new Set(found.flatMap((address) => (address ? [emailKey(address)] : []))),
  ];
  return { addresses: unique([...own, ...listed]), ownAddresses: unique(own) };
}

/**
 * Removes e-mail addresses from grants, imports, locks and the suppressed addresses. Unclaimed grants to the user's own addresses end, and pending
 * rows of imports are skipped. An address that the user only listed, or that another user has verified, may belong to
 * somebody else. Grants to such an address still wait under its digest, and its rows are imported.
 */
export async function eraseAddresses(
  db: Db,
  { addresses, ownAddresses }: KnownAddresses,
  session: ClientSession,
): Promise<void> {
  if (addresses.length === 0) return;
  const others = await db.User.find({ verifiedEmail: { $in: [...addresses] } }, { verifiedEmail: 1 })
    .session(session)
    .lean();
  const taken = new Set(others.map(({ verifiedEmail }) => verifiedEmail));
  const free = addresses.filter((address) => !taken.has(address));
  const own = free.filter((address) => ownAddresses.includes(address));
  const unneeded = { _id: { $in: free }, nextActivationAt: { $exists: false } };
  await db.EmailLock.deleteMany(unneeded, { session });
  await db.SuppressedAddress.deleteMany({ _id: { $in: free } }, { session });
  await endUnclaimedGrants(db, own, session);
  await hideUnclaimedGrants(
    db,
    free.filter((address) => !own.includes(address)),
    session,
  );
  await eraseFromImports(db, { rowsOf: free, pendingRowsOf: own }, session);
}

/** Replaces an address in waiting grants by its digest. Others, and those that wait under the digest too, end without it. */
async function hideUnclaimedGrants(db: Db, addresses: readonly string[], session: ClientSession): Promise<void> {
  for (const email of addresses) {
    const digest = digestOf(email);
    const known = { userId: null, email: { $in: [email, digest] } };
    const found = await db.Grant.find(known, { email: 1, state: 1, courseId: 1, pathId: 1 }).session(session).lean();
    const grants = found.filter((grant) => grant.email === email);
    if (grants.length === 0) continue;
    const hidden = found.filter((grant) => grant.email === digest && grant.state === "waiting");
    const isHidden = (grant: (typeof found)[number]) => hidden.some((other) => soldId(other).equals(soldId(grant)));
    const waiting = grants.filter((grant) => grant.state === "waiting" && !isHidden(grant));
    const others = grants.filter((grant) => !waiting.includes(grant));
    const idsOf = (rows: typeof found) => ({ _id: { $in: rows.map(({ _id }) => _id) } });
    const ended = { email: null, reason: "", state: "ended" as const };
    await db.Grant.updateMany(idsOf(waiting), { $set: { email: digest } }, { session });
    await db.Grant.updateMany(idsOf(others), { $set: ended }, { session });
    const targetIds = grants.map(({ _id }) => String(_id));
    await anonymiseAudit(db, { targetKind: "enrollment", targetIds }, undefined, session);
  }
}

async function eraseFromImports(
  db: Db,
  { rowsOf, pendingRowsOf }: { rowsOf: readonly string[]; pendingRowsOf: readonly string[] },
  session: ClientSession,
): Promise<void> {
  const { EnrollmentImportRow: Rows } = db;
  if (!(await Rows.exists({ addresses: { $in: [...rowsOf] } }).session(session))) return;
  const skipped = { outcome: "skipped" as const, message: "The address was erased" };
  const pending = { addresses: { $in: [...pendingRowsOf] }, outcome: null };
  await Rows.updateMany(pending, { $set: skipped }, { session });
  const rows = { addresses: { $in: [...rowsOf] }, outcome: { $ne: null } };
  await Rows.updateMany({ ...rows, courseId: /@/ }, { $set: { courseId: "" } }, { session });
  await Rows.updateMany({ ...rows, expiresAt: /@/ }, { $set: { expiresAt: "" } }, { session });
  await Rows.updateMany(rows, { $set: { email: "", addresses: [] } }, { session });
}

async function endUnclaimedGrants(db: Db, addresses: readonly string[], session: ClientSession): Promise<void> {
  const unclaimed = { email: { $in: [...addresses] }, userId: null };
  const grants = await db.Grant.find(unclaimed, { courseId: 1, pathId: 1, state: 1 }).session(session).lean();
  if (grants.length === 0) return;
  const ended = { email: null, reason: "", state: "ended" as const };
  await db.Grant.updateMany({ _id: { $in: grants.map(({ _id }) => _id) } }, { $set: ended }, { session });
  const targetIds = grants.map(({ _id }) => String(_id));
  await anonymiseAudit(db, { targetKind: "enrollment", targetIds }, undefined, session);
  const waiting = grants.filter(({ state }) => state === "waiting");
  const entries = waiting.map((grant) => {
    const states = { before: { ...auditedItem(grant), state: "waiting" }, after: { state: "ended" } };
    return actionBy(theSystem, "enrollment.revoke", ["enrollment", grant._id], states);
  });
  await recordAudit(db, session, ...entries);
}
