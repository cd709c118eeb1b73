import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { discrepancies } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "lists all reports" });
let admin: SignedIn;
let author: SignedIn;
let reporter: SignedIn;
let post: any;
let reply: any;
beforeEach(async () => {
  await server.deps.db.Report.deleteMany({});
  admin = await server.signedIn("admin", "Ada Min");
  author = await server.signedIn("student", "Asha Rao");
  reporter = await server.signedIn("student", "Ben Okoro");
  post = await writePost(server, author, { title: "Buy now" });
  reply = await writeReply(server, author, post._id, "Cheap!");
});
afterEach(async () => {
  expect(await discrepancies(server)).toEqual([]);
});

const nothing = "665f1c2ab7e4d90012ab34cd";
const fault = refusal(500, "An unexpected error occurred");
const postPath = () => `/api/community/posts/${post._id}`;
const replyPath = () => `${postPath()}/replies/${reply._id}`;
const report = (path: string, body: unknown = { reason: "spam" }, token: string | undefined = reporter.token) =>
  server.post(`${path}/report`, body, token);
const reports = async (query = "") =>
  (await server.get(`/api/admin/community/reports${query}`, admin.token)).body.reports;
const audited = () => server.deps.db.AuditEntry.find({ actorId: admin.id }).sort({ _id: 1 }).lean();

describe("reporting", () => {
  test("tells administrators what, why and by whom, newest first", async () => {
    expect((await report(postPath(), { reason: "  spam 🛒 " })).body).toEqual({ success: true });
    expect((await report(replyPath(), { reason: "rude" })).body).toEqual({ success: true });
    const [second, first] = await reports();
    expect(first).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      targetKind: "post",
      targetId: post._id,
      postId: post._id,
      reason: "spam 🛒",
      state: "open",
      reporter: { _id: reporter.id, name: "Ben Okoro", imageUrl: "https://img.example/a.png" },
      target: { authorId: author.id, authorName: "Asha Rao", title: "Buy now", content: "I wonder." },
      resolvedBy: null,
      resolvedAt: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(second).toMatchObject({
      targetKind: "reply",
      targetId: reply._id,
      postId: post._id,
      target: { title: null, content: "Cheap!" },
    });
  });

  test("is done once per user while it is open, however often and at once it is sent", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => report(postPath())));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await reports()).toHaveLength(1);
    await report(postPath(), { reason: "me too" }, author.token);
    await report(replyPath());
    expect(await reports()).toHaveLength(3);
    const [{ _id }] = (await reports()).filter(({ reporter: by, targetKind }: any) => {
      return by._id === reporter.id && targetKind === "post";
    });
    await server.post(`/api/admin/community/reports/${_id}/resolve`, {}, admin.token);
    await report(postPath(), { reason: "again" });
    expect(await reports("?state=open")).toHaveLength(3);
    expect(await reports("?state=resolved")).toHaveLength(1);
  });

  test("refuses in the community's order", async () => {
    for (const path of [postPath(), replyPath()]) {
      for (const reason of [undefined, "", " ", 5, null, { $gt: "" }, "x".repeat(501)]) {
        expect(await report(path, { reason })).toMatchObject(refusal(400, "Invalid request data"));
      }
      expect((await report(path, { reason: "😀".repeat(500) })).status).toBe(200);
    }
    expect(await report("/api/community/posts/zzz", {})).toMatchObject(refusal(400, "Invalid request data"));
    expect(await report("/api/community/posts/zzz")).toMatchObject(fault);
    expect(await report(`/api/community/posts/${nothing}`)).toMatchObject(refusal(404, "Post not found"));
    expect(await report(`${postPath()}/replies/zzz`)).toMatchObject(fault);
    expect(await report(`/api/community/posts/${nothing}/replies/${reply._id}`)).toMatchObject(
      refusal(404, "Post not found"),
    );
    expect(await report(`${postPath()}/replies/${nothing}`)).toMatchObject(refusal(404, "Reply not found"));
  });
});

