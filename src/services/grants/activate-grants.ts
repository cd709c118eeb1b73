import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { digestOf, type Grant, setActivationDue } from "../../models/enrollments/grant.js";
import type { User } from "../../models/users/user.js";
import { actionBy, recordAudit, theSystem } from "../audit/record-audit.js";
import { findCounted, findPathTerms, giveAccess, partsOf } from "./give-access.js";
import { auditedItem } from "./granted-item.js";

/** Number of grants that one transaction activates, because an import may name one address in 20,000 rows. */
const maxGrants = 100;
/** Number of grants of paths among them, because each becomes up to twenty grants of courses. */
const maxPathGrants = 5;

/**
 * Activates the first waiting grants to an e-mail address that a user has verified, by a fixed number of commands. The
 * `activate-grants` job activates the rest. A grant whose time is over, or whose path was deleted, ends
 * instead.
 * @returns whether more grants may wait.
 */
export async function activateGrants(db: Db, session: ClientSession, userId: string, email: string): Promise<boolean> {
  const waiting = await db.Grant.find({ email: { $in: [email, digestOf(email)] }, state: "waiting" })
    .limit(maxGrants)
    .session(session)
    .lean<Grant[]>();
  const later = new Set(waiting.filter(({ pathId }) => pathId).slice(maxPathGrants));
  const taken = waiting.filter((grant) => !later.has(grant));
  const isMore = waiting.length === maxGrants || later.size > 0;
  await setActivationDue(db, email, isMore, session);
  if (taken.length === 0) return false;
  const terms = await findPathTerms(db, session, taken);
  const now = Date.now();
  const isOver = ({ expiresAt, pathId }: Grant): boolean =>
    (expiresAt !== null && expiresAt.getTime() <= now) || (pathId !== undefined && !terms.has(String(pathId)));
  const [over, active] = [taken.filter(isOver), taken.filter((grant) => !isOver(grant))];
  const among = (grants: readonly Grant[]) => ({
    _id: { $in: grants.map(({ _id }) => _id) },
    state: "waiting" as const,
  });
  if (over.length > 0) await db.Grant.updateMany(among(over), { $set: { state: "ended", userId } }, { session });
  if (active.length === 0) return isMore;
  await db.Grant.updateMany(
    among(active),
    { $set: { state: "active", userId, email, activeSince: new Date(now) } },
    { session },
  );
  const grants = active.map((grant) => ({
    ...grant,
    ...terms.get(String(grant.pathId)),
    userId,
    email,
    state: "active" as const,
  }));
  for (const { _id, pathId } of grants) {
    const ofPath = terms.get(String(pathId));
    if (ofPath) await db.Grant.updateOne({ _id }, { $set: ofPath }, { session });
  }
  const entries = grants.map((grant) => {
    const after = { userId, email, ...auditedItem(grant) };
    return actionBy(theSystem, "enrollment.activate", ["enrollment", grant._id], { after });
  });
  await recordAudit(db, session, ...entries);
  const parts = grants.flatMap(partsOf);
  await giveAccess(db, session, grants, parts, await findCounted(db, session, parts));
  return isMore;
}

/** Longer than usual, because one transaction counts a student in up to a hundred courses that others are buying. */
const deadlineMs = 20_000;

/**
 * Activates the next grants that identity events have left waiting for an address. An address with more grants is due
 * again behind the others. @returns whether more grants may wait for the address.
 */
export function activateWaitingGrants(db: Db, email: string): Promise<boolean> {
  const activate = async (session: ClientSession) => {
    const userId = await findRecipient(db, session, email);
    if (userId !== undefined) return activateGrants(db, session, userId, email);
    // The user has changed the address or is gone: the grants wait for the next event that brings it.
    await setActivationDue(db, email, false, session);
    return false;
  };
  return db.transaction(activate, { deadlineMs });
}

/** Finds the users who have verified these e-mail addresses, in the form of `emailKey`, as their primary address. */
export async function findRecipients(
  db: Db,
  session: ClientSession,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const users = await db.User.find({ verifiedEmail: { $in: emails } }, { verifiedEmail: 1 })
    .session(session)
    // Of two users with one address, the one whom the provider changed last counts, because the event that took the
    // address from the other is on its way.
    .sort({ providerUpdatedAt: 1 })
    .lean<Required<Pick<User, "_id" | "verifiedEmail">>[]>();
  return new Map(users.map(({ _id, verifiedEmail }) => [verifiedEmail, _id]));
}

export async function findRecipient(db: Db, session: ClientSession, email: string): Promise<string | undefined> {
  return (await findRecipients(db, session, [email])).get(email);
}
