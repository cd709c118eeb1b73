import { expect } from "vitest";
import type { SignedIn, TestServer } from "../server/test-server.js";

/** A post by `author` through the API; returns it as its author sees it. */
export async function writePost(server: TestServer, author: SignedIn, fields: Record<string, unknown> = {}) {
  const body = { title: "How do types help?", content: "I wonder.", ...fields };
  const answer = await server.post("/api/community/posts", body, author.token);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return answer.body.post;
}

/** A reply by `author` through the API. */
export async function writeReply(
  server: TestServer,
  author: SignedIn,
  postId: string,
  content = "They tell you early.",
) {
  const answer = await server.post(`/api/community/posts/${postId}/replies`, { content }, author.token);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return answer.body.reply;
}

/** Sets the counters of posts to a recount, for posts that a test stored past the API. */
export async function recountPosts(server: TestServer): Promise<void> {
  const { CommunityGroup, CommunityPost, UngroupedPosts } = server.deps.db;
  const counted = await CommunityPost.aggregate([{ $group: { _id: "$groupId", postCount: { $sum: 1 } } }]);
  await UngroupedPosts.updateOne({}, { postCount: 0 });
  await CommunityGroup.updateMany({}, { postCount: 0 });
  for (const { _id, postCount } of counted) {
    if (_id === null) await UngroupedPosts.updateOne({}, { postCount });
    else await CommunityGroup.updateOne({ _id }, { postCount });
  }
}

/** Removes every post, reply and vote that earlier tests left. */
export async function removePosts(server: TestServer): Promise<void> {
  const { CommunityPost, CommunityReply, Vote } = server.deps.db;
  await Promise.all([CommunityPost.deleteMany({}), CommunityReply.deleteMany({}), Vote.deleteMany({})]);
  await recountPosts(server);
}

/** @returns the id of a group that every server has. */
export const officialGroup = async (server: TestServer, slug = "web-development"): Promise<string> =>
  String((await server.deps.db.CommunityGroup.findOne({ slug }).orFail().lean())._id);
