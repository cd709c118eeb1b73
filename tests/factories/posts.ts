import { expect } from "vitest";
import type { SignedIn, TestServer } from "../server/test-server.js";

/** Writes a post through the API. @returns the post as its author sees it. */
export async function writePost(server: TestServer, author: SignedIn, fields: Record<string, unknown> = {}) {
  const body = { title: "How do types help?", content: "I wonder.", ...fields };
  const answer = await server.post("/api/community/posts", body, author.token);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return answer.body.post;
}

/** Writes a reply through the API. */
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

/** Corrects the counters after a test has stored posts directly. */
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

/** Returns the id of an official group. */
export const officialGroup = async (server: TestServer, slug = "web-development"): Promise<string> =>
  String((await server.deps.db.CommunityGroup.findOne({ slug }).orFail().lean())._id);
