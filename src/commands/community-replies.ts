import { mongo } from "mongoose";
import type { Db } from "../db/db.js";
import { failure } from "../http/errors.js";
import { bare } from "../models/bare.js";
import type { CommunityPost, CommunityReply, Removal } from "../models/community-post.js";
import { authorSnapshot } from "./community-author.js";
import { PostNotFound, requirePost } from "./community-posts.js";
import { type InTime, inlineBudget, recordRemoval } from "./community-removal.js";
import { type Claimed, type Counter, claim, leave, settle } from "./counted-fact.js";
import { deleteVotes } from "./vote.js";

export const ReplyNotFound = failure(404, "Reply not found");

const replyCounter = ({ CommunityPost: model }: Db, postId: mongo.ObjectId): Counter<CommunityPost> => ({
  model,
  counted: { _id: postId, state: "in" },
  add: { replyCount: 1 },
  take: { replyCount: -1, repliesRemoved: 1 },
});

/** A reply to this post and no other; whether the post is visible is for the caller to know. @throws ReplyNotFound */
export async function replyTo(db: Db, postId: string, replyId: string): Promise<CommunityReply> {
  const reply = await db.CommunityReply.findOne({ _id: replyId, postId, state: "in" }).lean<CommunityReply>();
  if (!reply) throw ReplyNotFound();
  return reply;
}

/**
 * Makes sure that readers can see a reply, which is through its own visible post only, without reading what it says.
 * @throws ReplyNotFound
 */
export async function requireReply(
  { CommunityPost: Posts, CommunityReply: Replies }: Db,
  postId: mongo.ObjectId,
  replyId: mongo.ObjectId,
): Promise<void> {
  const found = await Promise.all([
    bare(Posts).findOne({ _id: postId, state: "in" }, { projection: { _id: 1 } }),
    bare(Replies).findOne({ _id: replyId, postId, state: "in" }, { projection: { _id: 1 } }),
  ]);
  if (found.includes(null)) throw ReplyNotFound();
}

/** Adds a reply. @throws PostNotFound, also when the post is removed at this moment; UserNotFound */
export async function createReply(db: Db, authorId: string, postId: string, content: string): Promise<CommunityReply> {
  await requirePost(db, new mongo.ObjectId(postId));
  const author = await authorSnapshot(db, authorId);
  const created = await db.CommunityReply.create({ ...author, postId, content, ...claim("adding") });
  const reply = created.toObject() as Claimed<CommunityReply>;
  if (!(await settle(db.CommunityReply, reply, replyCounter(db, reply.postId)))) throw PostNotFound();
  return reply;
}

/** Changes what a reply says. @throws ReplyNotFound */
export async function editReply(db: Db, replyId: mongo.ObjectId, content: string): Promise<CommunityReply> {
  const reply = await db.CommunityReply.findOneAndUpdate(
    { _id: replyId, state: "in" },
    { $set: { content, editedAt: new Date() } },
    { returnDocument: "after" },
  ).lean<CommunityReply>();
  if (!reply) throw ReplyNotFound();
  return reply;
}

/**
 * Removes a reply and its votes; if it was the accepted one, that is undone too.
 * @returns whether it was still there.
 */
export async function removeReply(db: Db, replyId: mongo.ObjectId, removal?: Removal): Promise<boolean> {
  const reply = await leave(db.CommunityReply, { _id: replyId }, removal ? { removal } : {});
  if (reply) await settleReply(db, reply, inlineBudget());
  return reply !== null;
}

/** Ends a reply's creation or removal that was begun. A reply to a post that is gone is removed. */
export async function settleReply(db: Db, reply: Claimed<CommunityReply>, inTime: InTime = () => true) {
  await settle(db.CommunityReply, reply, replyCounter(db, reply.postId), {
    async cleanUp(held, renew) {
      // After `repliesRemoved` was raised: from then on nobody can set the pointer to this reply (accept-reply.ts).
      await db.CommunityPost.updateOne(
        { _id: held.postId, acceptedReplyId: held._id },
        { $set: { acceptedReplyId: null, isResolved: false } },
      );
      await recordRemoval(db, "reply", held, { postId: held.postId, targetId: held._id });
      return deleteVotes(db, "reply", [held._id], async () => inTime() && (await renew()));
    },
  });
}
