import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { User } from "../../models/users/user.js";

/** Finds the users who have verified these e-mail addresses (in lower case) as their primary address. */
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
