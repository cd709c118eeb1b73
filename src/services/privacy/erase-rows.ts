import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import type { Db } from "../../db/db.js";
import { renewReplies } from "../../models/community/community-post.js";
import { userOwnedCollections } from "../../models/index.js";
import { anonymiseUserOwnedRows, deleteUserOwnedRows } from "../../models/user-owned-rows.js";

/** How many rows one command changes. */
const batch = 500;

/** In place of the id of an erased user. Random each time, so that rows cannot be joined by it. */
export const createPseudonym = (): string => `deleted_${randomUUID().replaceAll("-", "")}`;

/** Deletes or anonymises the rows that need no step of their own, in batches. A repetition finds what is left. */
export async function eraseRows(db: Db, userId: string, signal: AbortSignal): Promise<void> {
  for (const collection of userOwnedCollections) {
    const { erasure } = collection;
    const eraseBatch = async (): Promise<boolean> => {
      if (erasure === "delete") return deleteUserOwnedRows(db, collection, userId, batch);
      if (erasure === "ownStep" || "keep" in erasure) return false;
      const set = erasure.anonymise;
      if (collection.name === "CommunityReply") {
        return db.transaction((session) => anonymiseReplies(db, userId, set, session));
      }
      // A user has one row for each target, so that one pseudonym for a batch keeps unique keys unique.
      return anonymiseUserOwnedRows(db, collection, userId, { pseudonym: createPseudonym(), set, limit: batch });
    };
    do signal.throwIfAborted();
    while (await eraseBatch());
  }
}

/** Anonymises some replies and lets the caches of their posts know. @returns whether there may be more. */
async function anonymiseReplies(
  db: Db,
  authorId: string,
  set: Readonly<Record<string, unknown>>,
  session: ClientSession,
): Promise<boolean> {
  const own = await db.CommunityReply.find({ authorId }, { postId: 1 }).limit(batch).session(session).lean();
  if (own.length === 0) return false;
  const ids = own.map(({ _id }) => _id);
  const change = { $set: { ...set, authorId: createPseudonym() } };
  await db.CommunityReply.updateMany({ _id: { $in: ids } }, change, { session, timestamps: false });
  const postIds = own.map(({ postId }) => postId);
  await renewReplies(db, postIds, session);
  return own.length === batch;
}
