import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";

/**
 * Finds those among some users who had a profile and have none any more: deleted and erased users. A user whose first
 * identity event is on its way is none of them.
 */
export async function findLeavers(
  db: Db,
  userIds: readonly string[],
  session: ClientSession | null = null,
): Promise<Set<string>> {
  const found = await db.User.find({ _id: { $in: [...userIds] } }, { _id: 1 })
    .session(session)
    .lean();
  const present = new Set(found.map(({ _id }) => _id));
  const missing = userIds.filter((userId) => !present.has(userId));
  if (missing.length === 0) return new Set();
  // Every identity event, and an erasure, sets one of these fields.
  const known = { $or: [{ newestEvent: { $exists: true } }, { deletedAt: { $exists: true } }] };
  const accounts = await db.Account.find({ _id: { $in: missing }, ...known }, { _id: 1 })
    .session(session)
    .lean();
  return new Set(accounts.map(({ _id }) => _id));
}
