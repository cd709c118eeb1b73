import { beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../assertions/refusal.js";
import { officialGroup, recountPosts, removePosts } from "../../factories/posts.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "lists all posts" });
let author: SignedIn;
beforeEach(async () => {
  await removePosts(server);
  author = await server.signedIn("student", "Asha Rao");
});

const nothing = "665f1c2ab7e4d90012ab34cd";
const invalid = refusal(400, "Invalid request data");
const none = { success: true, posts: [], total: 0, hasMore: false };
const titlesOf = (answer: { body: any }): string[] => answer.body.posts.map(({ title }: any) => title);
const groupId = (slug?: string) => officialGroup(server, slug);

describe("GET /posts", () => {
  let web: string;
  let design: string;
  /** Oldest first: One (web, 1 vote), Two (design, 3 votes), Three (none), Four (web, 3 votes). */
  beforeEach(async () => {
    web = await groupId();
    design = await groupId("ui-ux-design");
    const base = { authorId: author.id, authorName: "Asha" };
    await server.deps.db.CommunityPost.create(
      { ...base, title: "One", content: "about C++", groupId: web, upvoteCount: 1, createdAt: new Date(1_000) },
      { ...base, title: "Two", content: "(a+b)*", groupId: design, upvoteCount: 3, createdAt: new Date(2_000) },
      { ...base, title: "Three ÄRGER", content: "50% off_", upvoteCount: 0, createdAt: new Date(3_000) },
      { ...base, title: "Four", content: "nul\0inside", groupId: web, upvoteCount: 3, createdAt: new Date(4_000) },
    );
    await recountPosts(server);
  });
  const list = (query = "", token?: string) => server.get(`/api/community/posts${query}`, token);

  test("shows everything newest first, with exactly the documented fields and its group", async () => {
    const answer = await list();
    expect(Object.keys(answer.body).sort()).toEqual(["hasMore", "posts", "success", "total"]);
    expect(answer.body).toMatchObject({ hasMore: false, total: 4 });
    expect(titlesOf(answer)).toEqual(["Four", "Three ÄRGER", "Two", "One"]);
    const [four, three] = answer.body.posts;
    expect(Object.keys(four).sort()).toEqual(
      [
        ...["_id", "authorName", "authorImage", "title", "content", "tags", "replyCount", "isResolved", "isAuthor"],
        ...["group", "upvoteCount", "isUpvoted", "createdAt", "updatedAt"],
      ].sort(),
    );
    expect(four.group).toEqual({ _id: web, name: "Web Development", slug: "web-development", icon: "🌐" });
    expect(three.group).toBeNull();
    expect(four.isAuthor).toBe(false);
    expect((await list("", author.token)).body.posts.every(({ isAuthor }: any) => isAuthor)).toBe(true);
  });

  test("the order of posts of the same moment is by id, newest first", async () => {
    const { CommunityPost } = server.deps.db;
    await CommunityPost.updateMany({}, { createdAt: new Date(5_000) }, { timestamps: false });
    const ids = (await list()).body.posts.map(({ _id }: any) => _id);
    expect(ids).toEqual([...ids].sort().reverse());
    const oldest = (await list("?sort=oldest")).body.posts.map(({ _id }: any) => _id);
    expect(oldest).toEqual([...ids].reverse());
  });

  test("knows tabs, groups and orders", async () => {
    expect(titlesOf(await list("?tab=trending"))).toEqual(["Four", "Two", "One", "Three ÄRGER"]);
    expect(titlesOf(await list("?sort=upvotes"))).toEqual(["Four", "Two", "One", "Three ÄRGER"]);
    expect(titlesOf(await list("?sort=oldest&tab=trending"))).toEqual(["One", "Two", "Three ÄRGER", "Four"]);
    expect(titlesOf(await list("?sort=newest&tab=all&page=1"))).toEqual(["Four", "Three ÄRGER", "Two", "One"]);
    expect(titlesOf(await list(`?groupId=${web}`))).toEqual(["Four", "One"]);
    expect(titlesOf(await list(`?groupId=${web}&tab=trending&sort=oldest`))).toEqual(["One", "Four"]);
    expect(titlesOf(await list(`?groupId=${web}&tab=trending`))).toEqual(["Four", "One"]);
    for (const id of [nothing, "nonsense", "", "[object Object]"]) {
      expect((await list(`?groupId=${id}`)).body).toEqual(none);
      expect((await list(`?groupId=${id}&limit=5`)).body).toEqual(none);
    }
  });

  test("myGroups is all for anonymous callers, nothing for members of nothing, and gives way to groupId", async () => {
    const member = await server.signedIn();
    expect(titlesOf(await list("?tab=myGroups"))).toHaveLength(4);
    expect((await list("?tab=myGroups", member.token)).body).toEqual(none);
    for (const id of [web, design]) await server.post(`/api/community/groups/${id}/membership`, {}, member.token);
    expect(titlesOf(await list("?tab=myGroups", member.token))).toEqual(["Four", "Two", "One"]);
    await server.post(`/api/community/groups/${design}/membership`, {}, member.token);
    expect(titlesOf(await list("?tab=myGroups", member.token))).toEqual(["Four", "One"]);
    expect(titlesOf(await list(`?tab=myGroups&groupId=${design}`, member.token))).toEqual(["Two"]);
    expect((await list("?tab=myGroups&limit=1", member.token)).body).toMatchObject({ total: 2, hasMore: true });
  });

  test("looks for texts literally, whatever their case, in titles and contents", async () => {
    const find = async (q: string) => titlesOf(await list(`?q=${encodeURIComponent(q)}`));
    expect(await find("c++")).toEqual(["One"]);
    expect(await find("(A+B)*")).toEqual(["Two"]);
    expect(await find("tWo")).toEqual(["Two"]);
    expect(await find("ärger")).toEqual(["Three ÄRGER"]);
    expect(await find("50% off_")).toEqual(["Three ÄRGER"]);
    expect(await find("l\0i")).toEqual(["Four"]);
    for (const q of [".*", "^One$", "[OT]", "\\w", "One|Two"]) expect(await find(q)).toEqual([]);
    expect(await find("")).toHaveLength(4);
    expect(titlesOf(await list(`?q=o&groupId=${web}&sort=oldest&limit=1`))).toEqual(["One"]);
    expect(await list(`?q=${"x".repeat(200)}`)).toMatchObject({ status: 200 });
  });

  test("pages only when asked to, with exact totals", async () => {
    expect((await list("?limit=3")).body).toMatchObject({ total: 4, hasMore: true });
    expect(titlesOf(await list("?limit=3"))).toEqual(["Four", "Three ÄRGER", "Two"]);
    const second = await list("?limit=3&page=2");
    expect(titlesOf(second)).toEqual(["One"]);
    expect(second.body).toMatchObject({ total: 4, hasMore: false });
    expect((await list("?limit=2&page=2")).body.hasMore).toBe(false);
    expect((await list("?limit=4")).body.hasMore).toBe(false);
    expect((await list("?limit=100&page=3")).body).toEqual({ success: true, posts: [], total: 4, hasMore: false });
    for (const page of ["1", "7", "0", "-1", "junk", ""]) {
      expect((await list(`?page=${page}`)).body).toMatchObject({ total: 4, hasMore: false });
      expect(titlesOf(await list(`?page=${page}`))).toHaveLength(4);
    }
  });

  test("refuses values that no rule names", async () => {
    for (const query of [
      ...["tab=mine", "tab=", "tab=all&tab=trending", "sort=top", "sort=", `q=${"x".repeat(201)}`, "q=a&q=b"],
      "groupId=a&groupId=b",
      ...["0", "-1", "1.5", "", "1&page=2"].map((page) => `limit=5&page=${page}`),
    ]) {
      expect(await list(`?${query}`), query).toMatchObject(invalid);
    }
  });
});
