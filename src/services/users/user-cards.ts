import type { Db } from "../../db/db.js";
import { sharedReadByKey } from "../../http/shared-reads.js";
import { findUserCards, type UserCard } from "../../models/users/user.js";

/** Shown for a user whose account no longer exists, so that nested users are never null. */
export const deletedUserCard = (userId: string): UserCard => ({ _id: userId, name: "Deleted user", imageUrl: "" });

/** The card of each user, in one query; a placeholder where there is no such user. */
export async function userCards(db: Db, userIds: Iterable<string>): Promise<(userId: string) => UserCard> {
  const users = await findUserCards(db, [...new Set(userIds)]);
  const known = new Map(users.map((user) => [user._id, user]));
  return (userId) => known.get(userId) ?? deletedUserCard(userId);
}

/** The card of one user, by a read that requests share. */
export function sharedUserCards(db: Db): (userId: string) => Promise<UserCard> {
  return sharedReadByKey(async (userIds) => userIds.map(await userCards(db, userIds)));
}

export type { UserCard };
