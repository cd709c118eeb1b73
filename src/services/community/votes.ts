import { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { bare } from "../../models/bare.js";
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
      const { deletedCount } = await bare(db.Vote).deleteOne({ userId, targetId }, { session });
      const isUpvoted = deletedCount === 0;
      if (isUpvoted) {
        const vote = { _id: new mongo.ObjectId(), userId, targetId, postId, createdAt: new Date() };
        await bare(db.Vote).insertOne(vote, { session });
      }
      const update = { $inc: { upvoteCount: isUpvoted ? 1 : -1 } };
      const options = { session, returnDocument: "after", projection: { upvoteCount: 1 } } as const;
      const target = replyId
        ? await bare(db.CommunityReply).findOneAndUpdate({ _id: replyId, postId }, update, options)
        : await bare(db.CommunityPost).findOneAndUpdate({ _id: postId }, update, options);
      if (!target) throw replyId ? ReplyNotFound() : PostNotFound();
      return { upvoteCount: target.upvoteCount, isUpvoted };
    },
    { mutex: postMutex(postId) },
  );
}

/** Tells for each of some posts or replies whether a user has upvoted it, in one query. */
export async function votesOf(
  db: Db,
  userId: string | undefined,
  targets: readonly { _id: mongo.ObjectId }[],
): Promise<(targetId: mongo.ObjectId) => boolean> {
  if (userId === undefined || targets.length === 0) return () => false;
  const given = { userId, targetId: { $in: targets.map(({ _id }) => _id) } };
  const votes = await bare(db.Vote)
    .find(given, { projection: { targetId: 1, _id: 0 } })
    .toArray();
  const upvoted = new Set(votes.map(({ targetId }) => String(targetId)));
  return (targetId) => upvoted.has(String(targetId));
}
