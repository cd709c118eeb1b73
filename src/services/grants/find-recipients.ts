import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { User } from "../../models/users/user.js";

/** The users to whom e-mail addresses in lower case belong: verified, or of a record that does not say. */
export async function findRecipients(
  db: Db,
  session: ClientSession,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const users = await db.User.find(
    {
      $or: [
        { verifiedEmail: { $in: emails } },
        // Records that no event has touched since this version do not tell whether the address is verified.
        { email: { $in: emails }, verifiedEmail: { $exists: false } },
      ],
    },
    { email: 1, verifiedEmail: 1 },
  )
    .session(session)
    .sort({ _id: 1 })
    .lean<Pick<User, "_id" | "email" | "verifiedEmail">[]>();
  return new Map(users.map(({ _id, email, verifiedEmail }) => [verifiedEmail ?? email, _id]));
}

export async function findRecipient(db: Db, session: ClientSession, email: string): Promise<string | undefined> {
  return (await findRecipients(db, session, [email])).get(email);
}
