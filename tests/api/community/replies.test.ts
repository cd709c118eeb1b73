import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { discrepancies } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
let author: SignedIn;
let reader: SignedIn;
let post: any;
let path: string;
beforeEach(async () => {
  author = await server.signedIn("student", "Asha Rao");
  reader = await server.signedIn("student", "Ben Okoro");
  post = await writePost(server, author);
  path = `/api/community/posts/${post._id}`;
});
afterEach(async () => {
  expect(await discrepancies(server)).toEqual([]);
});

const nothing = "665f1c2ab7e4d90012ab34cd";
/** Characters of no width, a filler, a control character and a direction mark. */
const invisible = "\u200b\u3164\u2060\u0007\u200f";
const invalid = refusal(400, "Invalid request data");
const required = refusal(400, "Reply content is required");
const fault = refusal(500, "An unexpected error occurred");
const postNotFound = refusal(404, "Post not found");
const replyNotFound = refusal(404, "Reply not found");
const shown = async (token?: string) => (await server.get(path, token)).body.post;

describe("POST /posts/:postId/replies", () => {
  const create = (body: unknown, token: string | undefined = reader.token, id = post._id) =>
    server.post(`/api/community/posts/${id}/replies`, body, token);

  test("answers with exactly the specified fields and counts", async () => {
    const answer = await create({
      content: "  Ja! <script>1</script> 🎉 ",
      isAcceptedAnswer: true,
      authorName: "Mallory",
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      reply: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        postId: post._id,
        content: "Ja! <script>1</script> 🎉",
        authorName: "Ben Okoro",
        authorImage: "https://img.example/a.png",
        isAuthor: true,
        upvoteCount: 0,
        isUpvoted: false,
        isAcceptedAnswer: false,
        createdAt: expect.stringMatching(/Z$/),
      },
    });
    expect((await shown()).replyCount).toBe(1);
    expect((await shown()).updatedAt).toBe(post.updatedAt);
    expect((await shown(author.token)).replies[0].isAuthor).toBe(false);
    expect((await shown(reader.token)).replies[0]).toEqual(answer.body.reply);
  });

  test("takes 1 to 3000 characters after trimming, counted as users count", async () => {
    for (const body of [{}, { content: "" }, { content: "  \n " }, { contents: "x" }, { content: invisible }]) {
      expect(await create(body)).toMatchObject(required);
    }
    for (const content of [5, null, ["x"], { $gt: "" }, true, "x".repeat(3001), "😀".repeat(3001)]) {
      expect(await create({ content })).toMatchObject(invalid);
    }
    const joined = `👩\u200d🚀 \u200fשלום\u200f ${invisible}`;
    expect((await create({ content: joined })).body.reply.content).toBe(joined.trim());
    const flags = "😀".repeat(3000);
    expect((await create({ content: ` ${flags} ` })).body.reply.content).toBe(flags);
    expect((await shown()).replyCount).toBe(2);
  });

  test("refuses in order: bad body, malformed id, no post, no user record", async () => {
    const stranger = server.emulators.clerk?.issueToken("user_without_record", { role: "student" });
    expect(await create({}, reader.token, "zzz")).toMatchObject(required);
    expect(await create({ content: 1 }, reader.token, "zzz")).toMatchObject(invalid);
    expect(await create({ content: "x" }, stranger, "zzz")).toMatchObject(fault);
    expect(await create({ content: "x" }, stranger, nothing)).toMatchObject(postNotFound);
    expect(await create({ content: "x" }, stranger)).toMatchObject(refusal(404, "User not found"));
    expect((await shown()).replyCount).toBe(0);
  });
});

describe("POST …/replies/:replyId/upvote", () => {
  test("toggles the caller's vote; one's own replies too", async () => {
    const reply = await writeReply(server, reader, post._id);
    const upvote = (token: string) => server.post(`${path}/replies/${reply._id}/upvote`, undefined, token);
    expect((await upvote(reader.token)).body).toEqual({ success: true, upvoteCount: 1, isUpvoted: true });
    expect((await upvote(author.token)).body).toEqual({ success: true, upvoteCount: 2, isUpvoted: true });
    expect((await shown(reader.token)).replies[0]).toMatchObject({ upvoteCount: 2, isUpvoted: true });
    expect((await shown()).replies[0]).toMatchObject({ upvoteCount: 2, isUpvoted: false });
    expect((await upvote(reader.token)).body).toEqual({ success: true, upvoteCount: 1, isUpvoted: false });
  });

  test("reaches a reply only through its own post", async () => {
    const reply = await writeReply(server, reader, post._id);
    const elsewhere = await writePost(server, author);
    const upvote = (postId: string, replyId: string) =>
      server.post(`/api/community/posts/${postId}/replies/${replyId}/upvote`, {}, reader.token);
    expect(await upvote(post._id, "zzz")).toMatchObject(fault);
    expect(await upvote("zzz", reply._id)).toMatchObject(fault);
    expect(await upvote(nothing, reply._id)).toMatchObject(replyNotFound);
    expect(await upvote(post._id, nothing)).toMatchObject(replyNotFound);
    expect(await upvote(elsewhere._id, reply._id)).toMatchObject(replyNotFound);
    expect((await shown()).replies[0].upvoteCount).toBe(0);
  });
});

