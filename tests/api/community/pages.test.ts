import { Types } from "mongoose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandsDuring, effortOf } from "../../assertions/commands.js";
import { discrepancies } from "../../assertions/recount.js";
import { recountPosts, writePost } from "../../factories/posts.js";
import { insertRows } from "../../factories/stored-sales.js";
import { type SignedIn, startTestServer, type TestServer } from "../../server/test-server.js";

/* Pages of posts: they join to the complete list, and cost the same however many posts there are. */

/** Distributes posts over groups (`null`: none) with few different times and votes, so that every order has ties. */
async function addPosts(server: TestServer, count: number, groupIds: readonly (string | null)[]): Promise<void> {
  const posts = Array.from({ length: count }, (_, i) => ({
    ...{ authorId: "user_x", authorName: "X", title: `Post ${i}`, content: "As others say." },
    ...{
      groupId: groupIds[i % groupIds.length],
      upvoteCount: (i * 7) % 4,
      createdAt: new Date(((i * 5) % 11) * 1_000),
    },
  }));
  await server.deps.db.CommunityPost.insertMany(posts);
  await recountPosts(server);
}

async function addGroup(server: TestServer, member?: SignedIn): Promise<string> {
  const owner = await server.signedIn();
  const { body } = await server.post("/api/community/groups", { name: `G ${new Types.ObjectId()}` }, owner.token);
  if (member) await server.post(`/api/community/groups/${body.group._id}/membership`, {}, member.token);
  return body.group._id;
}

const idsOf = ({ body }: { body: any }): string[] => body.posts.map(({ _id }: any) => _id);

describe("pages", () => {
  let server: TestServer;
  let member: SignedIn;
  let joined: string[];
  beforeAll(async () => {
    server = await startTestServer({ own: "recounts all rows" });
    member = await server.signedIn();
    joined = [await addGroup(server, member), await addGroup(server, member), await addGroup(server, member)];
    await addPosts(server, 60, [...joined, null, await addGroup(server)]);
  });
  afterAll(() => server.close());

  const list = (query: string) => server.get(`/api/community/posts?${query}`, member.token);

  /** Every page, and what each says of the whole. */
  async function leafThrough(query: string, limit: number) {
    const ids: string[] = [];
    const said: { total: number; hasMore: boolean }[] = [];
    for (let page = 1; said.at(-1)?.hasMore ?? true; page++) {
      const answer = await list(`${query}&limit=${limit}&page=${page}`);
      ids.push(...idsOf(answer));
      said.push({ total: answer.body.total, hasMore: answer.body.hasMore });
    }
    return { ids, said };
  }

  const scopes = ["tab=all", "tab=myGroups", "tab=trending", "groupId=GROUP", "tab=trending&groupId=GROUP", "q=post+1"];
  test.each(scopes.flatMap((scope) => ["", "&sort=oldest", "&sort=upvotes"].map((sort) => scope + sort)))(
    "of %s join to the complete list, each with its total",
    async (query) => {
      const asked = query.replace("GROUP", joined[0] ?? "");
      const whole = await list(asked);
      const { ids, said } = await leafThrough(asked, 4);
      expect(ids).toEqual(idsOf(whole));
      expect(said.length).toBe(Math.ceil(ids.length / 4));
      expect(new Set(said.map(({ total }) => total))).toEqual(new Set([whole.body.total]));
    },
  );

  test("beyond the last one are empty, with the total, however far", async () => {
    for (const query of ["tab=all", "tab=myGroups", "q=post"]) {
      const { total } = (await list(query)).body;
      for (const page of [16, 17, 2 ** 40, "9".repeat(30)]) {
        expect((await list(`${query}&limit=4&page=${page}`)).body).toEqual({
          success: true,
          posts: [],
          total,
          hasMore: false,
        });
      }
    }
  });

  /** Further groups with the member, past the API. @returns their ids. */
  async function joinGroups(count: number): Promise<string[]> {
    const { CommunityGroup, GroupMembership } = server.deps.db;
    const groups = Array.from({ length: count }, (_, n) => {
      const name = `${count}-${n}`;
      return { _id: new Types.ObjectId(), name, nameKey: name, slug: name, icon: "x", createdBy: "system" };
    });
    await insertRows(CommunityGroup, groups);
    await insertRows(
      GroupMembership,
      groups.map(({ _id }) => ({ userId: member.id, groupId: _id })),
    );
    return groups.map(({ _id }) => String(_id));
  }

  test("of a member of very many groups join to the complete list, in as many commands as of few groups", {
    timeout: 90_000,
  }, async () => {
    const listed = () => commandsDuring(server, () => list("tab=myGroups&limit=5"));
    const few = await listed();
    const groups = await joinGroups(1_100);
    await addPosts(
      server,
      60,
      [0, 500, 1_099].map((place) => groups[place] ?? null),
    );
    for (const query of ["tab=myGroups", "tab=myGroups&sort=upvotes", "tab=myGroups&q=post+1"]) {
      const whole = await list(query);
      expect(whole.body.total).toBeGreaterThan(10);
      const { ids, said } = await leafThrough(query, 100);
      expect(ids).toEqual(idsOf(whole));
      expect(new Set(said.map(({ total }) => total))).toEqual(new Set([whole.body.total]));
    }
    expect(await listed()).toHaveLength(few.length);
  });
});

