import type { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../http/errors.js";
import { bare } from "../../models/bare.js";
import type { CommunityReply } from "../../models/community-post.js";
import { UserNotFound } from "../users/user-cards.js";
import { authorSnapshot, NotAuthorized } from "./author.js";
import { PostNotFound, postMutex, requirePost } from "./posts.js";
import { type Moderator, recordRemoval } from "./removal.js";

export const ReplyNotFound = failure("reply_not_found", 404, "Reply not found");
export const OnlyAuthorAccepts = failure("only_author_accepts", 403, "Only the post author can accept an answer");

/** Names a reply to one post and no other. */
export interface ReplyKey {
  postId: mongo.ObjectId;
  replyId: mongo.ObjectId;
}

/** What never changes of a reply. */
type ReplyHead = Pick<CommunityReply, "_id" | "postId" | "authorId">;

/** Makes sure that a post has this reply, without reading what it says. @throws PostNotFound, ReplyNotFound */
export async function requireReply(db: Db, { postId, replyId }: ReplyKey): Promise<ReplyHead> {
  const projection = { postId: 1, authorId: 1 } as const;
  const reply = await bare(db.CommunityReply).findOne({ _id: replyId, postId }, { projection });
  if (reply) return reply;
  await requirePost(db, postId);
  throw ReplyNotFound();
}

/** Adds a reply. @throws PostNotFound, also when the post is removed at this moment; UserNotFound */
export async function createReply(
  db: Db,
  authorId: string,
  postId: mongo.ObjectId,
  content: string,
): Promise<CommunityReply> {
  const author = await authorSnapshot(db, authorId);
  if (!author) {
    await requirePost(db, postId);
    throw UserNotFound();
  }
  return db.transaction(
    async (session) => {
      const reply = new db.CommunityReply({ ...author, postId, content });
      await reply.save({ session });
      const update = { $inc: { replyCount: 1 } };
      const { matchedCount } = await bare(db.CommunityPost).updateOne({ _id: postId }, update, { session });
      if (matchedCount === 0) throw PostNotFound();
      return reply.toObject<CommunityReply>();
    },
    { mutex: postMutex(postId) },
  );
}

/** Changes what the caller's own reply says. @throws PostNotFound, ReplyNotFound, NotAuthorized */
export async function editReply(db: Db, authorId: string, key: ReplyKey, content: string): Promise<CommunityReply> {
  const reply = await db.CommunityReply.findOneAndUpdate(
    { _id: key.replyId, postId: key.postId, authorId },
    { $set: { content, editedAt: new Date() } },
    { returnDocument: "after" },
  ).lean<CommunityReply>();
  if (reply) return reply;
  await requireReply(db, key);
  throw NotAuthorized();
}

/**
 * Accepts a reply as the answer to the caller's own post, or takes that back if it is the accepted one. The answer is
 * one pointer on the post, so it cannot be two replies; removing a reply writes the post too, so the pointer never names
 * a reply that is gone.
 * @returns whether the reply is accepted now.
 * @throws in this order: PostNotFound, OnlyAuthorAccepts, ReplyNotFound (also for a reply to another post).
 */
export async function acceptReply(db: Db, authorId: string, { postId, replyId }: ReplyKey): Promise<boolean> {
  const isAccepted = { $eq: ["$acceptedReplyId", replyId] };
  const toggle = {
    acceptedReplyId: { $cond: [isAccepted, null, replyId] },
    isResolved: { $not: [isAccepted] },
  };
  const accepted = await db.transaction(
    async (session) => {
      const post = await bare(db.CommunityPost).findOneAndUpdate(
        { _id: postId, authorId },
        [{ $set: { ...toggle, updatedAt: new Date() } }],
        { session, returnDocument: "after", projection: { isResolved: 1 } },
      );
      if (!post) return null;
      const options = { session, projection: { _id: 1 } };
      if (!(await bare(db.CommunityReply).findOne({ _id: replyId, postId }, options))) throw ReplyNotFound();
      return post.isResolved;
    },
    { mutex: postMutex(postId) },
  );
  if (accepted !== null) return accepted;
  await requirePost(db, postId);
  throw OnlyAuthorAccepts();
}

/**
 * Removes a reply and its votes; if it was the accepted one, its post is open again. An administrator's removal is
 * audited and resolves the reports of the reply.
 * @throws ReplyNotFound when it is gone already.
 */
export function removeReply(db: Db, reply: ReplyHead, moderator?: Moderator): Promise<void> {
  const { _id, postId } = reply;
  const wasAccepted = { $eq: ["$acceptedReplyId", _id] };
  return db.transaction(
    async (session) => {
      const { deletedCount } = await bare(db.CommunityReply).deleteOne({ _id }, { session });
      if (deletedCount === 0) throw ReplyNotFound();
      await bare(db.Vote).deleteMany({ postId, targetId: _id }, { session });
      if (moderator) await recordRemoval(db, session, moderator, "reply", reply, { postId, targetId: _id });
      const $set = {
        replyCount: { $subtract: ["$replyCount", 1] },
        acceptedReplyId: { $cond: [wasAccepted, null, "$acceptedReplyId"] },
        isResolved: { $cond: [wasAccepted, false, "$isResolved"] },
        updatedAt: { $cond: [wasAccepted, new Date(), "$updatedAt"] },
      };
      await bare(db.CommunityPost).updateOne({ _id: postId }, [{ $set }], { session });
    },
    { mutex: postMutex(postId) },
  );
}
