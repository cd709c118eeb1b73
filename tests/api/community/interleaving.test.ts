import { Types } from "mongoose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDb, type Db } from "../../../src/db/db.js";
import { toggleMembership } from "../../../src/services/community/groups.js";
import { createPost, removePost, requirePost } from "../../../src/services/community/posts.js";
import {
  acceptReply,
  createReply,
  type ReplyKey,
  removeReply,
  requireReply,
} from "../../../src/services/community/replies.js";
import { toggleVote } from "../../../src/services/community/votes.js";
import { discrepancies } from "../../assertions/recount.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { connectThrough, startDatabaseProxy } from "../../server/database-proxy.js";
import { runJob } from "../../server/run-job.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* Races whose worst order is arranged: one call is held before one of its writes while another one runs. */

const server = await startTestServer({ own: "recounts all rows" });
let author: SignedIn;
let post: any;
let reply: any;
let key: ReplyKey;
beforeEach(async () => {
  author = await server.signedIn();
  post = await writePost(server, author);
  reply = await writeReply(server, author, post._id);
  key = { postId: new Types.ObjectId(post._id), replyId: new Types.ObjectId(reply._id) };
});
afterEach(async () => {
  expect(await discrepancies(server)).toEqual([]);
});

/**
 * Starts `work` and holds it after so many of its writes. `finish` lets go; tells the result, or the message of its
 * error.
 */
async function hold<T>(writes: number, work: (db: Db) => Promise<T>) {
  const proxy = await startDatabaseProxy(server.databaseUri);
  const connection = await connectThrough(proxy);
  const there = proxy.holdAfter(writes);
  const outcome = work(createDb(connection)).catch((error: Error) => error.message);
  await there;
  return {
    async finish() {
      proxy.release();
      const result = await outcome;
      await connection.close();
      await proxy.close();
      return result;
    },
  };
}

/** Holds `work`, runs `meanwhile` to its end, lets go. */
async function held<T>(writes: number, work: (db: Db) => Promise<T>, meanwhile: () => Promise<unknown>) {
  const { finish } = await hold(writes, work);
  await meanwhile();
  return finish();
}

const shown = async () => (await server.get(`/api/community/posts/${post._id}`)).body.post;
const deletePost = () => server.delete(`/api/community/posts/${post._id}`, author.token);
const replyPath = (of: { _id: string }) => `/api/community/posts/${post._id}/replies/${of._id}`;
const deleteReply = () => server.delete(replyPath(reply), author.token);
const accept = (of: { _id: string }) => server.patch(`${replyPath(of)}/accept`, {}, author.token);
const removalOfPost = async (db: Db) => removePost(db, await requirePost(db, key.postId));
const removalOfReply = async (db: Db) => removeReply(db, await requireReply(db, key));

describe("a post that is deleted while it is written to", () => {
  // Nothing is written yet, or the reply, but it is not counted.
  test.each([0, 1])("by an answer, after %i of its writes: the reply is refused and gone", async (writes) => {
    const result = await held(
      writes,
      (db) => createReply(db, author.id, key.postId, "late"),
      async () => expect((await deletePost()).status).toBe(200),
    );
    expect(result).toBe("Post not found");
    expect(await server.deps.db.CommunityReply.countDocuments({ postId: post._id })).toBe(0);
  });

  // Nothing is written yet, or the vote, but it is not counted.
  test.each([0, 2])("by a vote, after %i of its writes: it is gone, for the post and for its reply", async (writes) => {
    const forReply = await held(
      writes,
      (db) => toggleVote(db, author.id, key),
      async () => {
        const forPost = await held(writes, (db) => toggleVote(db, author.id, { postId: key.postId }), deletePost);
        expect(forPost).toBe("Post not found");
      },
    );
    expect(forReply).toBe("Reply not found");
    expect(await server.deps.db.Vote.countDocuments({ postId: post._id })).toBe(0);
  });

  test.each([0, 1, 2, 3])(
    "takes with it whatever comes after %i writes of its removal, or refuses it",
    async (writes) => {
      const removal = await hold(writes, removalOfPost);
      const late = Promise.all([
        server.post(`/api/community/posts/${post._id}/replies`, { content: "late" }, author.token),
        server.post(`/api/community/posts/${post._id}/upvote`, {}, author.token),
        server.post(`${replyPath(reply)}/upvote`, {}, author.token),
        accept(reply),
      ]);
      expect(await removal.finish()).toBeUndefined();
      for (const { status } of await late) expect([200, 404]).toContain(status);
      const { CommunityReply, Vote } = server.deps.db;
      expect(await CommunityReply.countDocuments({ postId: post._id })).toBe(0);
      expect(await Vote.countDocuments({ postId: post._id })).toBe(0);
    },
  );
});

