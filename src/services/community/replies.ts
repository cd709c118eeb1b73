import type { ClientSession, mongo } from "mongoose";
import type { Db } from "../../db/db.js";
import { failure } from "../../lib/errors.js";
import { singleFlights } from "../../lib/single-flight.js";
import type { CommunityPost } from "../../models/community/community-post.js";
import type { CommunityReply } from "../../models/community/community-reply.js";
import type { Actor } from "../audit/record-audit.js";
import { NotTheOwner, UserNotFound } from "../failures.js";
import { recordRemoval } from "./moderation.js";
import { PostNotFound, readAuthor, requirePost } from "./posts.js";

export const ReplyNotFound = failure("reply_not_found", 404, "Reply not found");
export const OnlyAuthorAccepts = failure("only_author_accepts", 403, "Only the post author can accept an answer");

/** Names a reply to one post and no other. */
export interface ReplyKey {
  postId: mongo.ObjectId;
  replyId: mongo.ObjectId;
}

/** The part of a reply that never changes. */
export type ReplyHead = Pick<CommunityReply, "_id" | "postId" | "authorId">;

function findReplyHead(db: Db, { postId, replyId }: ReplyKey) {
  const fields = { postId: 1, authorId: 1 };
  return db.CommunityReply.findOne({ _id: replyId, postId }, fields).lean<ReplyHead>();
}

/** Checks that a post has this reply, without reading its text. @throws PostNotFound, ReplyNotFound */
export async function requireReply(db: Db, key: ReplyKey): Promise<ReplyHead> {
  const reply = await findReplyHead(db, key);
  if (reply) return reply;
  await requirePost(db, key.postId);
  throw ReplyNotFound();
}

/** Finds a reply to any post, without its text. @throws ReplyNotFound */
export async function findReply(db: Db, replyId: string): Promise<ReplyHead> {
  const reply = await db.CommunityReply.findById(replyId, { postId: 1, authorId: 1 }).lean<ReplyHead>();
  if (!reply) throw ReplyNotFound();
  return reply;
}

/** Replies that one command reads. */
const repliesPerCommand = 5_000;

/** Number of posts whose concurrent readers share one read of the replies. */
const maxSharedPosts = 20;

/** Creates the reader of the replies to a post: the accepted one first, then oldest first. */
export function createReplyReader(db: Db) {
  const share = singleFlights<CommunityReply[]>(maxSharedPosts);
  return async ({ _id: postId, acceptedReplyId }: Pick<CommunityPost, "_id" | "acceptedReplyId">) => {
    const replies = await share(String(postId), () =>
      db.CommunityReply.find({ postId })
        .sort({ createdAt: 1, _id: 1 })
        .batchSize(repliesPerCommand)
        .lean<CommunityReply[]>()
        .exec(),
    );
    const accepted = replies.find(({ _id }) => acceptedReplyId?.equals(_id));
    return accepted ? [accepted, ...replies.filter((reply) => reply !== accepted)] : replies;
  };
}

/** Adds a reply. @throws PostNotFound, also when the post is removed at this moment; UserNotFound */
export async function createReply(
  db: Db,
  authorId: string,
  postId: mongo.ObjectId,
  content: string,
): Promise<CommunityReply> {
  const author = await readAuthor(db, authorId);
  if (!author) {
    await requirePost(db, postId);
    throw UserNotFound();
  }
  const added = await db.transaction(
    async (session) => {
      const due = { noticeDueAt: new Date(), dueNotices: ["reply_to_post"] };
      const reply = new db.CommunityReply({ ...author, postId, content, ...due });
      await reply.save({ session });
      const options = { session, timestamps: false };
      const { matchedCount } = await db.CommunityPost.updateOne({ _id: postId }, { $inc: { replyCount: 1 } }, options);
      if (matchedCount === 0) throw PostNotFound();
      return reply.toObject<CommunityReply>();
    },
    { mutex: `post:${postId}` },
  );
  db.jobWakeups.emit("CommunityReply");
  return added;
}

