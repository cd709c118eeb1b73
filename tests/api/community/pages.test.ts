import { Types } from "mongoose";
import { expect, test } from "vitest";
import { commandsDuring, effortOf } from "../../assertions/commands.js";
import { officialGroup, recountPosts, writePost } from "../../factories/posts.js";
import { insertRows } from "../../factories/stored-sales.js";
import { startTestServer } from "../../server/test-server.js";

/* Pages of posts: they join to the complete list, and each is found by index. */

const server = await startTestServer({ own: "lists all posts" });
const { CommunityGroup, CommunityPost, GroupMembership } = server.deps.db;
const member = await server.signedIn();
const joined = await addGroups(3);
await addPosts([...joined, null, new Types.ObjectId(await officialGroup(server))]);

/** Stores groups with the member. */
async function addGroups(count: number): Promise<Types.ObjectId[]> {
  const groups = Array.from({ length: count }, (_, n) => {
    const name = `${count}-${n}`;
    return { _id: new Types.ObjectId(), name, nameKey: name, slug: name, icon: "x", createdBy: "system" };
  });
  await insertRows(CommunityGroup, groups);
  await insertRows(
    GroupMembership,
    groups.map(({ _id }) => ({ userId: member.id, groupId: _id })),
  );
  return groups.map(({ _id }) => _id);
}

/** Distributes 60 posts over groups (`null`: none) with few different times and votes, so that every order has ties. */
async function addPosts(groupIds: readonly (Types.ObjectId | null | undefined)[]): Promise<void> {
  const posts = Array.from({ length: 60 }, (_, i) => ({
    ...{ authorId: "user_x", authorName: "X", title: `Post ${i}`, content: "As others say." },
    ...{ groupId: groupIds[i % groupIds.length], upvoteCount: (i * 7) % 4 },
    createdAt: new Date(((i * 5) % 11) * 1_000),
  }));
  await CommunityPost.insertMany(posts);
  await recountPosts(server);
}

const idsOf = ({ body }: { body: any }): string[] => body.posts.map(({ _id }: any) => _id);
const list = (query: string) => server.get(`/api/community/posts?${query}`, member.token);

async function expectPagesOfWhole(query: string, limit: number): Promise<void> {
  const whole = await list(query);
  const ids: string[] = [];
  for (let page = 1; page <= Math.ceil(whole.body.total / limit); page++) {
    const answer = await list(`${query}&limit=${limit}&page=${page}`);
    ids.push(...idsOf(answer));
    const hasMore = page * limit < whole.body.total;
    expect(answer.body).toMatchObject({ total: whole.body.total, hasMore });
  }
  expect(ids.length).toBeGreaterThan(10);
  expect(ids).toEqual(idsOf(whole));
}

const scopes = ["tab=all", "tab=myGroups", "tab=trending", "groupId=GROUP", "tab=trending&groupId=GROUP", "q=post+1"];
test.each(scopes.flatMap((scope) => ["", "&sort=oldest", "&sort=upvotes"].map((sort) => scope + sort)))(
  "pages of %s join to the complete list, each with its total, and are found by index",
  async (query) => {
    const asked = query.replace("GROUP", String(joined[0]));
    await expectPagesOfWhole(asked, 7);
    const effort = await effortOf(server, await commandsDuring(server, () => list(`${asked}&limit=7&page=2`)));
    expect(effort.commands.length).toBeLessThanOrEqual(5);
    expect(effort.commands.filter((name) => name.endsWith("communityposts")).length).toBeLessThanOrEqual(2);
    if (!query.startsWith("q=")) expect(effort.scans).toEqual([]);
    // The groups of a member together have no index in the order of the list.
    if (!query.includes("myGroups")) expect(effort.sorts).toEqual([]);
  },
);

test("pages beyond the last one are empty, with the total, however far, and read no posts", async () => {
  for (const query of ["tab=all", "tab=myGroups", "q=post"]) {
    const { total } = (await list(query)).body;
    for (const page of [16, 17, 2 ** 40, "9".repeat(30)]) {
      const { body } = await list(`${query}&limit=4&page=${page}`);
      expect(body).toEqual({ success: true, posts: [], total, hasMore: false });
    }
  }
  const commands = await commandsDuring(server, () => list("limit=5&page=1000000"));
  expect(commands.filter(({ find }) => find === "communityposts")).toEqual([]);
});

test("pages of a member of many groups join to the complete list, in as many commands as of few groups", async () => {
  const listed = () => commandsDuring(server, () => list("tab=myGroups&limit=5"));
  const few = await listed();
  const groups = await addGroups(300);
  await addPosts([0, 150, 299].map((place) => groups[place]));
  for (const query of ["tab=myGroups", "tab=myGroups&sort=upvotes", "tab=myGroups&q=post+1"]) {
    await expectPagesOfWhole(query, 100);
  }
  expect(await listed()).toHaveLength(few.length);
});

test("the total of posts is not set back by further instances that start", async () => {
  const { total } = (await list("limit=1")).body;
  await writePost(server, member);
  await Promise.all([server.another(), server.another()]);
  expect((await list("limit=1")).body.total).toBe(total + 1);
});
