import type { Db } from "../../db/db.js";
import { failure } from "../../http/errors.js";
import { bare } from "../../models/bare.js";

export const UserNotFound = failure("user_not_found", 404, "User not found");

export interface Person {
  _id: string;
  name: string;
  imageUrl: string;
}

/** Stands for a user whose account no longer exists, so that nested users are never null. */
export const deletedPerson = (userId: string): Person => ({ _id: userId, name: "Deleted user", imageUrl: "" });

/** The public profile of each id, in one query; a placeholder where there is none. */
export async function findPeople(db: Db, userIds: Iterable<string>): Promise<(userId: string) => Person> {
  const wanted = [...new Set(userIds)];
  const users = await bare(db.User)
    .find({ _id: { $in: wanted } }, { projection: { name: 1, imageUrl: 1 } })
    .toArray();
  const known = new Map(users.map(({ _id, name, imageUrl }) => [_id, { _id, name, imageUrl }]));
  return (userId) => known.get(userId) ?? deletedPerson(userId);
}