/** Changes the caller's own reply. @throws PostNotFound, ReplyNotFound, NotTheOwner */
export async function editReply(db: Db, authorId: string, key: ReplyKey, content: string): Promise<CommunityReply> {
  const reply = await db.CommunityReply.findOneAndUpdate(
    { _id: key.replyId, postId: key.postId, authorId },
    { $set: { content, editedAt: new Date() } },
    { returnDocument: "after" },
  ).lean<CommunityReply>();
  if (reply) return reply;
  await requireReply(db, key);
  throw NotTheOwner();
}

/**
 * Accepts a reply as the answer to the caller's own post, or takes that back if it is the accepted one. The answer is
 * one pointer on the post, so two replies cannot be accepted. The removal of a reply writes the post too, so the
 * pointer never names a removed reply.
 * @returns whether the reply is accepted now.
 * @throws in this order: PostNotFound, OnlyAuthorAccepts, ReplyNotFound (also for a reply to another post).
 */
export async function acceptReply(db: Db, authorId: string, key: ReplyKey): Promise<boolean> {
  const isAccepted = { $eq: ["$acceptedReplyId", key.replyId] };
  const toggled = {
    acceptedReplyId: { $cond: [isAccepted, null, key.replyId] },
    isResolved: { $not: [isAccepted] },
  };
  const post = await db.transaction(
    async (session) => {
      const changed = await db.CommunityPost.findOneAndUpdate({ _id: key.postId, authorId }, [{ $set: toggled }], {
        session,
        updatePipeline: true,
        returnDocument: "after",
        projection: { isResolved: 1 },
      }).lean();
      if (changed && !(await setAcceptanceDue(db, key, changed.isResolved, session))) throw ReplyNotFound();
      return changed;
    },
    { mutex: `post:${key.postId}` },
  );
  if (post) {
    db.jobWakeups.emit("CommunityReply");
    return post.isResolved;
  }
  await requirePost(db, key.postId);
  throw OnlyAuthorAccepts();
}

/** An acceptance that is taken back at once gives no notice. @returns whether the post has the reply. */
async function setAcceptanceDue(
  db: Db,
  { postId, replyId }: ReplyKey,
  isAccepted: boolean,
  session: ClientSession,
): Promise<boolean> {
  const dueNotices = "reply_accepted" as const;
  const change = isAccepted
    ? { $set: { noticeDueAt: new Date() }, $addToSet: { dueNotices } }
    : { $pull: { dueNotices } };
  const options = { session, timestamps: false };
  return (await db.CommunityReply.updateOne({ _id: replyId, postId }, change, options)).matchedCount > 0;
}

/**
 * Removes a reply and its votes. If it was the accepted reply, its post is open again. An administrator's removal is
 * audited and resolves the reports of the reply.
 * @throws ReplyNotFound when it is gone already.
 */
export function removeReply(db: Db, reply: ReplyHead, moderator?: Actor): Promise<void> {
  const { _id, postId } = reply;
  const wasAccepted = { $eq: ["$acceptedReplyId", _id] };
  const withoutReply = {
    replyCount: { $subtract: ["$replyCount", 1] },
    acceptedReplyId: { $cond: [wasAccepted, null, "$acceptedReplyId"] },
    isResolved: { $cond: [wasAccepted, false, "$isResolved"] },
    updatedAt: { $cond: [wasAccepted, "$$NOW", "$updatedAt"] },
  };
  return db.transaction(
    async (session) => {
      const { deletedCount } = await db.CommunityReply.deleteOne({ _id }, { session });
      if (deletedCount === 0) throw ReplyNotFound();
      await db.Vote.deleteMany({ postId, targetId: _id }, { session });
      if (moderator) await recordRemoval(db, session, moderator, "reply", reply, { postId, targetId: _id });
      await db.CommunityPost.updateOne({ _id: postId }, [{ $set: withoutReply }], {
        session,
        updatePipeline: true,
        timestamps: false,
      });
    },
    { mutex: `post:${postId}` },
  );
}
