import type { Db } from "../db/db.js";
import { failure } from "../http/errors.js";
import { UserNotFound } from "./people.js";

/** Somebody else's post or reply. */
export const NotAuthorized = failure(403, "Not authorized");

/** Who writes: a snapshot of the profile, kept with what is written. @throws UserNotFound without a user record. */
export async function authorSnapshot(
  db: Db,
  userId: string,
): Promise<{ authorId: string; authorName: string; authorImage: string }> {
  const user = await db.User.findById(userId, { name: 1, imageUrl: 1 }).lean();
  if (!user) throw UserNotFound();
  return { authorId: userId, authorName: user.name, authorImage: user.imageUrl };
}
