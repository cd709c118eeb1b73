import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { recordAudit } from "../audit/record-audit.js";
import { anonymiseAudit } from "./anonymise-audit.js";

/** The e-mail addresses, in lower case, of a user's profile, grants and purchases. */
export async function findAddresses(db: Db, userId: string, session: ClientSession): Promise<string[]> {
  const user = await db.User.findById(userId, { email: 1, verifiedEmail: 1 }).session(session).lean();
  const grants = await db.Grant.find({ userId }, { email: 1 }).session(session).lean();
  const purchases = await db.Purchase.find({ userId }, { buyer: 1 }).session(session).lean();
  const found = [user?.email, user?.verifiedEmail, ...grants.map(({ email }) => email)];
  found.push(...purchases.map(({ buyer }) => buyer?.email));
  return [...new Set(found.flatMap((address) => (address ? [address.toLowerCase()] : [])))];
}

/**
 * Removes e-mail addresses from where rows are kept by address. Grants that nobody has claimed end, since nobody could
 * claim them any more; so do rows of a table that is still worked through.
 */
export async function eraseAddresses(db: Db, addresses: readonly string[], session: ClientSession): Promise<void> {
  if (addresses.length === 0) return;
  await db.Recipient.deleteMany({ _id: { $in: [...addresses] } }, { session });
  await endUnclaimedGrants(db, addresses, session);
  await eraseFromImports(db, addresses, session);
}

async function eraseFromImports(db: Db, addresses: readonly string[], session: ClientSession): Promise<void> {
  const { EnrollmentImportRow: Rows } = db;
  const rows = { addresses: { $in: [...addresses] } };
  if (!(await Rows.exists(rows).session(session))) return;
  const skipped = { outcome: "skipped" as const, message: "The address was erased" };
  await Rows.updateMany({ ...rows, outcome: null }, { $set: skipped }, { session });
  await Rows.updateMany({ ...rows, courseId: /@/ }, { $set: { courseId: "" } }, { session });
  await Rows.updateMany({ ...rows, expiresAt: /@/ }, { $set: { expiresAt: "" } }, { session });
  await Rows.updateMany(rows, { $set: { email: "", addresses: [] } }, { session });
}

async function endUnclaimedGrants(db: Db, addresses: readonly string[], session: ClientSession): Promise<void> {
  const unclaimed = { email: { $in: [...addresses] }, userId: null };
  const grants = await db.Grant.find(unclaimed, { courseId: 1, state: 1 }).session(session).lean();
  if (grants.length === 0) return;
  const ended = { email: null, reason: "", state: "ended" as const };
  await db.Grant.updateMany({ _id: { $in: grants.map(({ _id }) => _id) } }, { $set: ended }, { session });
  const targetIds = grants.map(({ _id }) => String(_id));
  await anonymiseAudit(db, { targetKind: "enrollment", targetIds }, undefined, session);
  const waiting = grants.filter(({ state }) => state === "waiting");
  const entries = waiting.map(({ _id, courseId }) => ({
    ...{ actorId: "system", action: "enrollment.revoke", targetKind: "enrollment", targetId: String(_id) },
    ...{ before: { courseId: String(courseId), state: "waiting" }, after: { state: "ended" } },
  }));
  await recordAudit(db, session, ...entries);
}
