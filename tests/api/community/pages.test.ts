import { Types } from "mongoose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandsDuring, effortOf } from "../../assertions/commands.js";
import { discrepancies } from "../../assertions/community-recount.js";
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
    server = await startTestServer({ watchCommands: true });
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
  test.each(
    scopes.flatMap((scope) => ["", "&sort=newest", "&sort=oldest", "&sort=upvotes"].map((sort) => scope + sort)),
  )("of %s join to the complete list, each with its total", async (query) => {
    const asked = query.replace("GROUP", joined[0] ?? "");
    const whole = await list(asked);
    const { ids, said } = await leafThrough(asked, 4);
    expect(ids).toEqual(idsOf(whole));
    expect(said.length).toBe(Math.ceil(ids.length / 4));
    expect(new Set(said.map(({ total }) => total))).toEqual(new Set([whole.body.total]));
  });

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

  test("of a member of more groups than are asked for one by one join to the complete list too", async () => {
    await addPosts(server, 90, await joinGroups(43));
    const whole = await list("tab=myGroups");
    expect((await leafThrough("tab=myGroups", 25)).ids).toEqual(idsOf(whole));
    expect((await leafThrough("tab=myGroups&sort=upvotes", 25)).ids).toEqual(
      idsOf(await list("tab=myGroups&sort=upvotes")),
    );
  });

  test("of a member of more groups than one query names join to the complete list, and no query names them all", {
    timeout: 90_000,
  }, async () => {
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
    const commands = await commandsDuring(server, async () => {
      await list("tab=myGroups");
      await list("tab=myGroups&q=none&limit=5&page=2");
    });
    const lists = JSON.stringify(commands).match(/"\$in":\[[^\]]*\]/g) ?? [];
    const lengths = lists.map((text) => text.split(",").length);
    expect(Math.max(...lengths)).toBeGreaterThan(900);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_000);
  });

  test("of a member of more groups than are held at a time join to the complete list, which is that of fewer groups", {
    timeout: 90_000,
  }, async () => {
    const reader = await server.signedIn();
    const asked = (query: string) => server.get(`/api/community/posts?tab=myGroups${query}`, reader.token);
    const { CommunityGroup, GroupMembership } = server.deps.db;
    const inGroups = (await CommunityGroup.find({}, { _id: 1 }).limit(40).lean()).map(({ _id }) => _id);
    const join = (groupIds: unknown[]) =>
      GroupMembership.insertMany(groupIds.map((groupId) => ({ userId: reader.id, groupId })));
    await join(inGroups);
    const queries = ["", "&sort=upvotes", "&sort=oldest", "&q=post+1", "&q=nothing+like+it"];
    const pages = ["", "&limit=7", "&limit=7&page=2", "&limit=100&page=9"];
    const replies = async () => {
      const found = [];
      for (const query of queries) for (const page of pages) found.push((await asked(query + page)).body);
      return found;
    };
    const ofFew = await replies();
    const empty = Array.from({ length: 2_000 }, () => new Types.ObjectId());
    const named = (_id: Types.ObjectId) => ({ _id, name: `${_id}`, nameKey: `${_id}`, slug: `${_id}` });
    await CommunityGroup.insertMany(empty.map((_id) => ({ ...named(_id), icon: "x", createdBy: "user_x" })));
    await join(empty);
    expect(await replies()).toEqual(ofFew);
    expect(ofFew[0].total).toBeGreaterThan(0);
    const reads = (await commandsDuring(server, () => asked("&limit=7"))).filter((command) => "find" in command);
    expect(JSON.stringify(reads.filter(({ find }) => find === "communityposts"))).not.toContain("$in");
  });
});

test("pages join to the complete list however posts were written, upvoted and removed since they were read last", async () => {
  const server = await startTestServer();
  const { CommunityPost: Posts } = server.deps.db;
  const groupId = await addGroup(server);
  const changes = [
    () => addPosts(server, 7, [groupId, null]),
    () => Posts.deleteMany({ createdAt: { $lte: new Date(2_000) } }),
    () => Posts.updateMany({ createdAt: new Date(5_000) }, { $inc: { upvoteCount: 3 } }),
    () => Posts.deleteMany({ createdAt: { $gte: new Date(9_000) } }),
    () => Posts.deleteMany({ upvoteCount: { $gte: 3 } }),
    () => addPosts(server, 15, [null, groupId]),
    () => Posts.updateMany({ upvoteCount: 1 }, { $inc: { upvoteCount: -1 } }),
    () => Posts.deleteMany({ groupId }),
  ];
  await addPosts(server, 40, [groupId, null]);
  for (const change of [() => undefined, ...changes]) {
    await change();
    await recountPosts(server);
    for (const query of ["sort=newest", "sort=oldest", "sort=upvotes", `sort=upvotes&groupId=${groupId}`]) {
      const whole = await server.get(`/api/community/posts?${query}`);
      const pages = Math.ceil(whole.body.total / 4) + 1;
      const ids: string[] = [];
      for (let page = 1; page <= pages; page++) {
        ids.push(...idsOf(await server.get(`/api/community/posts?${query}&limit=4&page=${page}`)));
      }
      expect(ids).toEqual(idsOf(whole));
    }
  }
});

