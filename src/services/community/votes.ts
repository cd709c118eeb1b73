import type { mongo, QueryFilter } from "mongoose";
import type { Db } from "../../db/db.js";
import type { Vote } from "../../models/community/vote.js";
import { PostNotFound } from "./posts.js";
import { ReplyNotFound } from "./replies.js";

/**
 * Gives or takes back a user's upvote of a post, or of the reply to that post which `replyId` names.
 * @returns the state right after this change.
 * @throws PostNotFound, or ReplyNotFound also when the post is gone.
 */
export async function toggleVote(
  db: Db,
  userId: string,
  { postId, replyId }: { postId: mongo.ObjectId; replyId?: mongo.ObjectId },
): Promise<{ upvoteCount: number; isUpvoted: boolean }> {
  const targetId = replyId ?? postId;
  const options = { timestamps: false, returnDocument: "after", projection: { upvoteCount: 1 } } as const;
  const due = replyId ? {} : { noticeDueAt: new Date() };
  const result = await db.transaction(
    async (session) => {
      const { deletedCount } = await db.Vote.deleteOne({ userId, targetId }, { session });
      const isUpvoted = deletedCount === 0;
      if (isUpvoted) await db.Vote.create([{ userId, targetId, postId, ...due }], { session });
      const change = { $inc: { upvoteCount: isUpvoted ? 1 : -1 } };
      const target = replyId
        ? await db.CommunityReply.findOneAndUpdate({ _id: replyId, postId }, change, { ...options, session }).lean()
        : await db.CommunityPost.findByIdAndUpdate(postId, change, { ...options, session }).lean();
      if (!target) throw replyId ? ReplyNotFound() : PostNotFound();
      return { upvoteCount: target.upvoteCount, isUpvoted };
    },
    { mutex: `post:${postId}` },
  );
  if (result.isUpvoted && !replyId) db.jobWakeups.emit("Vote");
  return result;
}

/** Finds the ids of the posts and replies that a user has upvoted among some, by one query. */
export async function findUpvoted(
  db: Db,
  userId: string | undefined,
  among: Pick<QueryFilter<Vote>, "postId" | "targetId">,
): Promise<ReadonlySet<string>> {
  if (userId === undefined) return new Set();
  const votes = await db.Vote.find({ ...among, userId }, { targetId: 1, _id: 0 })
    .batchSize(10_000)
    .lean();
  return new Set(votes.map(({ targetId }) => String(targetId)));
}
