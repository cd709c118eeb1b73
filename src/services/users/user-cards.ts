import type { Db } from "../../db/db.js";
import { chunk } from "../../lib/chunk.js";
import type { Course } from "../../models/courses/course.js";
import type { WithEducator } from "../../models/courses/taught-courses.js";
import type { UserCard } from "../../models/users/user.js";

/** The card of a user whose account no longer exists, so that nested users are never null. */
export const deletedUserCard = (userId: string): UserCard => ({ _id: userId, name: "Deleted user", imageUrl: "" });

/** The card of a course's educator. */
export function educatorOf({ educatorId, educators: [found] }: Pick<Course, "educatorId"> & WithEducator): UserCard {
  return found ? { _id: found._id, name: found.name, imageUrl: found.imageUrl } : deletedUserCard(educatorId);
}

/** The card of each user; a placeholder where there is no such user. */
export async function userCards(db: Db, userIds: Iterable<string>): Promise<(userId: string) => UserCard> {
  const known = new Map<string, UserCard>();
  for (const ids of chunk([...new Set(userIds)])) {
    const users = await db.User.find({ _id: { $in: ids } }, { name: 1, imageUrl: 1 }).lean();
    for (const user of users) known.set(user._id, user);
  }
  return (userId) => known.get(userId) ?? deletedUserCard(userId);
}

export const userExists = async (db: Db, userId: string): Promise<boolean> =>
  (await db.User.exists({ _id: userId })) !== null;

export type { UserCard };
