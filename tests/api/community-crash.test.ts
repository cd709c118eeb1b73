import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { createGroup, toggleMembership } from "../../src/commands/community-groups.js";
import { createPost, removePost } from "../../src/commands/community-posts.js";
import { createReply, removeReply } from "../../src/commands/community-replies.js";
import { claimLastsMs } from "../../src/commands/counted-fact.js";
import { resolveReport } from "../../src/commands/reports.js";
import { settleVote, toggleVote } from "../../src/commands/vote.js";
import { createDb, type Db } from "../../src/db/db.js";
import { settleCommunity } from "../../src/jobs/settle-community.js";
import { discrepancies, writePost, writeReply } from "../support/community.js";
import { connectThrough, startDatabaseProxy } from "../support/database-proxy.js";
import { startTestServer } from "../support/server.js";

const server = await startTestServer();
const db = server.deps.db;
let author = await server.signedIn();

const sweep = () => settleCommunity(server.deps).run(new AbortController().signal);

/** Lets so much time pass for what is half-done that a sweeper may take it up. */
async function letClaimsLapse(): Promise<void> {
  const $set = { unsettledSince: new Date(Date.now() - claimLastsMs - 1_000) };
  const unsettled = { unsettledSince: { $exists: true } };
  await db.Vote.updateMany(unsettled, { $set });
  await db.GroupMembership.updateMany(unsettled, { $set });
  await db.CommunityReply.updateMany(unsettled, { $set });
  await db.CommunityPost.updateMany(unsettled, { $set });
  const unaudited = { "unaudited.since": { $exists: true } };
  await db.Report.updateMany(unaudited, { $set: { "unaudited.since": $set.unsettledSince } });
}

/**
 * Runs `work` in a process (as the database sees it) that dies before its write number `writes` + 1.
 * @returns whether it died.
 */
async function dieAfter(writes: number, work: (db: Db) => Promise<unknown>): Promise<boolean> {
  const proxy = await startDatabaseProxy(server.databaseUri);
  const connection = await connectThrough(proxy);
  proxy.cutAfter(writes);
  const failed = await work(createDb(connection)).then(
    () => false,
    () => true,
  );
  const died = proxy.isShut;
  await connection.close();
  await proxy.close();
  expect(failed).toBe(died);
  return died;
}

interface Act {
  prepare(): Promise<(db: Db) => Promise<unknown>>;
  /** Whether the act shows, for readers, as done (true), not done (false), or something in between. */
  done(): Promise<boolean>;
}

/** The last post or reply that a scenario prepared. */
let post: any;
let reply: any;
let group: any;
/** As it is stored: replies of the server name it in text. */
const idOf = ({ _id }: { _id: string }) => new Types.ObjectId(_id);
const votes = (targetId: string) => db.Vote.countDocuments({ targetId });
const postShown = async () => (await server.get(`/api/community/posts/${post._id}`)).body.post;
const newGroup = async () => {
  const { body } = await server.post("/api/community/groups", { name: `G ${Math.random()}` }, author.token);
  group = body.group;
};
const freshAuthor = async () => {
  author = await server.signedIn(); // a rate limit of one's own for each round
};
const groupShown = async (name: string = group.name) =>
  (await server.get("/api/community/groups")).body.groups.find((found: any) => found.name === name);