describe("the total of posts", () => {
  test("follows posts that are written and deleted at once, on two instances", async () => {
    const server = await startTestServer();
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
    const server = await startTestServer();
    const author = await server.signedIn();
    await Promise.all([1, 2, 3].map(() => writePost(server, author)));
    await Promise.all([server.another(), server.another()]);
    expect((await server.get("/api/community/posts?limit=1")).body.total).toBe(3);
    expect(await discrepancies(server)).toEqual([]);
  });
});

describe("however many posts there are", () => {
  /** What the total of all posts is read from. */
  const counters = ["aggregate ungroupedposts"];
  const unit = 60;
  const limit = 5;
  let servers: { server: TestServer; member: SignedIn; group: string }[];
  beforeAll(async () => {
    servers = [];
    for (const size of [unit, 50 * unit]) {
      const server = await startTestServer({ watchCommands: true });
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

  test.each(queries)(
    "a page of %s costs the same commands and documents, all found in the order of an index",
    async (query) => {
      const [once, fifty] = await ask(query);
      expect(fifty).toEqual(once);
      expect(once).toMatchObject({ scans: [], sorts: [] });
      // Three groups of a member: a page's worth of order keys from each, then the page.
      // Of all posts: the counters of three groups, where the index alone does not tell. Then the groups that are shown.
      const most = query.includes("myGroups") ? 3 * (limit + 1) + limit + 4 * 3 : limit + 1 + 1 + 3 + 3;
      if (!Number.isNaN(once?.documents)) expect(once?.documents).toBeLessThanOrEqual(most);
      expect(once?.commands).toHaveLength(query.includes("myGroups") ? 9 : query.includes("groupId") ? 5 : 4);
    },
  );

  test.each(queries)(
    "a later page of %s costs one command more, and the documents of its place in the list",
    async (query) => {
      const [once, fifty] = await ask(`${query}&page=2`);
      expect(fifty).toEqual(once);
      expect(once).toMatchObject({ scans: [], sorts: [] });
      expect(once?.commands).toHaveLength(query.includes("myGroups") ? 9 : query.includes("groupId") ? 6 : 5);
    },
  );

  test("a text is looked for in the order of an index, and once more in every post for the total", async () => {
    const efforts = await ask("q=others");
    for (const { scans, sorts, commands } of efforts) {
      expect(sorts).toEqual([]);
      expect(scans.filter((name) => name !== "aggregate communityposts")).toEqual([]);
      expect(commands.filter((name) => name.endsWith("communityposts"))).toEqual([
        "find communityposts",
        "aggregate communityposts",
      ]);
    }
  });

  test("a page beyond the last one looks at no posts", async () => {
    const { server } = at(1);
    const commands = await commandsDuring(server, () => server.get(`/api/community/posts?limit=5&page=${10 ** 6}`));
    expect((await effortOf(server, commands)).commands.sort()).toEqual(counters);
  });

  test("a text that fits on the page is looked for once", async () => {
    const { server } = at(0);
    const commands = await commandsDuring(server, async () => {
      const { body } = await server.get("/api/community/posts?limit=5&q=post+7");
      expect(body).toMatchObject({ total: 1, hasMore: false });
    });
    expect((await effortOf(server, commands)).commands).toEqual(["find communityposts"]);
  });

  test("searches leave most database connections to others", async () => {
    const { server } = at(1);
    const client = server.deps.database.getClient();
    const underWay = new Set<number>();
    let most = 0;
    client.on("commandStarted", ({ requestId, command }) => {
      if (command.find === "communityposts") underWay.add(requestId);
      most = Math.max(most, underWay.size);
    });
    client.on("commandSucceeded", ({ requestId }) => underWay.delete(requestId));
    const found = await Promise.all(
      Array.from({ length: 30 }, (_, i) => server.get(`/api/community/posts?limit=1&q=post+${i}`)),
    );
    expect(found.every(({ body }) => body.posts.length === 1)).toBe(true);
    expect(most).toBeLessThanOrEqual(4);
  });
});

test("a page far into the posts of several groups is the same part of the whole list, and holds no keys of all before it", async () => {
  const server = await startTestServer({ watchCommands: true });
  const member = await server.signedIn();
  const groupIds = [await addGroup(server, member), await addGroup(server, member), await addGroup(server)];
  await addPosts(server, 1_200, groupIds);
  const list = (query: string) => server.get(`/api/community/posts?tab=myGroups${query}`, member.token);
  const whole = idsOf(await list(""));
  expect(whole).toHaveLength(800);
  for (const page of [10, 11, 13, 16, 17]) {
    let shown: Awaited<ReturnType<typeof list>> | undefined;
    const commands = await commandsDuring(server, async () => {
      shown = await list(`&limit=50&page=${page}`);
    });
    expect(shown && idsOf(shown), `page ${page}`).toEqual(whole.slice(50 * (page - 1), 50 * page));
    expect(shown?.body).toMatchObject({ total: 800, hasMore: page < 16 });
    const limits = commands.flatMap(({ find, limit }) => (find === "communityposts" ? [limit ?? 0] : []));
    expect(Math.max(...limits)).toBeLessThanOrEqual(551);
  }
});