describe("the total of posts", () => {
  test("follows posts that are written and deleted at once, on two instances", async () => {
    const server = await startTestServer({ own: "recounts all rows" });
    const other = await server.another();
    const groupId = await addGroup(server);
    const users = await Promise.all(Array.from({ length: 20 }, () => server.signedIn()));
    const either = (i: number) => (i % 2 === 0 ? server : other);
    const write = (i: number) => writePost(either(i), users[i] as SignedIn, i % 3 === 0 ? { groupId } : {});
    const posts = await Promise.all(users.map((_, i) => write(i)));
    const remove = (i: number) => either(i + 1).delete(`/api/community/posts/${posts[i]._id}`, users[i]?.token);
    await Promise.all([...users.map((_, i) => remove(i)), ...users.map((_, i) => write(i))]);
    expect((await other.get("/api/community/posts?limit=1")).body).toMatchObject({ total: 20, hasMore: true });
    expect(await discrepancies(server)).toEqual([]);
  });

  test("is not set back by further instances that start", async () => {
    const server = await startTestServer({ own: "recounts all rows" });
    const author = await server.signedIn();
    await Promise.all([1, 2, 3].map(() => writePost(server, author)));
    await Promise.all([server.another(), server.another()]);
    expect((await server.get("/api/community/posts?limit=1")).body.total).toBe(3);
    expect(await discrepancies(server)).toEqual([]);
  });
});

describe("however many posts there are", () => {
  const unit = 60;
  const limit = 5;
  let servers: { server: TestServer; member: SignedIn; group: string }[];
  beforeAll(async () => {
    servers = [];
    for (const size of [unit, 50 * unit]) {
      const server = await startTestServer({ own: "recounts all rows" });
      const member = await server.signedIn();
      const joined = [await addGroup(server, member), await addGroup(server, member), await addGroup(server, member)];
      await addPosts(server, size, [...joined, null]);
      servers.push({ server, member, group: joined[0] ?? "" });
    }
  });
  afterAll(async () => {
    for (const { server } of servers) await server.close();
  });

  const at = (place: number) => {
    const found = servers[place];
    if (!found) throw new Error("no such server");
    return found;
  };
  const ask = async (query: string) => {
    const efforts = [];
    for (const { server, member, group } of servers) {
      const path = `/api/community/posts?limit=${limit}&${query.replace("GROUP", group)}`;
      const commands = await commandsDuring(server, async () => {
        const { status, body } = await server.get(path, member.token);
        expect({ status, posts: body.posts.length, hasMore: body.hasMore }).toEqual({
          status: 200,
          posts: limit,
          hasMore: true,
        });
      });
      efforts.push(await effortOf(server, commands));
    }
    return efforts;
  };
  const scopes = ["tab=all", "groupId=GROUP", "tab=trending", "tab=trending&groupId=GROUP", "tab=myGroups"];
  const queries = scopes.flatMap((scope) => ["", "&sort=oldest", "&sort=upvotes"].map((sort) => scope + sort));

  test.each(queries)("the first two pages of %s cost the same, all found by index", async (query) => {
    for (const page of [1, 2]) {
      const [once, fifty] = await ask(`${query}&page=${page}`);
      expect(fifty?.commands).toEqual(once?.commands);
      expect([once?.scans, fifty?.scans]).toEqual([[], []]);
      expect(once?.commands.length).toBeLessThanOrEqual(5);
      // The groups of a member together have no index in the order of the list.
      if (query.includes("myGroups")) continue;
      expect([once?.sorts, fifty?.sorts]).toEqual([[], []]);
      expect(fifty?.documents).toEqual(once?.documents);
    }
  });

  test("a search reads posts at most twice", async () => {
    for (const { sorts, commands } of await ask("q=others")) {
      expect(sorts).toEqual([]);
      expect(commands.filter((name) => name.endsWith("communityposts")).length).toBeLessThanOrEqual(2);
    }
  });

  test("a page beyond the last one reads no posts", async () => {
    const { server } = at(1);
    const commands = await commandsDuring(server, () => server.get(`/api/community/posts?limit=5&page=${10 ** 6}`));
    expect(commands.filter(({ find }) => find === "communityposts")).toEqual([]);
  });
});
