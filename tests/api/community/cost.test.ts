import { Types } from "mongoose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandsDuring, type Effort, effortOf } from "../../assertions/commands.js";
import { watchTransactions } from "../../assertions/in-transactions.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* What a request costs the database, in commands and documents, as the database itself explains it. */

const server = await startTestServer({ watchCommands: true });
const transactions = watchTransactions(server);
afterAll(() => {
  expect(transactions.escaped).toEqual([]);
});

interface Scene {
  author: SignedIn;
  group: string;
  post: string;
  reply: string;
}

/**
 * A group of `size` members and posts; one of these has `size` votes and replies, the first of which has `size` votes.
 */
async function scene(size: number): Promise<Scene> {
  const author = await server.signedIn();
  const { CommunityGroup, CommunityPost, CommunityReply, GroupMembership, Vote } = server.deps.db;
  const written = { authorId: author.id, authorName: author.name, content: "x" };
  const list = <T>(item: (i: number) => T) => Array.from({ length: size }, (_, i) => item(i));
  const [groupId, postId, replyId] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
  const key = `${groupId}`;
  const named = { name: key, nameKey: key, slug: key, icon: "x", createdBy: author.id };
  await CommunityGroup.create({ _id: groupId, ...named, memberCount: size, postCount: size });
  await GroupMembership.insertMany(list((i) => ({ userId: `user_${i}`, groupId })));
  const crowded = { upvoteCount: size, replyCount: size };
  await CommunityPost.insertMany(
    list((i) => ({ ...written, groupId, title: `T${i}`, ...(i === 0 ? { _id: postId, ...crowded } : {}) })),
  );
  await CommunityReply.insertMany(
    list((i) => ({ ...written, postId, ...(i === 0 ? { _id: replyId, upvoteCount: size } : {}) })),
  );
  const votes = (targetId: Types.ObjectId) => Vote.insertMany(list((i) => ({ userId: `user_${i}`, targetId, postId })));
  await votes(postId);
  await votes(replyId);
  const post = `/api/community/posts/${postId}`;
  return { author, group: String(groupId), post, reply: `${post}/replies/${replyId}` };
}

async function effort(work: () => Promise<{ status: number }>): Promise<Effort> {
  const commands = await commandsDuring(server, async () => {
    expect((await work()).status).toBe(200);
  });
  return effortOf(server, commands);
}

const small = 3;
const large = 100 * small;

const moderated = (path: string) => `/api/admin/community/${path.split("/").slice(-2).join("/")}`;

const writes: Record<string, (scene: Scene) => Promise<{ status: number }>> = {
  "upvoting a reply": ({ author, reply }) => server.post(`${reply}/upvote`, {}, author.token),
  "taking that back": ({ author, reply }) => server.post(`${reply}/upvote`, {}, author.token),
  "upvoting a post": ({ author, post }) => server.post(`${post}/upvote`, {}, author.token),
  replying: ({ author, post }) => server.post(`${post}/replies`, { content: "x" }, author.token),
  "editing a reply": ({ author, reply }) => server.patch(reply, { content: "y" }, author.token),
  "editing a post": ({ author, post }) => server.patch(post, { title: "y" }, author.token),
  accepting: ({ author, reply }) => server.patch(`${reply}/accept`, {}, author.token),
  resolving: ({ author, post }) => server.patch(`${post}/resolve`, {}, author.token),
  "reporting a reply": ({ author, reply }) => server.post(`${reply}/report`, { reason: "x" }, author.token),
  "joining a group": ({ author, group }) => server.post(`/api/community/groups/${group}/membership`, {}, author.token),
  "leaving it": ({ author, group }) => server.post(`/api/community/groups/${group}/membership`, {}, author.token),
  "creating a group": ({ author }) =>
    server.post("/api/community/groups", { name: `${new Types.ObjectId()}` }, author.token),
  "posting in a group": ({ author, group }) =>
    server.post("/api/community/posts", { title: "x", content: "x", groupId: group }, author.token),
  "posting in none": ({ author }) => server.post("/api/community/posts", { title: "x", content: "x" }, author.token),
};

test("every write costs the same with a hundred times the replies, votes, members and posts", async () => {
  const measure = async (size: number) => {
    const at = await scene(size);
    const efforts: Record<string, Effort> = {};
    for (const [name, write] of Object.entries(writes)) efforts[name] = await effort(() => write(at));
    return efforts;
  };
  const few = await measure(small);
  const many = await measure(large);
  expect(many).toEqual(few);
  for (const [name, { scans, sorts }] of Object.entries(many)) {
    expect({ name, scans, sorts }).toEqual({ name, scans: [], sorts: [] });
  }
});

test("every removal sends the same commands with a hundred times the rows, all found by index", async () => {
  const { token } = await server.signedIn("admin");
  const removals: ((at: Scene) => Promise<{ status: number }>)[] = [
    ({ author, reply }) => server.delete(reply, author.token),
    ({ author, post }) => server.delete(post, author.token),
    ({ reply }) => server.delete(moderated(reply), token),
    ({ post }) => server.delete(moderated(post), token),
    ({ group }) => server.delete(`/api/admin/groups/${group}`, token),
  ];
  for (const remove of removals) {
    const [fewRows, manyRows] = [await scene(small), await scene(large)];
    const few = await effort(() => remove(fewRows));
    const many = await effort(() => remove(manyRows));
    expect(many.commands).toEqual(few.commands);
    expect([...few.scans, ...many.scans]).toEqual([]);
  }
});

describe("reads", () => {
  let at: Scene;
  beforeAll(async () => {
    at = await scene(large);
  });

  test("a post with its replies costs the same commands, and documents by the number of its replies alone", async () => {
    const short = await scene(small);
    const few = await effort(() => server.get(short.post, at.author.token));
    const many = await effort(() => server.get(at.post, at.author.token));
    expect([...many.commands].sort()).toEqual([...few.commands].sort());
    expect([...many.scans, ...many.sorts]).toEqual([]);
    if (!Number.isNaN(many.documents)) expect(many.documents - few.documents).toBe(large - small);
  });

  test("a member's groups and their posts are found by index", async () => {
    const joined = [await scene(small), await scene(small)];
    for (const { group } of joined) {
      await server.post(`/api/community/groups/${group}/membership`, {}, at.author.token);
    }
    const { scans, commands } = await effort(() => server.get("/api/community/posts?tab=myGroups", at.author.token));
    expect(scans).toEqual([]);
    expect(commands).toHaveLength(5);
  });

  test("groups are listed in two commands, in the order of an index", async () => {
    const { scans, sorts, commands } = await effort(() => server.get("/api/community/groups", at.author.token));
    expect({ scans, sorts }).toEqual({ scans: [], sorts: [] });
    expect(commands).toEqual(["find communitygroups", "find groupmemberships"]);
  });
});
