import type { mongo } from "mongoose";
import type { z } from "zod";
import type { Db } from "../../db/db.js";
import { findGroupCards } from "../../models/community/community-group.js";
import type { CommunityPost } from "../../models/community/community-post.js";
import type { CommunityReply } from "../../models/community/community-reply.js";
import { votesOf } from "../../services/community/votes.js";
import type { ReplyView } from "./community-shapes.js";
import type { PostView } from "./posts/posts.schemas.js";

/** Shows `editedAt` only for texts that were edited. */
export function asWritten<T extends { editedAt: Date | null }>({ editedAt, ...rest }: T) {
  return editedAt ? { ...rest, editedAt } : rest;
}

/**
 * How the caller sees some posts: two queries at most, whatever their number.
 * @param votes what the caller has upvoted of them; read unless given.
 */
export async function viewPosts(
  db: Db,
  posts: readonly CommunityPost[],
  viewerId: string | undefined,
  votes?: ReturnType<typeof votesOf>,
): Promise<z.input<typeof PostView>[]> {
  const [group, isUpvoted] = await Promise.all([groupsOf(db, posts), votes ?? votesOf(db, viewerId, posts)]);
  // Field by field, as replies below: each copy of a whole row has a shape of its own, kept until a full collection.
  return posts.map((post) => ({
    _id: post._id,
    authorName: post.authorName,
    authorImage: post.authorImage,
    title: post.title,
    content: post.content,
    tags: post.tags,
    replyCount: post.replyCount,
    isResolved: post.isResolved,
    isAuthor: post.authorId === viewerId,
    group: group(post.groupId),
    upvoteCount: post.upvoteCount,
    isUpvoted: isUpvoted(post._id),
    createdAt: post.createdAt,
    updatedAt: post.updatedAt,
    editedAt: post.editedAt ?? undefined,
  }));
}

export async function viewPost(
  db: Db,
  post: CommunityPost,
  viewerId: string | undefined,
  votes?: ReturnType<typeof votesOf>,
) {
  const [view] = await viewPosts(db, [post], viewerId, votes);
  if (!view) throw new Error("a post without a view");
  return view;
}

/** The groups of some posts; null for a post in no group, and for a post whose group was removed. */
async function groupsOf(db: Db, posts: readonly CommunityPost[]) {
  const ids = new Map(posts.flatMap(({ groupId }) => (groupId ? [[String(groupId), groupId] as const] : [])));
  const found = ids.size === 0 ? [] : await findGroupCards(db, [...ids.values()]);
  const cards = new Map(found.map((card) => [String(card._id), card]));
  return (groupId: mongo.ObjectId | null) => (groupId ? (cards.get(String(groupId)) ?? null) : null);
}

/** How the caller sees replies to one post: one query, whatever their number. */
export async function viewReplies(
  db: Db,
  replies: readonly CommunityReply[],
  { acceptedReplyId }: Pick<CommunityPost, "acceptedReplyId">,
  viewerId: string | undefined,
): Promise<(z.input<typeof ReplyView> & Pick<CommunityReply, "authorId">)[]> {
  const isUpvoted = await votesOf(db, viewerId, replies);
  const isAccepted = (replyId: mongo.ObjectId) => acceptedReplyId?.equals(replyId) ?? false;
  // Field by field: there may be thousands, and copies of whole rows cost more than all else here.
  return replies.map(
    ({ _id, postId, authorId, authorName, authorImage, content, upvoteCount, createdAt, editedAt }) => ({
      _id,
      postId,
      content,
      authorId,
      authorName,
      authorImage,
      upvoteCount,
      createdAt,
      editedAt: editedAt ?? undefined,
      isAuthor: authorId === viewerId,
      isUpvoted: isUpvoted(_id),
      isAcceptedAnswer: isAccepted(_id),
    }),
  );
}
