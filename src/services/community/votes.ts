import type { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { addPostUpvotes, renewReplies } from "../../models/community/community-post.js";
import { addReplyUpvotes } from "../../models/community/community-reply.js";
import { deleteVote, findUpvoted, findUpvotedOfPost, insertVote } from "../../models/community/vote.js";
import { PostNotFound, postMutex } from "./posts.js";
import { ReplyNotFound } from "./replies.js";

export interface Upvoted {
  /** Right after this change. */
  upvoteCount: number;
  isUpvoted: boolean;
}

/**
 * Gives or takes back a user's upvote of a post, or of the reply that `replyId` names, which must be one to that post.
 * @throws PostNotFound, or ReplyNotFound also when the post is gone.
 */
export function toggleVote(
  db: Db,
  userId: string,
  { postId, replyId }: { postId: mongo.ObjectId; replyId?: mongo.ObjectId },
): Promise<Upvoted> {
  const targetId = replyId ?? postId;
  return db.transaction(
    async (session) => {
      const isUpvoted = !(await deleteVote(db, { userId, targetId }, session));
      if (isUpvoted) await insertVote(db, { userId, targetId, postId }, session);
      const by = isUpvoted ? 1 : -1;
      const upvoteCount = replyId
        ? await addReplyUpvotes(db, { postId, replyId }, by, session)
        : await addPostUpvotes(db, postId, by, session);
      if (upvoteCount === null) throw replyId ? ReplyNotFound() : PostNotFound();
      if (replyId) await renewReplies(db, [postId], session);
      return { upvoteCount, isUpvoted };
    },
    { mutex: postMutex(postId) },
  );
}

/** Ids of what a user has upvoted of a post and its replies; one query. */
export async function votesOnPost(
  db: Db,
  userId: string | undefined,
  postId: mongo.ObjectId,
): Promise<ReadonlySet<string>> {
  return new Set(userId === undefined ? [] : (await findUpvotedOfPost(db, userId, postId)).map(String));
}

/** For each of some posts or replies, whether a user has upvoted it; one query. */
export async function votesOf(
  db: Db,
  userId: string | undefined,
  targets: readonly { _id: mongo.ObjectId }[],
): Promise<(targetId: mongo.ObjectId) => boolean> {
  if (userId === undefined || targets.length === 0) return () => false;
  const targetIds = targets.map(({ _id }) => _id);
  const upvoted = new Set((await findUpvoted(db, userId, targetIds)).map(String));
  return (targetId) => upvoted.has(String(targetId));
}