describe("a reply deleted while it is being accepted", () => {
  test("is not accepted afterwards", async () => {
    const result = await held(0, (db) => acceptReply(db, author.id, key), deleteReply);
    expect(result).toBe("Reply not found");
    expect(await shown()).toMatchObject({ isResolved: false, replies: [] });
  });

  test("is not accepted afterwards, when the deletion comes before the accept is committed", async () => {
    const accepting = await hold(1, (db) => acceptReply(db, author.id, key));
    const deleted = deleteReply();
    expect(await accepting.finish()).toBe(true);
    expect((await deleted).status).toBe(200);
    expect(await shown()).toMatchObject({ isResolved: false, replyCount: 0, replies: [] });
  });

  test.each([0, 1, 2])(
    "is not accepted afterwards, when the accept comes after %i writes of the deletion",
    async (writes) => {
      const removal = await hold(writes, removalOfReply);
      const late = accept(reply);
      expect(await removal.finish()).toBeUndefined();
      expect([200, 404]).toContain((await late).status);
      expect(await shown()).toMatchObject({ isResolved: false, replyCount: 0, replies: [] });
    },
  );

  test("does not undo another reply that was accepted in the meantime", async () => {
    const better = await writeReply(server, author, post._id);
    await accept(reply);
    await held(2, removalOfReply, () => accept(better));
    expect(await shown()).toMatchObject({ isResolved: true, replies: [{ _id: better._id, isAcceptedAnswer: true }] });
  });
});

describe("two that take the same thing away", () => {
  test("count it once: the second finds nothing", async () => {
    expect(await held(0, removalOfReply, deleteReply)).toBe("Reply not found");
    expect((await shown()).replyCount).toBe(0);
    expect(await held(0, removalOfPost, deletePost)).toBe("Post not found");
  });

  test.each([0, 1])("a vote given by two calls at once is one vote, taken back: after %i writes", async (writes) => {
    const upvote = () => server.post(`/api/community/posts/${post._id}/upvote`, {}, author.token);
    const result = await held(writes, (db) => toggleVote(db, author.id, { postId: key.postId }), upvote);
    expect(result).toEqual({ upvoteCount: 0, isUpvoted: false });
    expect(await shown()).toMatchObject({ upvoteCount: 0, isUpvoted: false });
  });
});

describe("a group that is removed while it is written to", () => {
  let groupId: Types.ObjectId;
  beforeEach(async () => {
    const named = { name: `G ${new Types.ObjectId()}` };
    const { group } = (await server.post("/api/community/groups", named, author.token)).body;
    groupId = new Types.ObjectId(group._id);
  });

  /** Holds `work`, removes the group, lets go, and unlinks what is left in the group. */
  async function removedDuring<T>(writes: number, work: (db: Db) => Promise<T>) {
    const admin = await server.signedIn("admin");
    const { finish } = await hold(writes, work);
    const removed = server.delete(`/api/admin/groups/${groupId}`, admin.token);
    // What was written first makes the removal wait or start again; otherwise it comes first.
    await Promise.race([removed, new Promise((resolve) => setTimeout(resolve, 100))]);
    const result = await finish();
    expect((await removed).status).toBe(200);
    await runJob(server, "unlink-removed-groups");
    return result;
  }

  test.each([0, 1, 2])("by a new post, after %i of its writes, keeps no post", async (writes) => {
    const total = async () => (await server.get("/api/community/posts?limit=1")).body.total;
    const before = await total();
    const fields = { title: "x", content: "x", tags: [], groupId: String(groupId) };
    const result = await removedDuring(writes, (db) => createPost(db, author.id, fields));
    expect(await server.deps.db.CommunityPost.countDocuments({ groupId })).toBe(0);
    expect(await total()).toBe(before + (result === "Group not found" ? 0 : 1));
  });

  test.each([0, 1, 2])("by a new member, after %i of its writes, keeps no membership", async (writes) => {
    const joiner = await server.signedIn();
    await removedDuring(writes, (db) => toggleMembership(db, joiner.id, groupId));
    expect(await server.deps.db.GroupMembership.countDocuments({ groupId })).toBe(0);
  });
});