describe("dealing with reports", () => {
  const resolve = (id: string) => server.post(`/api/admin/community/reports/${id}/resolve`, {}, admin.token);

  test("resolving is audited once, however often it is done", async () => {
    await report(postPath());
    const [{ _id }] = await reports();
    const answers = await Promise.all(Array.from({ length: 5 }, () => resolve(_id)));
    expect(answers.every(({ status, body }) => status === 200 && Object.keys(body).length === 1)).toBe(true);
    expect(await resolve("zzz")).toMatchObject(fault);
    expect(await resolve(nothing)).toMatchObject(refusal(404, "Report not found"));
    expect((await reports())[0]).toMatchObject({ state: "resolved", resolvedBy: admin.id });
    expect(await audited()).toMatchObject([
      { action: "community.report.resolve", targetKind: "community.report", targetId: _id },
    ]);
  });

  test("filters by state; an unknown one matches nothing", async () => {
    await report(postPath());
    await report(replyPath());
    await resolve((await reports())[0]._id);
    for (const [state, count] of Object.entries({ all: 2, open: 1, resolved: 1, closed: 0 })) {
      expect([state, (await reports(`?state=${state}`)).length]).toEqual([state, count]);
    }
    for (const query of ["state[$ne]=x", "state=a&state=b"]) {
      expect((await server.get(`/api/admin/community/reports?${query}`, admin.token)).status).toBe(400);
    }
  });
});

describe("removing", () => {
  const remove = (kind: string, id: string, token: string | undefined = admin.token) =>
    server.delete(`/api/admin/community/${kind}/${id}`, token);

  test("an administrator removes any user's post: audited, its reports resolved, nothing left", async () => {
    await report(postPath());
    await report(replyPath());
    await server.post(`${replyPath()}/upvote`, {}, reporter.token);
    expect((await remove("posts", post._id)).body).toEqual({ success: true });
    expect(await server.get(postPath())).toMatchObject(refusal(404, "Post not found"));
    expect(await audited()).toMatchObject([
      {
        action: "community.post.remove",
        targetKind: "community.post",
        targetId: post._id,
        before: { authorId: author.id },
        requestId: expect.any(String),
      },
    ]);
    const answered = { state: "resolved", resolvedBy: admin.id, target: null };
    expect(await reports()).toMatchObject([answered, answered]);
    expect(await remove("posts", post._id)).toMatchObject(refusal(404, "Post not found"));
    expect(await audited()).toHaveLength(1);
  });

  test("an administrator removes any user's reply; an accepted one leaves the post open", async () => {
    await report(replyPath());
    await server.patch(`${replyPath()}/accept`, {}, author.token);
    expect((await remove("replies", reply._id)).body).toEqual({ success: true });
    const shown = (await server.get(postPath())).body.post;
    expect(shown).toMatchObject({ replyCount: 0, replies: [], isResolved: false });
    expect(await audited()).toMatchObject([{ action: "community.reply.remove", targetId: reply._id }]);
    expect(await reports("?state=open")).toHaveLength(0);
    expect(await remove("replies", reply._id)).toMatchObject(refusal(404, "Reply not found"));
  });

  test("two administrators at once: one removes it, and the trail names that one", async () => {
    const second = await server.signedIn("admin");
    const answers = await Promise.all([remove("posts", post._id), remove("posts", post._id, second.token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const winner = answers[0]?.status === 200 ? admin : second;
    const entries = await server.deps.db.AuditEntry.find({ targetId: post._id }).lean();
    expect(entries.map(({ actorId }) => actorId)).toEqual([winner.id]);
  });

  test("faults at a malformed id, counts once against the administrators' limit, and is audited for them only", async () => {
    await server.delete(postPath(), author.token);
    expect(await server.deps.db.AuditEntry.countDocuments({ targetId: post._id })).toBe(0);
    for (const kind of ["posts", "replies"]) expect(await remove(kind, "zzz")).toMatchObject(fault);
    const left = async () => Number((await remove("posts", nothing)).headers.get("ratelimit-remaining"));
    const before = await left();
    expect(await left()).toBe(before - 1);
  });
});
