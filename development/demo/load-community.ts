import type { Deps } from "../../src/deps.js";
import { toggleMembership } from "../../src/services/community/groups.js";
import { createPost, toggleResolved } from "../../src/services/community/posts.js";
import { acceptReply, createReply } from "../../src/services/community/replies.js";
import { toggleVote } from "../../src/services/community/votes.js";
import { type DemoPost, memberships, posts } from "./content.js";
import { daysAgo, withCreationTime } from "./demo-id.js";

/** Loads memberships, posts, replies and votes. It skips a post whose author and title exist already. */
export async function loadCommunity({ db }: Deps): Promise<void> {
  const groups = new Map((await db.CommunityGroup.find({}, { slug: 1 }).lean()).map(({ slug, _id }) => [slug, _id]));
  for (const [group, members] of Object.entries(memberships)) {
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
  const { post } = await createPost(db, author, { title, content, tags, groupId });
  const postId = post._id;
  for (const voter of votes) await toggleVote(db, voter, { postId });
  for (const [i, reply] of replies.entries()) {
    const { _id } = await createReply(db, reply.author, postId, reply.content);
    for (const voter of reply.votes) await toggleVote(db, voter, { postId, replyId: _id });
    if (i === accepted) await acceptReply(db, author, { postId, replyId: _id });
    await db.CommunityReply.updateOne({ _id }, backdateTo(days, 12 + i), withCreationTime);
  }
  if (resolved) await toggleResolved(db, author, postId);
  await db.CommunityPost.updateOne({ _id: postId }, backdateTo(days, 11), withCreationTime);
}

const backdateTo = (days: number, hour: number) => ({ createdAt: daysAgo(days, hour), updatedAt: daysAgo(days, hour) });
