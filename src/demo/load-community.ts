import { acceptReply, toggleResolved } from "../commands/accept-reply.js";
import { toggleMembership } from "../commands/community-groups.js";
import { createPost } from "../commands/community-posts.js";
import { createReply } from "../commands/community-replies.js";
import { toggleVote } from "../commands/vote.js";
import type { Deps } from "../deps.js";
import { type DemoPost, posts } from "./community-posts.js";
import { daysAgo } from "./demo-id.js";
import { memberships } from "./memberships.js";

/** Conversations, votes and memberships. A post that is there already (same author and title) is left alone. */
export async function loadCommunity({ models }: Deps): Promise<void> {
  const groups = new Map(
    (await models.CommunityGroup.find({}, { slug: 1 }).lean()).map(({ slug, _id }) => [slug, _id]),
  );
  for (const { group, members } of memberships) {
    const groupId = groups.get(group);
    if (!groupId) continue;
    for (const userId of members) {
      if (await models.GroupMembership.exists({ userId, groupId })) continue;
      await toggleMembership(models, userId, groupId.toString());
    }
  }
  for (const [i, post] of posts.entries()) {
    if (await models.CommunityPost.exists({ authorId: post.author, title: post.title })) continue;
    await loadPost({ models }, post, String((post.group && groups.get(post.group)) ?? ""), posts.length - i);
  }
}

async function loadPost(
  { models }: Pick<Deps, "models">,
  { author, title, content, tags, votes, replies, accepted, resolved }: DemoPost,
  groupId: string,
  days: number,
): Promise<void> {
  const { post } = await createPost(models, author, { title, content, tags: [...tags], groupId });
  for (const voter of votes) await toggleVote(models, voter, "post", post._id);
  for (const [i, reply] of replies.entries()) {
    const { _id } = await createReply(models, reply.author, post._id.toString(), reply.content);
    for (const voter of reply.votes) await toggleVote(models, voter, "reply", _id);
    if (i === accepted) await acceptReply(models, author, post._id.toString(), _id.toString());
    await models.CommunityReply.collection.updateOne({ _id }, { $set: backdated(days, 12 + i) });
  }
  if (resolved) await toggleResolved(models, post);
  await models.CommunityPost.collection.updateOne({ _id: post._id }, { $set: backdated(days, 11) });
}

/** Past the models, for which the time of creation never changes. */
const backdated = (days: number, hour: number) => ({ createdAt: daysAgo(days, hour), updatedAt: daysAgo(days, hour) });