const acts: Record<string, Act> = {
  "an upvote": {
    async prepare() {
      post = await writePost(server, author);
      return (from) => toggleVote(from, author.id, "post", idOf(post));
    },
    done: async () => (await postShown()).upvoteCount === 1,
  },
  "taking an upvote back": {
    async prepare() {
      post = await writePost(server, author);
      await server.post(`/api/community/posts/${post._id}/upvote`, {}, author.token);
      return (from) => toggleVote(from, author.id, "post", idOf(post));
    },
    done: async () => (await postShown()).upvoteCount === 0,
  },
  "creating a group": {
    async prepare() {
      const name = `Group ${Math.random()}`;
      group = { name };
      return (from) => createGroup(from, author.id, { name, description: "", icon: "x" });
    },
    done: async () => (await groupShown()) !== undefined,
  },
  "joining a group": {
    async prepare() {
      await newGroup();
      return (from) => toggleMembership(from, "user_joiner", group._id);
    },
    done: async () => (await groupShown()).memberCount === 2,
  },
  "leaving a group": {
    async prepare() {
      await newGroup();
      return (from) => toggleMembership(from, author.id, group._id);
    },
    done: async () => (await groupShown()).memberCount === 0,
  },
  "a post in a group": {
    async prepare() {
      await newGroup();
      return (from) => createPost(from, author.id, { title: "t", content: "c", tags: [], groupId: group._id });
    },
    done: async () => (await server.get(`/api/community/posts?groupId=${group._id}`)).body.total === 1,
  },
  "a post in no group": {
    async prepare() {
      const title = `Lonely ${Math.random()}`;
      post = { title };
      return (from) => createPost(from, author.id, { title, content: "c", tags: [], groupId: "" });
    },
    done: async () => (await server.get(`/api/community/posts?q=${post.title}`)).body.total === 1,
  },
  "removing a post in no group": {
    async prepare() {
      post = await writePost(server, author);
      return (from) => removePost(from, idOf(post));
    },
    done: async () => (await server.get(`/api/community/posts/${post._id}`)).status === 404,
  },
  "a reply": {
    async prepare() {
      post = await writePost(server, author);
      return (from) => createReply(from, author.id, post._id, "x");
    },
    done: async () => (await postShown()).replies.length === 1,
  },
  "removing an accepted reply with votes": {
    async prepare() {
      post = await writePost(server, author);
      reply = await writeReply(server, author, post._id);
      const path = `/api/community/posts/${post._id}/replies/${reply._id}`;
      await server.post(`${path}/upvote`, {}, author.token);
      await server.patch(`${path}/accept`, {}, author.token);
      return (from) => removeReply(from, idOf(reply), { by: "user_admin", requestId: null });
    },
    async done() {
      const { isResolved, replyCount, replies } = await postShown();
      expect(isResolved).toBe(replies.length === 1);
      expect(await votes(reply._id)).toBe(replies.length);
      expect(await db.AuditEntry.countDocuments({ targetId: reply._id })).toBe(1 - replies.length);
      return replyCount === 0;
    },
  },
  "removing a post in a group with replies and votes": {
    async prepare() {
      await newGroup();
      post = await writePost(server, author, { groupId: group._id });
      reply = await writeReply(server, author, post._id);
      await server.post(`/api/community/posts/${post._id}/upvote`, {}, author.token);
      await server.post(`/api/community/posts/${post._id}/replies/${reply._id}/upvote`, {}, author.token);
      return (from) => removePost(from, idOf(post), { by: "user_admin", requestId: null });
    },
    async done() {
      const gone = (await server.get(`/api/community/posts/${post._id}`)).status === 404;
      const left = gone ? 0 : 1;
      expect(await votes(post._id)).toBe(left);
      expect(await votes(reply._id)).toBe(left);
      expect(await db.CommunityReply.countDocuments({ postId: post._id })).toBe(left);
      expect(await db.AuditEntry.countDocuments({ targetId: post._id })).toBe(1 - left);
      expect((await groupShown()).postCount).toBe(left);
      return gone;
    },
  },
};

test("a process that dies while it resolves a report leaves it resolved and audited, or open", async () => {
  for (const writes of [0, 1, 2, 3]) {
    await freshAuthor();
    post = await writePost(server, author);
    await server.post(`/api/community/posts/${post._id}/report`, { reason: "x" }, author.token);
    const { _id } = await db.Report.findOne({ targetId: post._id }).orFail();
    const by = { actorId: "user_admin", requestId: "r1" };
    expect(await dieAfter(writes, (from) => resolveReport(from, String(_id), by))).toBe(writes < 3);
    await letClaimsLapse();
    await sweep();
    const { state } = await db.Report.findById(_id).orFail().lean();
    expect(state).toBe(writes === 0 ? "open" : "resolved");
    const trail = await db.AuditEntry.find({ targetId: String(_id) }).lean();
    expect(trail.map(({ actorId, requestId }) => [actorId, requestId])).toEqual(
      writes === 0 ? [] : [["user_admin", "r1"]],
    );
    expect(await sweep()).toBeUndefined();
  }
});

/** No act has as many writes. */
const endless = 30;

describe("a process that dies between any two writes", () => {
  test.each(Object.entries(acts))("of %s: the sweeper makes it all or nothing", async (_name, { prepare, done }) => {
    let seen: boolean | undefined;
    let rounds = 0;
    for (let writes = 0; writes < endless; writes++) {
      await freshAuthor();
      const work = await prepare();
      const died = await dieAfter(writes, work);
      rounds++;
      await letClaimsLapse();
      await sweep();
      expect(await discrepancies(server, { takenOver: true }), `after ${writes} writes`).toEqual([]);
      const now = await done();
      // Nothing before the first write; once an act takes effect, it does so after every later write too.
      if (writes === 0) expect(now).toBe(false);
      if (seen) expect(now).toBe(true);
      seen = now;
      if (!died) break;
    }
    expect(seen).toBe(true);
    expect(rounds).toBeGreaterThan(3);
    expect(rounds).toBeLessThan(endless);
  });
});

