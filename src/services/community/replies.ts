import type { mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import {
  addPostReply,
  removePostReply,
  renewRepliesOf,
  toggleAcceptedReply,
} from "../../models/community/community-post.js";
import {
  type CommunityReply,
  deleteReply,
  findReplyHead,
  type ReplyHead,
  type ReplyKey,
} from "../../models/community/community-reply.js";
import { deleteVotesOfReply } from "../../models/community/vote.js";
import { UserNotFound } from "../users/failures.js";
import { authorSnapshot, NotAuthorized } from "./author.js";
import { PostNotFound, postMutex, requirePost } from "./posts.js";
import { type Moderator, recordRemoval } from "./removal.js";

export const ReplyNotFound = failure("reply_not_found", 404, "Reply not found");
export const OnlyAuthorAccepts = failure("only_author_accepts", 403, "Only the post author can accept an answer");

/** Checks that a post has this reply, without reading its text. @throws PostNotFound, ReplyNotFound */
export async function requireReply(db: Db, key: ReplyKey): Promise<ReplyHead> {
  const reply = await findReplyHead(db, key);
  if (reply) return reply;
  await requirePost(db, key.postId);
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
      if (!(await addPostReply(db, postId, session))) throw PostNotFound();
      return reply.toObject<CommunityReply>();
    },
    { mutex: postMutex(postId) },
  );
}

/**
 * Changes what the caller's own reply says. @returns it with the accepted reply of its post.
 * @throws PostNotFound, ReplyNotFound, NotAuthorized
 */
export async function editReply(
  db: Db,
  authorId: string,
  key: ReplyKey,
  content: string,
): Promise<{ reply: CommunityReply; acceptedReplyId: mongo.ObjectId | null }> {
  const edited = await db.transaction(
    async (session) => {
      const reply = await db.CommunityReply.findOneAndUpdate(
        { _id: key.replyId, postId: key.postId, authorId },
        { $set: { content, editedAt: new Date() } },
        { returnDocument: "after", session },
      ).lean<CommunityReply>();
      return reply && { reply, acceptedReplyId: (await renewRepliesOf(db, key.postId, session)) ?? null };
    },
    { mutex: postMutex(key.postId) },
  );
  if (edited) return edited;
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
export async function acceptReply(db: Db, authorId: string, key: ReplyKey): Promise<boolean> {
  const accepted = await db.transaction(
    async (session) => {
      const toggled = await toggleAcceptedReply(db, { _id: key.postId, authorId }, key.replyId, session);
      if (toggled !== null && !(await findReplyHead(db, key, session))) throw ReplyNotFound();
      return toggled;
    },
    { mutex: postMutex(key.postId) },
  );
  if (accepted !== null) return accepted;
  await requirePost(db, key.postId);
  throw OnlyAuthorAccepts();
}

/**
 * Removes a reply and its votes; if it was the accepted one, its post is open again. An administrator's removal is
 * audited and resolves the reports of the reply.
 * @throws ReplyNotFound when it is gone already.
 */
export function removeReply(db: Db, reply: ReplyHead, moderator?: Moderator): Promise<void> {
  const { _id, postId } = reply;
  return db.transaction(
    async (session) => {
      if (!(await deleteReply(db, _id, session))) throw ReplyNotFound();
      await deleteVotesOfReply(db, reply, session);
      if (moderator) await recordRemoval(db, session, moderator, "reply", reply, { postId, targetId: _id });
      await removePostReply(db, reply, session);
    },
    { mutex: postMutex(postId) },
  );
}
