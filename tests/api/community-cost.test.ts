import { Types } from "mongoose";
import { beforeAll, describe, expect, test } from "vitest";
import { commandsDuring, type Effort, effortOf } from "../support/commands.js";
import { type SignedIn, startTestServer } from "../support/server.js";

/* What a request costs the database, in commands and documents, as the database itself explains it. */

const server = await startTestServer({ watchCommands: true });
let author: SignedIn;

interface Scene {
  group: string;
  post: string;
  reply: string;
}

/**
 * A group of `size` members and posts; one of these has `size` votes and replies, the first of which has `size` votes.
 */
async function scene(size: number): Promise<Scene> {
  author = await server.signedIn();
  const { CommunityGroup, CommunityPost, CommunityReply, GroupMembership, Vote } = server.deps.db;
  const written = { authorId: author.id, authorName: author.name, content: "x", state: "in" } as const;
  const list = <T>(item: (i: number) => T) => Array.from({ length: size }, (_, i) => item(i));
  const [groupId, postId, replyId] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
  const key = `${groupId}`;
  const named = { name: key, nameKey: key, slug: key, icon: "x", createdBy: author.id };
  await CommunityGroup.create({ _id: groupId, ...named, memberCount: size, postCount: size });
  await GroupMembership.insertMany(list((i) => ({ userId: `user_${i}`, groupId, state: "in" })));
  const crowded = { upvoteCount: size, replyCount: size };
  await CommunityPost.insertMany(
    list((i) => ({ ...written, groupId, title: `T${i}`, ...(i === 0 ? { _id: postId, ...crowded } : {}) })),
  );
  await CommunityReply.insertMany(
    list((i) => ({ ...written, postId, ...(i === 0 ? { _id: replyId, upvoteCount: size } : {}) })),
  );
  const votes = (targetKind: string, targetId: Types.ObjectId) =>
    Vote.insertMany(list((i) => ({ userId: `user_${i}`, targetKind, targetId, state: "in" })));
  await votes("post", postId);
  await votes("reply", replyId);
  const post = `/api/community/posts/${postId}`;
  return { group: String(groupId), post, reply: `${post}/replies/${replyId}` };
}

async function effort(work: () => Promise<{ status: number }>): Promise<Effort> {
  const commands = await commandsDuring(server, async () => {
    expect((await work()).status).toBe(200);
  });
  return effortOf(server, commands);
}

const small = 3;
const large = 100 * small;

const writes: Record<string, (scene: Scene) => Promise<{ status: number }>> = {
  "upvoting a reply": ({ reply }) => server.post(`${reply}/upvote`, {}, author.token),
  "taking that back": ({ reply }) => server.post(`${reply}/upvote`, {}, author.token),
  "upvoting a post": ({ post }) => server.post(`${post}/upvote`, {}, author.token),
  replying: ({ post }) => server.post(`${post}/replies`, { content: "x" }, author.token),
  "editing a reply": ({ reply }) => server.patch(reply, { content: "y" }, author.token),
  "editing a post": ({ post }) => server.patch(post, { title: "y" }, author.token),
  accepting: ({ reply }) => server.patch(`${reply}/accept`, {}, author.token),
  resolving: ({ post }) => server.patch(`${post}/resolve`, {}, author.token),
  "reporting a reply": ({ reply }) => server.post(`${reply}/report`, { reason: "x" }, author.token),
  "joining a group": ({ group }) => server.post(`/api/community/groups/${group}/membership`, {}, author.token),
  "leaving it": ({ group }) => server.post(`/api/community/groups/${group}/membership`, {}, author.token),
  "posting in a group": ({ group }) =>
    server.post("/api/community/posts", { title: "x", content: "x", groupId: group }, author.token),
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
  for (const [name, { scans, sorts, commands }] of Object.entries(many)) {
    expect({ name, scans, sorts }).toEqual({ name, scans: [], sorts: [] });
    expect(commands.length, name).toBeLessThanOrEqual(10);
  }
});

describe("reads", () => {
  let at: Scene;
  beforeAll(async () => {
    at = await scene(large);
  });

  test("a post with its replies costs the same commands, and documents by the number of its replies alone", async () => {
    const short = await scene(small);
    const few = await effort(() => server.get(short.post, author.token));
    const many = await effort(() => server.get(at.post, author.token));
    expect(many.commands).toEqual(few.commands);
    expect([...many.scans, ...many.sorts]).toEqual([]);
    if (!Number.isNaN(many.documents)) expect(many.documents - few.documents).toBe(large - small);
  });

  test("a member's groups and their posts are found by index", async () => {
    const joined = [await scene(small), await scene(small)];
    for (const { group } of joined) {
      await server.post(`/api/community/groups/${group}/membership`, {}, author.token);
    }
    const { scans, commands } = await effort(() => server.get("/api/community/posts?tab=myGroups", author.token));
    expect(scans).toEqual([]);
    expect(commands).toEqual(["find groupmemberships", "find communityposts", "find communitygroups", "find votes"]);
  });

  test("groups are listed in two commands, in the order of an index", async () => {
    const { scans, sorts, commands } = await effort(() => server.get("/api/community/groups", author.token));
    expect({ scans, sorts }).toEqual({ scans: [], sorts: [] });
    expect(commands).toEqual(["find communitygroups", "find groupmemberships"]);
  });

  test("what is half-done is found by index", async () => {
    const { Vote, GroupMembership, CommunityReply, CommunityPost } = server.deps.db;
    const half = { unsettledSince: { $lte: new Date() } };
    const order = { unsettledSince: 1 } as const;
    const commands = await commandsDuring(server, () =>
      Promise.all([
        Vote.find(half).sort(order),
        GroupMembership.find(half).sort(order),
        CommunityReply.find(half).sort(order),
        CommunityPost.find(half).sort(order),
      ]),
    );
    const { scans, sorts, documents } = await effortOf(server, commands);
    expect({ scans, sorts }).toEqual({ scans: [], sorts: [] });
    if (!Number.isNaN(documents)) expect(documents).toBe(0);
  });
});