describe("PATCH …/replies/:replyId/accept", () => {
  const accept = (replyId: string, token: string | undefined = author.token, postId: string = post._id) =>
    server.patch(`/api/community/posts/${postId}/replies/${replyId}/accept`, {}, token);

  test("accepts one at a time, moves to another, and takes back", async () => {
    const first = await writeReply(server, reader, post._id);
    const second = await writeReply(server, author, post._id);
    const accepted = async () =>
      (await shown()).replies.filter(({ isAcceptedAnswer }: any) => isAcceptedAnswer).map(({ _id }: any) => _id);
    expect((await accept(first._id)).body).toEqual({ success: true, isAcceptedAnswer: true, postResolved: true });
    expect(await accepted()).toEqual([first._id]);
    expect((await accept(second._id)).body).toEqual({ success: true, isAcceptedAnswer: true, postResolved: true });
    expect(await accepted()).toEqual([second._id]);
    expect((await accept(second._id.toUpperCase())).body).toEqual({
      success: true,
      isAcceptedAnswer: false,
      postResolved: false,
    });
    expect(await accepted()).toEqual([]);
    expect((await shown()).isResolved).toBe(false);
  });

  test("refuses in its row's order", async () => {
    const reply = await writeReply(server, reader, post._id);
    const elsewhere = await writePost(server, author);
    const onlyAuthor = refusal(403, "Only the post author can accept an answer");
    expect(await accept("zzz", reader.token, nothing)).toMatchObject(fault);
    expect(await accept(reply._id, reader.token, "zzz")).toMatchObject(fault);
    expect(await accept(reply._id, reader.token, nothing)).toMatchObject(postNotFound);
    expect(await accept(reply._id, reader.token)).toMatchObject(onlyAuthor);
    expect(await accept(nothing, reader.token)).toMatchObject(onlyAuthor);
    expect(await accept(nothing)).toMatchObject(replyNotFound);
    expect(await accept(reply._id, author.token, elsewhere._id)).toMatchObject(replyNotFound);
    expect((await shown()).isResolved).toBe(false);
  });
});

describe("changing a reply", () => {
  test("its author edits it, which shows", async () => {
    const reply = await writeReply(server, reader, post._id);
    const edit = (body: unknown) => server.patch(`${path}/replies/${reply._id}`, body, reader.token);
    const { body } = await edit({ content: " Better " });
    expect(body.reply).toEqual({ ...reply, content: "Better", editedAt: expect.stringMatching(/Z$/) });
    expect((await shown(reader.token)).replies[0]).toEqual(body.reply);
    expect(await edit({ content: " " })).toMatchObject(required);
    expect(await edit({ content: "x".repeat(3001) })).toMatchObject(invalid);
  });

  test("its author deletes it with its votes; an accepted one leaves the post open", async () => {
    const reply = await writeReply(server, reader, post._id);
    const kept = await writeReply(server, reader, post._id, "kept");
    await server.post(`${path}/replies/${reply._id}/upvote`, {}, author.token);
    await server.patch(`${path}/replies/${reply._id}/accept`, {}, author.token);
    const other = await writeReply(server, reader, post._id);
    await server.delete(`${path}/replies/${other._id}`, reader.token);
    const stillAccepted = [{ _id: reply._id, isAcceptedAnswer: true }, kept];
    expect(await shown(reader.token)).toMatchObject({ isResolved: true, replies: stillAccepted });
    expect((await server.delete(`${path}/replies/${reply._id}`, reader.token)).body).toEqual({ success: true });
    expect(await shown(reader.token)).toMatchObject({ replyCount: 1, isResolved: false, replies: [kept] });
    expect(await server.deps.db.Vote.countDocuments({ targetId: reply._id })).toBe(0);
    expect(await server.delete(`${path}/replies/${reply._id}`, reader.token)).toMatchObject(replyNotFound);
  });

  test("no other user may, and refusals come in order", async () => {
    const reply = await writeReply(server, reader, post._id);
    const elsewhere = await writePost(server, author);
    for (const method of ["PATCH", "DELETE"]) {
      const { token } = author;
      const call = (postId: string, replyId: string) =>
        server.call(method, `/api/community/posts/${postId}/replies/${replyId}`, { token, body: { content: "x" } });
      expect(await call(post._id, "zzz")).toMatchObject(fault);
      expect(await call(nothing, reply._id)).toMatchObject(postNotFound);
      expect(await call(elsewhere._id, reply._id)).toMatchObject(replyNotFound);
      expect(await call(post._id, nothing)).toMatchObject(replyNotFound);
      expect(await call(post._id, reply._id)).toMatchObject(refusal(403, "Not authorized"));
    }
    expect((await shown(reader.token)).replies).toEqual([reply]);
  });
});
