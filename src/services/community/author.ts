import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";

/** Another user's post or reply. */
export const NotAuthorized = failure("not_authorized", 403, "Not authorized");

export interface AuthorSnapshot {
  authorId: string;
  authorName: string;
  authorImage: string;
}

/** The author's profile as it is now, kept with what is written; null without a user record. */
export async function authorSnapshot(db: Db, userId: string): Promise<AuthorSnapshot | null> {
  const user = await db.User.findById(userId, { name: 1, imageUrl: 1 }).lean();
  return user && { authorId: userId, authorName: user.name, authorImage: user.imageUrl };
}
