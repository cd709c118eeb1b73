import DataLoader from "dataloader";
import type { Db } from "../../db/db.js";
import { findUserCards, type UserCard } from "../../models/users/user.js";

/** Shown for a user whose account no longer exists, so that nested users are never null. */
export const deletedUserCard = (userId: string): UserCard => ({ _id: userId, name: "Deleted user", imageUrl: "" });

/** The card of each user, in one query; a placeholder where there is no such user. */
export async function userCards(db: Db, userIds: Iterable<string>): Promise<(userId: string) => UserCard> {
  const users = await findUserCards(db, [...new Set(userIds)]);
  const known = new Map(users.map((user) => [user._id, user]));
  return (userId) => known.get(userId) ?? deletedUserCard(userId);
}

/** Cards that are asked for in one turn of the event loop are read by one query; none of them is older. */
export function createUserCardLoader(db: Db): DataLoader<string, UserCard> {
  const load = async (userIds: readonly string[]): Promise<UserCard[]> => {
    const card = await userCards(db, userIds);
    return userIds.map(card);
  };
  return new DataLoader(load, { cache: false, batchScheduleFn: setImmediate });
}

export type { UserCard };
