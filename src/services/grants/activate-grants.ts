import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { digestOf, type Grant, setActivationDue } from "../../models/enrollments/grant.js";
import type { User } from "../../models/users/user.js";
import { actionBy, recordAudit, theSystem } from "../audit/record-audit.js";
import { findCounted, findPathTerms, giveAccess, partsOf } from "./give-access.js";
import { auditedItem } from "./granted-item.js";

interface Recipient {
  readonly userId: string;
  readonly email: string;
}

/** How many grants one transaction activates. A grant of a path is one of up to twenty courses. */
interface Limits {
  readonly courses: number;
  /** Grants of paths, if no grant of a course waits. */
  readonly paths: number;
}

/** For an identity event, whose transaction has the usual time. */
const atEvent: Limits = { courses: 20, paths: 0 };
/** For the job, because an import may name one address in 20,000 rows. */
const atOnce: Limits = { courses: 100, paths: 1 };

/**
 * Activates the first waiting grants to an e-mail address that a user has verified. The `activate-grants` job activates the
 * others. It sends a bounded number of commands.
 */
export async function activateGrants(db: Db, session: ClientSession, to: Recipient, limits = atEvent): Promise<void> {
  const { email } = to;
  const waiting = await db.Grant.find({ email: { $in: [email, digestOf(email)] }, state: "waiting" })
    .limit(atOnce.courses + 1)
    .session(session)
    .lean<Grant[]>();
  const ofCourses = waiting.filter(({ pathId }) => pathId === undefined).slice(0, limits.courses);
  const taken = ofCourses.length > 0 ? ofCourses : waiting.filter(({ pathId }) => pathId).slice(0, limits.paths);
  await activate(db, session, to, taken);
  const isMore = waiting.length > taken.length;
  // Written last, so that an event and the job do not keep each other waiting.
  await setActivationDue(db, email, isMore, session);
  if (isMore) session.once("ended", () => db.jobWakeups.emit("EmailLock"));
}

/** Activates waiting grants. A grant whose time is over, or whose path was deleted, ends instead. */
async function activate(
  db: Db,
  session: ClientSession,
  { userId, email }: Recipient,
  taken: readonly Grant[],
): Promise<void> {
  if (taken.length === 0) return;
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
  if (active.length === 0) return;
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
}

/** Longer than usual, because one transaction counts a student in up to a hundred courses that others are buying. */
const deadlineMs = 20_000;

/**
 * Activates the next grants that identity events have left waiting for an address. An address with more grants is due
 * again behind the others.
 */
export function activateWaitingGrants(db: Db, email: string): Promise<void> {
  const activateNext = async (session: ClientSession) => {
    const userId = await findRecipient(db, session, email);
    // The user has changed the address or is gone: the grants wait for the next event that brings it.
    if (userId === undefined) return setActivationDue(db, email, false, session);
    return activateGrants(db, session, { userId, email }, atOnce);
  };
  return db.transaction(activateNext, { deadlineMs });
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
