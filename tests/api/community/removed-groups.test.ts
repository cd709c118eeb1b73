import { Types } from "mongoose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { discrepancies } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { officialGroup, recountPosts, writePost } from "../../factories/posts.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const other = await server.another();
const { db } = server.deps;
let admin: SignedIn;
let author: SignedIn;
let group: any;
beforeEach(async () => {
  admin = await server.signedIn("admin");
  author = await server.signedIn();
  group = (await server.post("/api/community/groups", { name: `G ${new Types.ObjectId()}` }, author.token)).body.group;
});
afterEach(async () => {
  expect(await discrepancies(server)).toEqual([]);
});

const remove = () => server.delete(`/api/admin/groups/${group._id}`, admin.token);
const posts = async (query: string, token?: string) => (await other.get(`/api/community/posts${query}`, token)).body;
const listed = async () => (await other.get("/api/community/groups")).body.groups.map(({ _id }: any) => _id);
const unlink = () => runJob(server, "unlink-removed-groups");

describe("DELETE /api/admin/groups/:id", () => {
  test("removes the group for everybody at once; its posts stay without a group, its memberships go", async () => {
    const post = await writePost(server, author, { groupId: group._id, title: "Stays" });
    const before = (await posts("?limit=1")).total;
    expect((await posts("?tab=myGroups", author.token)).posts).toHaveLength(1);
    expect((await other.get(`/api/community/posts/${post._id}`)).body.post.group._id).toBe(group._id);
    expect(await remove()).toMatchObject({ status: 200, body: { success: true } });
    expect(await listed()).not.toContain(group._id);
    for (const moment of ["at once", "when the links are gone"]) {
      expect([moment, (await other.get(`/api/community/posts/${post._id}`)).body.post.group]).toEqual([moment, null]);
      expect([moment, (await posts("?limit=1")).total]).toEqual([moment, before]);
      for (const query of [`?groupId=${group._id}`, "?tab=myGroups", `?groupId=${group._id}&q=stays`]) {
        for (const limit of ["", "&limit=5"]) {
          const token = author.token;
          expect([moment, await posts(query + limit, token)]).toMatchObject([moment, { posts: [], total: 0 }]);
        }
      }
      const all = (await posts("")).posts.find(({ _id }: any) => _id === post._id);
      expect([moment, all.group]).toEqual([moment, null]);
      await unlink();
    }
    expect(await db.GroupMembership.countDocuments({ groupId: group._id })).toBe(0);
    expect(await db.CommunityPost.countDocuments({ groupId: group._id })).toBe(0);
    expect(await db.RemovedGroup.countDocuments()).toBe(0);
  });

  test("is audited, and done once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        (i % 2 ? server : other).delete(`/api/admin/groups/${group._id}`, admin.token),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    expect(await remove()).toMatchObject(refusal(404, "Group not found"));
    expect(await db.AuditEntry.find({ actorId: admin.id }).lean()).toMatchObject([
      {
        ...{ action: "community.group.remove", targetKind: "community.group", targetId: group._id },
        before: { name: group.name, createdBy: author.id, memberCount: 1, postCount: 0 },
      },
    ]);
  });

  test("leaves the default groups, and faults at a malformed id", async () => {
    const path = `/api/admin/groups/${await officialGroup(server)}`;
    expect(await server.delete(path, admin.token)).toMatchObject(refusal(409, "Default groups stay"));
    expect(await server.delete("/api/admin/groups/zzz", admin.token)).toMatchObject(
      refusal(500, "An unexpected error occurred"),
    );
  });

  test("frees the name, and gives the creator no further place of the day", async () => {
    for (let i = 0; i < 4; i += 1) {
      await server.post("/api/community/groups", { name: `${author.id} ${i}` }, author.token);
    }
    await remove();
    const again = (token: string) => server.post("/api/community/groups", { name: group.name }, token);
    expect(await again(author.token)).toMatchObject(refusal(429, "Too many groups"));
    expect((await again((await server.signedIn()).token)).status).toBe(200);
  });

  test("a post of a removed group can be deleted before its link is gone", async () => {
    const post = await writePost(server, author, { groupId: group._id });
    await remove();
    expect((await server.delete(`/api/community/posts/${post._id}`, author.token)).status).toBe(200);
  });

  test("of a group with many posts and members writes few documents in its transaction", async () => {
    const groupId = new Types.ObjectId(group._id);
    const written = { authorId: author.id, authorName: "A", title: "T", content: "x", groupId };
    await db.CommunityPost.insertMany(Array.from({ length: 600 }, () => written));
    await db.GroupMembership.insertMany(Array.from({ length: 600 }, (_, i) => ({ userId: `user_${i}`, groupId })));
    await db.CommunityGroup.updateOne({ _id: groupId }, { memberCount: 601 });
    await recountPosts(server);
    const before = (await posts("?limit=1")).total;
    expect((await remove()).status).toBe(200);
    expect(await db.CommunityPost.countDocuments({ groupId })).toBe(600);
    expect((await posts("?limit=1")).total).toBe(before);
    // The job stops between two batches, as in a crash, and begins anew.
    const stop = new AbortController();
    stop.abort();
    await runJob(server, "unlink-removed-groups", stop.signal);
    expect(await db.RemovedGroup.countDocuments({ _id: groupId })).toBe(1);
    await unlink();
    expect(await db.CommunityPost.countDocuments({ groupId })).toBe(0);
    expect(await db.GroupMembership.countDocuments({ groupId })).toBe(0);
    expect((await posts("?limit=1")).total).toBe(before);
  });
});

test("posts and members that come and go while a group is removed are all counted", async () => {
  const users = await Promise.all(Array.from({ length: 6 }, () => server.signedIn()));
  const first = await Promise.all(users.map((user) => writePost(server, user, { groupId: group._id })));
  const body = { title: "x", content: "x", groupId: group._id };
  const answers = await Promise.all([
    ...users.map(({ token }) => server.post("/api/community/posts", body, token)),
    ...users.map(({ token }) => other.post(`/api/community/groups/${group._id}/membership`, {}, token)),
    ...users.map(({ token }, i) => other.delete(`/api/community/posts/${first[i]._id}`, token)),
    remove(),
  ]);
  expect(answers.filter(({ status }) => ![200, 404].includes(status))).toEqual([]);
  expect(answers.slice(12).map(({ status }) => status)).toEqual(Array(7).fill(200));
  await unlink();
  expect(await db.GroupMembership.countDocuments({ groupId: group._id })).toBe(0);
  expect(await db.CommunityPost.countDocuments({ groupId: group._id })).toBe(0);
});
