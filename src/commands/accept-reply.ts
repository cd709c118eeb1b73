import { mongo } from "mongoose";
import type { Db } from "../db/db.js";
import { failure } from "../http/errors.js";
import type { CommunityPost } from "../models/community-post.js";
import { visiblePost } from "./community-posts.js";
import { ReplyNotFound } from "./community-replies.js";

export const OnlyAuthorAccepts = failure(403, "Only the post author can accept an answer");

/** Most changes of the same post that one call steps aside for. */
const tries = 100;

/**
 * Accepts a reply as the answer, or takes that back if it is the accepted one. The answer is one pointer on the post,
 * moved by one update that names the pointer it replaces and how many replies had been removed when the reply was seen:
 * removing a reply first raises that number and then clears the pointer, so the pointer never names a reply that is
 * gone.
 *
 * @throws in this order: PostNotFound, OnlyAuthorAccepts, ReplyNotFound (also for a reply to another post).
 */
export async function acceptReply(
  db: Db,
  userId: string,
  postId: string,
  replyId: string,
): Promise<{ isAcceptedAnswer: boolean; postResolved: boolean }> {
  for (let n = 0; n < tries; n++) {
    const { _id, authorId, acceptedReplyId, repliesRemoved } = await visiblePost(db, postId);
    if (authorId !== userId) throw OnlyAuthorAccepts();
    if (!(await db.CommunityReply.exists({ _id: replyId, postId, state: "in" }))) throw ReplyNotFound();
    const accept = String(acceptedReplyId) !== replyId.toLowerCase();
    const moved = await db.CommunityPost.updateOne(
      { _id, state: "in", acceptedReplyId, repliesRemoved },
      { $set: { acceptedReplyId: accept ? new mongo.ObjectId(replyId) : null, isResolved: accept } },
    );
    if (moved.matchedCount > 0) return { isAcceptedAnswer: accept, postResolved: accept };
  }
  throw new Error("the post kept changing while a reply was being accepted");
}

/**
 * Marks a post resolved, or open again; an accepted reply stays what it is.
 * @returns the new mark; null when the post is gone.
 */
export async function toggleResolved(db: Db, post: Pick<CommunityPost, "_id">): Promise<boolean | null> {
  const { CommunityPost: Posts } = db;
  for (let n = 0; n < tries; n++) {
    const found = await Posts.findOne({ _id: post._id, state: "in" }, { isResolved: 1 }).lean();
    if (!found) return null;
    const isResolved = !found.isResolved;
    const moved = await Posts.updateOne(
      { _id: post._id, state: "in", isResolved: found.isResolved },
      { $set: { isResolved } },
    );
    if (moved.matchedCount > 0) return isResolved;
  }
  throw new Error("the post kept changing while it was being resolved");
}
