import { beforeEach, describe, expect, test } from "vitest";
import { discrepancies } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { officialGroup, removePosts, writePost, writeReply } from "../../factories/posts.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
let author: SignedIn;
beforeEach(async () => {
  await removePosts(server);
  author = await server.signedIn("student", "Asha Rao");
});

const nothing = "665f1c2ab7e4d90012ab34cd";
const invalid = refusal(400, "Invalid request data");
const fault = refusal(500, "An unexpected error occurred");
const postNotFound = refusal(404, "Post not found");
const groupId = (slug?: string) => officialGroup(server, slug);

describe("POST /posts", () => {
  const create = (body: unknown, token = author.token) => server.post("/api/community/posts", body, token);

  test("stores trimmed text with a snapshot of the author's profile", async () => {
    const group = await groupId();
    const answer = await create({
      title: "  Wie geht das? 🤔 ",
      content: "\n<b>bold</b> & 日本語\n",
      tags: " ts , ,node,ts",
      groupId: group,
      authorName: "Mallory",
      upvoteCount: 7,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.post).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      authorName: "Asha Rao",
      authorImage: "https://img.example/a.png",
      title: "Wie geht das? 🤔",
      content: "<b>bold</b> & 日本語",
      tags: ["ts", "node", "ts"],
      replyCount: 0,
      isResolved: false,
      isAuthor: true,
      group: { _id: group, name: "Web Development", slug: "web-development", icon: "🌐" },
      upvoteCount: 0,
      isUpvoted: false,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    await server.deps.db.User.updateOne({ _id: author.id }, { name: "Renamed" });
    await server.deps.db.User.deleteOne({ _id: author.id });
    const shown = (await server.get(`/api/community/posts/${answer.body.post._id}`)).body.post;
    expect(shown).toMatchObject({ authorName: "Asha Rao", isAuthor: false });
  });

  test("answers half a character as it is stored, in posts, replies and groups", async () => {
    const half = "half \ud83d of one";
    const kept = "half \ufffd of one";
    const { post } = (await create({ title: half, content: half, tags: [half] })).body;
    expect(post).toMatchObject({ title: kept, content: kept, tags: [kept] });
    const replies = `/api/community/posts/${post._id}/replies`;
    const { reply } = (await server.post(replies, { content: half }, author.token)).body;
    expect(reply.content).toBe(kept);
    const shown = (await server.get(`/api/community/posts/${post._id}`, author.token)).body.post;
    expect(shown).toMatchObject({ title: kept, content: kept, tags: [kept], replies: [reply] });
    const named = { name: half, description: half, icon: "\ud83d" };
    const { group } = (await server.post("/api/community/groups", named, author.token)).body;
    expect(group).toMatchObject({ name: kept, description: kept, icon: "\ufffd" });
    expect((await server.get("/api/community/groups", author.token)).body.groups).toContainEqual(group);
  });

  test("takes tags as text or as a list, and no group as absent, null or empty", async () => {
    for (const tags of [undefined, "", " , ,"]) {
      expect((await create({ title: "t", content: "c", tags })).body.post.tags).toEqual([]);
    }
    const { body } = await create({ title: "t", content: "c", tags: "1,2,3,4,5,," });
    expect(body.post.tags).toEqual(["1", "2", "3", "4", "5"]);
    const listed = await create({ title: "t", content: "c", tags: ["a,b", " c ", "", "🏷️".repeat(25)] });
    expect(listed.body.post.tags).toEqual(["a,b", "c", "🏷️".repeat(25)]);
    for (const none of [undefined, null, "", "  "]) {
      expect((await create({ title: "t", content: "c", groupId: none })).body.post.group).toBeNull();
    }
  });

  test("wants title and content: absent and blank have their message, wrong types and lengths another", async () => {
    for (const body of [{}, { title: "t" }, { title: " ", content: "c" }, { title: "t", content: "\n\u200b" }]) {
      expect(await create(body)).toMatchObject(refusal(400, "Title and content are required"));
    }
    const fine = { title: "t", content: "c" };
    for (const wrong of [
      ...[5, null, "x".repeat(201)].map((title) => ({ title })),
      ...[["c"], { $ne: 1 }, "x".repeat(5001)].map((content) => ({ content })),
      ...[5, null, [1], "1,2,3,4,5,6", ["x".repeat(51)]].map((tags) => ({ tags })),
      ...[5, { $ne: null }].map((groupId) => ({ groupId })),
    ]) {
      expect(await create({ ...fine, ...wrong })).toMatchObject(invalid);
    }
    expect(await create({ title: 5 })).toMatchObject(invalid);
    expect((await create({ title: "😀".repeat(200), content: ` ${"😀".repeat(5000)} ` })).status).toBe(200);
  });

  test("refuses in order: bad body, no user record, no such group", async () => {
    const { emulators } = server;
    const stranger = emulators.clerk?.issueToken("user_without_record", { role: "student" });
    expect(await create({}, stranger)).toMatchObject(refusal(400, "Title and content are required"));
    const body = { title: "t", content: "c", groupId: nothing };
    expect(await create(body, stranger)).toMatchObject(refusal(404, "User not found"));
    for (const id of [nothing, "nonsense", "$where"]) {
      expect(await create({ ...body, groupId: id })).toMatchObject(refusal(404, "Group not found"));
    }
    expect(await server.deps.db.CommunityPost.countDocuments()).toBe(0);
  });

  test("counts against the limit of community writes, together with replies; reading, voting and editing do not", async () => {
    const post = await writePost(server, author);
    const reply = await writeReply(server, author, post._id);
    for (let i = 2; i < 20; i++) await create({});
    await server.get("/api/community/posts", author.token);
    await server.post(`/api/community/posts/${post._id}/upvote`, {}, author.token);
    await server.patch(`/api/community/posts/${post._id}`, { title: "New" }, author.token);
    await server.post(`/api/community/posts/${post._id}/replies/${reply._id}/upvote`, {}, author.token);
    const refused = await create({ title: "t", content: "c" });
    expect(refused).toMatchObject(refusal(429, "Too many community actions. Please slow down."));
    expect(refused.headers.get("ratelimit-limit")).toBe("20");
    const slowed = await server.post(`/api/community/posts/${post._id}/replies`, { content: "x" }, author.token);
    expect(slowed.status).toBe(429);
    expect((await server.get("/api/community/posts", author.token)).headers.get("ratelimit-limit")).toBeNull();
  });
});

describe("GET /posts/:postId", () => {
  test("shows the accepted reply first, then the others by age", async () => {
    const post = await writePost(server, author);
    const replies = [];
    for (const content of ["first", "second", "third"]) {
      replies.push(await writeReply(server, author, post._id, content));
    }
    const path = `/api/community/posts/${post._id}`;
    const order = async () => (await server.get(path)).body.post.replies.map(({ content }: any) => content);
    expect(await order()).toEqual(["first", "second", "third"]);
    await server.patch(`${path}/replies/${replies[2]._id}/accept`, {}, author.token);
    expect(await order()).toEqual(["third", "first", "second"]);
    const { body } = await server.get(path, author.token);
    expect(Object.keys(body)).toEqual(["success", "post"]);
    expect(body.post).toMatchObject({ replyCount: 3, isResolved: true, isAuthor: true });
    expect(body.post.replies[0]).toEqual({ ...replies[2], isAcceptedAnswer: true });
    for (const hidden of ["authorId", "acceptedReplyId", "__v"]) {
      expect(body.post).not.toHaveProperty(hidden);
      expect(body.post.replies[0]).not.toHaveProperty(hidden);
    }
  });

  test("is 404 for an unknown post and 500 for a malformed id", async () => {
    expect(await server.get(`/api/community/posts/${nothing}`)).toMatchObject(postNotFound);
    for (const id of ["zzz", "665f1c2ab7e4d90012ab34c", "123456789012"]) {
      expect(await server.get(`/api/community/posts/${id}`)).toMatchObject(fault);
    }
  });
});

describe("changing a post", () => {
  let post: any;
  let path: string;
  beforeEach(async () => {
    post = await writePost(server, author, { groupId: await groupId(), tags: "a" });
    path = `/api/community/posts/${post._id}`;
  });

  test("upvoting toggles, for any user signed in, the author too", async () => {
    const reader = await server.signedIn();
    const upvote = (token: string) => server.post(`${path}/upvote`, {}, token);
    expect((await upvote(reader.token)).body).toEqual({ success: true, upvoteCount: 1, isUpvoted: true });
    expect((await upvote(author.token)).body).toEqual({ success: true, upvoteCount: 2, isUpvoted: true });
    expect((await server.get(path, reader.token)).body.post).toMatchObject({ upvoteCount: 2, isUpvoted: true });
    expect((await server.get("/api/community/posts", reader.token)).body.posts[0].isUpvoted).toBe(true);
    expect((await upvote(reader.token)).body).toEqual({ success: true, upvoteCount: 1, isUpvoted: false });
    const shown = (await server.get(path, reader.token)).body.post;
    expect(shown).toMatchObject({ upvoteCount: 1, isUpvoted: false, updatedAt: post.updatedAt });
    expect(await discrepancies(server)).toEqual([]);
  });

  test("resolving toggles and leaves an accepted reply accepted", async () => {
    const reply = await writeReply(server, author, post._id);
    await server.patch(`${path}/replies/${reply._id}/accept`, {}, author.token);
    const resolve = () => server.patch(`${path}/resolve`, {}, author.token);
    expect((await resolve()).body).toEqual({ success: true, isResolved: false });
    expect((await server.get(path)).body.post.replies[0].isAcceptedAnswer).toBe(true);
    expect((await resolve()).body).toEqual({ success: true, isResolved: true });
  });

  test("editing changes what is given and tells when", async () => {
    const { body } = await server.patch(path, { title: " Better ", upvoteCount: 9 }, author.token);
    expect(body.post).toMatchObject({ title: "Better", content: post.content, tags: ["a"], upvoteCount: 0 });
    expect(Date.parse(body.post.editedAt)).toBeGreaterThanOrEqual(Date.parse(post.createdAt));
    const all = (await server.patch(path, { title: "T", content: "C", tags: "x, y" }, author.token)).body.post;
    expect(all).toMatchObject({ title: "T", content: "C", tags: ["x", "y"], isAuthor: true });
    expect((await server.patch(path, { tags: [] }, author.token)).body.post.tags).toEqual([]);
    for (const body of [{ title: " " }, { content: "" }]) {
      expect(await server.patch(path, body, author.token)).toMatchObject(
        refusal(400, "Title and content are required"),
      );
    }
    for (const body of [{}, { title: 1 }, { tags: "1,2,3,4,5,6" }, { content: "x".repeat(5001) }, { title: null }]) {
      expect(await server.patch(path, body, author.token)).toMatchObject(invalid);
    }
  });

  test("deleting takes its replies and all votes with it", async () => {
    const reply = await writeReply(server, author, post._id);
    await server.post(`${path}/upvote`, {}, author.token);
    await server.post(`${path}/replies/${reply._id}/upvote`, {}, author.token);
    expect((await server.delete(path, author.token)).body).toEqual({ success: true });
    const { CommunityPost, CommunityReply, Vote, CommunityGroup } = server.deps.db;
    expect(await CommunityPost.countDocuments()).toBe(0);
    expect(await CommunityReply.countDocuments()).toBe(0);
    expect(await Vote.countDocuments()).toBe(0);
    expect(await CommunityGroup.findById(post.group._id).lean()).toMatchObject({ postCount: 0 });
    expect(await server.get(path)).toMatchObject(postNotFound);
    expect(await server.delete(path, author.token)).toMatchObject(postNotFound);
    expect(await discrepancies(server)).toEqual([]);
  });

  test("only the author resolves, edits and deletes; refusals come in order", async () => {
    const reader = await server.signedIn("admin");
    for (const [method, suffix] of [
      ["PATCH", "/resolve"],
      ["PATCH", ""],
      ["DELETE", ""],
    ] as const) {
      const call = (id: string) =>
        server.call(method, `/api/community/posts/${id}${suffix}`, { token: reader.token, body: { title: "x" } });
      expect(await call("zzz")).toMatchObject(fault);
      expect(await call(nothing)).toMatchObject(postNotFound);
      expect(await call(post._id)).toMatchObject(refusal(403, "Not authorized"));
    }
    expect(await server.patch("/api/community/posts/zzz", { title: 1 }, reader.token)).toMatchObject(invalid);
    const upvote = (id: string) => server.post(`/api/community/posts/${id}/upvote`, {}, reader.token);
    expect(await upvote("zzz")).toMatchObject(fault);
    expect(await upvote(nothing)).toMatchObject(postNotFound);
    expect((await server.get(path)).body.post).toMatchObject({ title: post.title, isResolved: false });
  });
});
