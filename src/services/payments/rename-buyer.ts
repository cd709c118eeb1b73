import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import type { User } from "../../models/users/user.js";

type Profile = Pick<User, "name" | "email">;

export const isSameBuyer = (a: Profile, b: Profile): boolean => a.name === b.name && a.email === b.email;

/** Keeps the buyer of unpaid purchases as the learner's profile is: what completes then has the facts of that day. */
export async function renameBuyer(
  db: Db,
  session: ClientSession,
  userId: string,
  { name, email }: Profile,
): Promise<void> {
  const unpaid = { userId, status: { $in: ["created", "pending", "failed"] as const }, buyer: { $exists: true } };
  await db.Purchase.updateMany(unpaid, { $set: { buyer: { name, email } } }, { session, timestamps: false });
}
