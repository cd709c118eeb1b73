import type { Deps } from "../deps.js";
import { toggleMembership } from "../services/community/groups.js";
import { createPost, toggleResolved } from "../services/community/posts.js";
import { acceptReply, createReply } from "../services/community/replies.js";
import { toggleVote } from "../services/community/votes.js";
import { type DemoPost, posts } from "./community-posts.js";
import { daysAgo } from "./demo-id.js";
import { memberships } from "./memberships.js";

/** Conversations, votes and memberships. A post that is there already (same author and title) is left alone. */
export async function loadCommunity({ db }: Deps): Promise<void> {
  const groups = new Map((await db.CommunityGroup.find({}, { slug: 1 }).lean()).map(({ slug, _id }) => [slug, _id]));
  for (const { group, members } of memberships) {
    const groupId = groups.get(group);
    if (!groupId) continue;
    for (const userId of members) {
      if (await db.GroupMembership.exists({ userId, groupId })) continue;
      await toggleMembership(db, userId, groupId);
    }
  }
  for (const [i, post] of posts.entries()) {
    if (await db.CommunityPost.exists({ authorId: post.author, title: post.title })) continue;
    await loadPost({ db }, post, String((post.group && groups.get(post.group)) ?? ""), posts.length - i);
  }
}

async function loadPost(
  { db }: Pick<Deps, "db">,
  { author, title, content, tags, votes, replies, accepted, resolved }: DemoPost,
  groupId: string,
  days: number,
): Promise<void> {
  const { post } = await createPost(db, author, { title, content, tags: [...tags], groupId });
  const postId = post._id;
  for (const voter of votes) await toggleVote(db, voter, { postId });
  for (const [i, reply] of replies.entries()) {
    const { _id } = await createReply(db, reply.author, postId, reply.content);
    for (const voter of reply.votes) await toggleVote(db, voter, { postId, replyId: _id });
    if (i === accepted) await acceptReply(db, author, { postId, replyId: _id });
    await db.CommunityReply.updateOne({ _id }, backdated(days, 12 + i), withCreationTime);
  }
  if (resolved) await toggleResolved(db, author, postId);
  await db.CommunityPost.updateOne({ _id: postId }, backdated(days, 11), withCreationTime);
}

/** Mongoose sets both times itself and never changes `createdAt` otherwise. */
const withCreationTime = { timestamps: false, overwriteImmutable: true } as const;
const backdated = (days: number, hour: number) => ({ createdAt: daysAgo(days, hour), updatedAt: daysAgo(days, hour) });
