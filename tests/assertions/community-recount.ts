import type { TestServer } from "../server/test-server.js";
import { wrongCounters } from "./recount.js";

/** Lists every wrong counter of the community and every row whose parent is missing. */
export async function discrepancies({ deps: { db } }: { readonly deps: Pick<TestServer["deps"], "db"> }) {
  const [ungrouped, removed, groups, posts, replies, memberships, votes, reports] = await Promise.all([
    db.UngroupedPosts.countDocuments(),
    db.RemovedGroup.find().lean(),
    db.CommunityGroup.find().lean(),
    db.CommunityPost.find().lean(),
    db.CommunityReply.find().lean(),
    db.GroupMembership.find().lean(),
    db.Vote.find().lean(),
    db.Report.find({ state: "open" }).lean(),
  ]);
  const wrong = await wrongCounters(db, "CommunityGroup", "CommunityPost", "CommunityReply", "UngroupedPosts");
  if (ungrouped !== 1) wrong.push(`there are ${ungrouped} counts of posts in no group`);
  const known = new Set([...groups, ...removed, ...posts, ...replies].map(({ _id }) => String(_id)));
  const requireParent = (row: string, ...parents: unknown[]) => {
    if (!parents.every((parent) => known.has(String(parent)))) wrong.push(`${row} has no parent`);
  };
  for (const { _id, postId } of replies) requireParent(`reply ${_id}`, postId);
  for (const { _id, targetId, postId } of votes) requireParent(`vote ${_id}`, targetId, postId);
  for (const { _id, groupId } of memberships) requireParent(`membership ${_id}`, groupId);
  const postOf = new Map(replies.map(({ _id, postId }) => [String(_id), String(postId)]));
  for (const { _id, acceptedReplyId } of posts) {
    if (acceptedReplyId && postOf.get(String(acceptedReplyId)) !== String(_id)) wrong.push(`${_id} accepts nothing`);
  }
  const open = reports.map(({ reporterId, targetKind, targetId }) => `${reporterId} ${targetKind} ${targetId}`);
  if (new Set(open).size !== open.length) wrong.push("a report is open twice");
  return wrong;
}