describe("the sweeper", () => {
  test("leaves alone what somebody is at, and says so when there is nothing to do", async () => {
    await freshAuthor();
    post = await writePost(server, author);
    await dieAfter(1, (from) => toggleVote(from, author.id, "post", idOf(post)));
    expect(await sweep()).toBeUndefined();
    expect(await db.Vote.findOne({ targetId: post._id }).lean()).toMatchObject({ state: "adding" });
    await letClaimsLapse();
    expect(await sweep()).toBe("settled 1 community changes");
    expect(await sweep()).toBeUndefined();
    expect((await postShown()).upvoteCount).toBe(1);
  });

  test("shares the work with others that sweep at the same moment", async () => {
    await freshAuthor();
    post = await writePost(server, author);
    const started = { targetKind: "post", targetId: post._id, state: "adding", unsettledSince: new Date(0) } as const;
    await db.Vote.insertMany(Array.from({ length: 150 }, (_, i) => ({ ...started, userId: `user_${i}` })));
    await Promise.all([sweep(), sweep(), sweep()]);
    expect((await postShown()).upvoteCount).toBe(150);
    expect(await discrepancies(server, { takenOver: true })).toEqual([]);
  });

  test("removes replies and votes whose post or reply is gone", async () => {
    const nowhere = "665f1c2ab7e4d90012ab34cd";
    const started = { state: "adding", unsettledSince: new Date(0) } as const;
    const written = { authorId: author.id, content: "x", postId: nowhere } as const;
    await db.CommunityReply.create({ ...written, ...started });
    await db.Vote.create({ userId: author.id, targetKind: "reply", targetId: nowhere, ...started });
    await db.GroupMembership.create({ userId: author.id, groupId: nowhere, ...started });
    await sweep();
    expect(await discrepancies(server, { takenOver: true })).toEqual([]);
    expect(await db.CommunityReply.countDocuments({ postId: nowhere })).toBe(0);
  });

  test("ends the removal of a post with more replies than a batch, after any number of interruptions", async () => {
    await freshAuthor();
    post = await writePost(server, author);
    const { _id } = await db.CommunityPost.findOneAndUpdate({ _id: post._id }, { replyCount: 450 }).orFail();
    const written = { authorId: author.id, content: "x", postId: _id, state: "in" } as const;
    const replies = await db.CommunityReply.insertMany(Array.from({ length: 450 }, () => written));
    const vote = { targetKind: "reply", state: "in" } as const;
    await db.Vote.insertMany(replies.map((own, i) => ({ ...vote, userId: `user_${i}`, targetId: own._id })));
    await db.CommunityReply.updateMany({ postId: _id }, { upvoteCount: 1 });
    for (const writes of [4, 3, 2]) {
      await dieAfter(writes, async (from) => {
        if (!(await removePost(from, _id)))
          await settleCommunity({ ...server.deps, db: from }).run(AbortSignal.timeout(9_000));
      });
      expect((await server.get(`/api/community/posts/${_id}`)).status).toBe(404);
      await letClaimsLapse();
    }
    await sweep();
    expect(await db.CommunityReply.countDocuments({ postId: _id })).toBe(0);
    expect(await db.Vote.countDocuments({ targetId: { $in: replies.map((own) => own._id) } })).toBe(0);
    expect(await discrepancies(server, { takenOver: true })).toEqual([]);
  });
});

describe("what is left half-done", () => {
  test("does not stop the next toggle of the same vote: it ends the old one first", async () => {
    await freshAuthor();
    post = await writePost(server, author);
    const toggle = async () => (await server.post(`/api/community/posts/${post._id}/upvote`, {}, author.token)).body;
    for (const writes of [1, 2]) {
      await dieAfter(writes, (from) => toggleVote(from, author.id, "post", idOf(post)));
      expect((await server.get(`/api/community/posts/${post._id}`, author.token)).body.post.isUpvoted).toBe(true);
      await letClaimsLapse();
      expect(await toggle()).toEqual({ success: true, upvoteCount: 0, isUpvoted: false });
    }
    await toggle();
    await dieAfter(2, (from) => toggleVote(from, author.id, "post", idOf(post)));
    await letClaimsLapse();
    expect(await toggle()).toEqual({ success: true, upvoteCount: 1, isUpvoted: true });
    expect(await discrepancies(server, { takenOver: true })).toEqual([]);
  });

  test("is not counted again by a process that went on after its claim had been taken over", async () => {
    await freshAuthor();
    post = await writePost(server, author);
    const vote = await db.Vote.create({
      userId: author.id,
      targetKind: "post",
      targetId: post._id,
      state: "adding",
      unsettledSince: new Date(Date.now() - claimLastsMs - 1_000),
    });
    const held = vote.toObject() as Parameters<typeof settleVote>[1];
    await sweep();
    await settleVote(db, held);
    expect((await postShown()).upvoteCount).toBe(1);
    expect(await discrepancies(server, { takenOver: true })).toEqual([]);
  });
});
