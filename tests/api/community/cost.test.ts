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

const commit = "commitTransaction";

/** The requests, and every command that each sends, the commit being one of them. */
const writes: Record<string, [(scene: Scene) => Promise<{ status: number }>, string[]]> = {
  "upvoting a reply": [
    ({ reply }) => server.post(`${reply}/upvote`, {}, author.token),
    ["delete votes", "insert votes", "findAndModify communityreplies", "update communityposts", commit],
  ],
  "taking that back": [
    ({ reply }) => server.post(`${reply}/upvote`, {}, author.token),
    ["delete votes", "findAndModify communityreplies", "update communityposts", commit],
  ],
  "upvoting a post": [
    ({ post }) => server.post(`${post}/upvote`, {}, author.token),
    ["delete votes", "insert votes", "findAndModify communityposts", commit],
  ],
  replying: [
    ({ post }) => server.post(`${post}/replies`, { content: "x" }, author.token),
    ["find users", "insert communityreplies", "update communityposts", commit],
  ],
  "editing a reply": [
    ({ reply }) => server.patch(reply, { content: "y" }, author.token),
    ["findAndModify communityreplies", "findAndModify communityposts", commit, "find votes"],
  ],
  "editing a post": [
    ({ post }) => server.patch(post, { title: "y" }, author.token),
    ["findAndModify communityposts", "find communitygroups", "find votes"],
  ],
  accepting: [
    ({ reply }) => server.patch(`${reply}/accept`, {}, author.token),
    ["findAndModify communityposts", "find communityreplies", commit],
  ],
  resolving: [({ post }) => server.patch(`${post}/resolve`, {}, author.token), ["findAndModify communityposts"]],
  "reporting a reply": [
    ({ reply }) => server.post(`${reply}/report`, { reason: "x" }, author.token),
    ["find communityreplies", "insert reports"],
  ],
  "joining a group": [
    ({ group }) => server.post(`/api/community/groups/${group}/membership`, {}, author.token),
    ["delete groupmemberships", "insert groupmemberships", "update communitygroups", commit],
  ],
  "leaving it": [
    ({ group }) => server.post(`/api/community/groups/${group}/membership`, {}, author.token),
    ["delete groupmemberships", "update communitygroups", commit],
  ],
  "creating a group": [
    () => server.post("/api/community/groups", { name: `Group ${new Types.ObjectId()}` }, author.token),
    [
      ...["find communitygroups", "findAndModify groupcreations"],
      ...["insert communitygroups", "insert groupmemberships", commit],
    ],
  ],
  "posting in a group": [
    ({ group }) => server.post("/api/community/posts", { title: "x", content: "x", groupId: group }, author.token),
    ["find users", "insert communityposts", "findAndModify communitygroups", commit],
  ],
  "posting in none": [
    () => server.post("/api/community/posts", { title: "x", content: "x" }, author.token),
    ["find users", "insert communityposts", "update ungroupedposts", commit],
  ],
};

test("every write costs the same with a hundred times the replies, votes, members and posts", async () => {
  const measure = async (size: number) => {
    const at = await scene(size);
    const efforts: Record<string, Effort> = {};
    for (const [name, [write]] of Object.entries(writes)) efforts[name] = await effort(() => write(at));
    return efforts;
  };
  const few = await measure(small);
  const many = await measure(large);
  expect(many).toEqual(few);
  for (const [name, { scans, sorts, commands }] of Object.entries(many)) {
    expect({ name, scans, sorts }).toEqual({ name, scans: [], sorts: [] });
    const [, expected] = writes[name] ?? [];
    expect({ name, commands: [...commands].sort() }).toEqual({ name, commands: [...(expected ?? [])].sort() });
  }
});

test("removals cost the same commands with a hundred times the replies and votes, all found by index", async () => {
  const admin = await server.signedIn("admin");
  const ofReply = ["find communityreplies", "delete communityreplies", "delete votes", "update communityposts", commit];
  const ofPost = [
    ...["find communityposts", "delete communityposts"],
    ...["find communityreplies", "delete communityreplies", "find votes", "delete votes"],
    ...["findAndModify communitygroups", commit],
  ];
  const moderation = ["find rolerecords", "update reports", "insert auditentries"];
  const removals = [
    { path: (at: Scene) => at.reply, expected: ofReply },
    { path: (at: Scene) => at.post, expected: ofPost },
    { path: ({ reply }: Scene) => `/api/admin/community/replies/${reply.split("/").at(-1)}`, expected: ofReply },
    { path: ({ post }: Scene) => `/api/admin/community/posts/${post.split("/").at(-1)}`, expected: ofPost },
  ];
  for (const size of [small, large]) {
    for (const { path, expected } of removals) {
      const removed = path(await scene(size));
      const isModeration = removed.startsWith("/api/admin");
      const { token } = isModeration ? admin : author;
      const { commands, scans } = await effort(() => server.delete(removed, token));
      const all = isModeration ? [...expected, ...moderation] : expected;
      expect({ commands: [...commands].sort(), scans }).toEqual({ commands: [...all].sort(), scans: [] });
    }
  }
});

test("removing a group costs the same with a hundred times the members and posts", async () => {
  const { token } = await server.signedIn("admin");
  for (const size of [small, large]) {
    const { group } = await scene(size);
    const { commands, scans } = await effort(() => server.delete(`/api/admin/groups/${group}`, token));
    expect({ commands, scans }).toEqual({
      commands: [
        ...["find rolerecords", "findAndModify communitygroups", "insert removedgroups"],
        ...["insert auditentries", "update ungroupedposts", commit],
      ],
      scans: [],
    });
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
    expect(commands).toEqual([
      ...["find groupmemberships", "find communitygroups"],
      ...["find communityposts", "find communitygroups", "find votes"],
    ]);
  });

  test("groups are listed in two commands, in the order of an index", async () => {
    const { scans, sorts, commands } = await effort(() => server.get("/api/community/groups", author.token));
    expect({ scans, sorts }).toEqual({ scans: [], sorts: [] });
    expect(commands).toEqual(["find communitygroups", "find groupmemberships"]);
  });
});
