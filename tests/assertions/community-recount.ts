import type { TestServer } from "../server/test-server.js";

/**
 * Every counter that differs from a recount of what it counts, and every document that belongs to nothing. Empty when
 * right.
 */
export async function discrepancies(server: { readonly deps: Pick<TestServer["deps"], "db"> }): Promise<string[]> {
  const { CommunityGroup, CommunityPost, CommunityReply, GroupMembership, Vote, Report, RemovedGroup, UngroupedPosts } =
    server.deps.db;
  const [ungrouped, removed, groups, posts, replies, memberships, votes, reports] = await Promise.all([
    UngroupedPosts.find().lean(),
    RemovedGroup.find().lean(),
    CommunityGroup.find().lean(),
    CommunityPost.find().lean(),
    CommunityReply.find().lean(),
    GroupMembership.find().lean(),
    Vote.find().lean(),
    Report.find().lean(),
  ]);
  const wrong: string[] = [];
  const compare = (what: string, id: unknown, stored: number, counted: number) => {
    if (stored !== counted) wrong.push(`${what} of ${id} is ${stored}, recount ${counted}`);
  };
  const votesFor = countedBy(votes.map(({ targetId }) => targetId));
  const postsIn = countedBy(posts.map(({ groupId }) => groupId));
  const membersOf = countedBy(memberships.map(({ groupId }) => groupId));
  const repliesTo = countedBy(replies.map(({ postId }) => postId));
  const postOf = new Map(replies.map(({ _id, postId }) => [String(_id), String(postId)]));
  compare("number of counts", "posts in no group", ungrouped.length, 1);
  const inNoGroup = removed.reduce((sum, { _id }) => sum + postsIn(_id), postsIn(null));
  compare("postCount", "no group", ungrouped[0]?.postCount ?? Number.NaN, inNoGroup);
  for (const group of groups) {
    compare("memberCount", group._id, group.memberCount, membersOf(group._id));
    compare("postCount", group._id, group.postCount, postsIn(group._id));
  }
  for (const post of posts) {
    compare("replyCount", post._id, post.replyCount, repliesTo(post._id));
    compare("upvoteCount", post._id, post.upvoteCount, votesFor(post._id));
    const { acceptedReplyId } = post;
    if (acceptedReplyId && postOf.get(String(acceptedReplyId)) !== String(post._id))
      wrong.push(`${post._id} accepts nothing`);
  }
  for (const reply of replies) compare("upvoteCount", reply._id, reply.upvoteCount, votesFor(reply._id));
  const known = new Set([...groups, ...removed, ...posts, ...replies].map(({ _id }) => String(_id)));
  for (const { _id, postId } of replies) if (!known.has(String(postId))) wrong.push(`reply ${_id} has no post`);
  for (const { _id, targetId, postId } of votes) {
    if (!known.has(String(targetId)) || !known.has(String(postId))) wrong.push(`vote ${_id} has no target`);
  }
  for (const { _id, groupId } of memberships)
    if (!known.has(String(groupId))) wrong.push(`membership ${_id} has no group`);
  const open = reports
    .filter(({ state }) => state === "open")
    .map((r) => `${r.reporterId} ${r.targetKind} ${r.targetId}`);
  if (new Set(open).size !== open.length) wrong.push("a report is open twice");
  return wrong;
}

/** How many of them are a value. */
function countedBy(values: readonly unknown[]): (value: unknown) => number {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  return (value) => counts.get(String(value)) ?? 0;
}
