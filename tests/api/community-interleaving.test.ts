import { Types } from "mongoose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { acceptReply } from "../../src/commands/accept-reply.js";
import { removePost } from "../../src/commands/community-posts.js";
import { createReply, removeReply } from "../../src/commands/community-replies.js";
import { toggleVote } from "../../src/commands/vote.js";
import { createDb, type Db } from "../../src/db/db.js";
import { discrepancies, writePost, writeReply } from "../support/community.js";
import { connectThrough, startDatabaseProxy } from "../support/database-proxy.js";
import { type SignedIn, startTestServer } from "../support/server.js";

/* Races whose worst order is arranged: one call is held before one of its writes while another runs to its end. */

const server = await startTestServer();
let author: SignedIn;
let post: any;
let reply: any;
beforeEach(async () => {
  author = await server.signedIn();
  post = await writePost(server, author);
  reply = await writeReply(server, author, post._id);
});
afterEach(async () => {
  expect(await discrepancies(server)).toEqual([]);
});

/**
 * Starts `work` and holds it after so many of its writes. `finish` lets go; tells what it came to, or its error's
 * message.
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

/** Holds `work`, runs `meanwhile`, lets go. */
async function held<T>(writes: number, work: (db: Db) => Promise<T>, meanwhile: () => Promise<unknown>) {
  const { finish } = await hold(writes, work);
  await meanwhile();
  return finish();
}

/** Held before the first write, and between the first and the second. */
const [early, late] = [0, 1];
const shown = async () => (await server.get(`/api/community/posts/${post._id}`)).body.post;
const deletePost = () => server.delete(`/api/community/posts/${post._id}`, author.token);
const deleteReply = () => server.delete(`/api/community/posts/${post._id}/replies/${reply._id}`, author.token);

describe("a post deleted while somebody", () => {
  test.each([
    ["is about to store a reply", early],
    ["has stored a reply that is not counted", late],
  ])("%s: the reply is refused and gone", async (_name, writes) => {
    const result = await held(
      writes,
      (db) => createReply(db, author.id, post._id, "late"),
      async () => expect((await deletePost()).status).toBe(200),
    );
    expect(result).toBe("Post not found");
    expect(await server.deps.db.CommunityReply.countDocuments({ postId: post._id })).toBe(0);
  });

  test.each([
    ["is about to store a vote", early],
    ["has stored a vote that is not counted", late],
  ])("%s: the vote is gone, for the post and for its reply", async (_name, writes) => {
    const { Vote } = server.deps.db;
    const forReply = await held(
      writes,
      (db) => toggleVote(db, author.id, "reply", new Types.ObjectId(reply._id)),
      async () => {
        const forPost = await held(
          writes,
          (db) => toggleVote(db, author.id, "post", new Types.ObjectId(post._id)),
          deletePost,
        );
        expect(forPost).toBeNull();
      },
    );
    expect(forReply).toBeNull();
    expect(await Vote.countDocuments({ targetId: { $in: [post._id, reply._id] } })).toBe(0);
  });
});

test("a reply that comes in when the others of a deleted post are gone, but not yet the post, is refused and gone", async () => {
  const late = await hold(early, (db) => createReply(db, author.id, post._id, "late"));
  const allButThePost = 4;
  const removal = await hold(allButThePost, (db) => removePost(db, new Types.ObjectId(post._id)));
  const { CommunityPost, CommunityReply } = server.deps.db;
  expect(await CommunityPost.findById(post._id).lean()).toMatchObject({ state: "removing" });
  expect(await CommunityReply.countDocuments({ postId: post._id })).toBe(0);
  expect(await late.finish()).toBe("Post not found");
  expect(await removal.finish()).toBe(true);
});

describe("a reply deleted while it is being accepted", () => {
  test("is not accepted afterwards", async () => {
    const result = await held(early, (db) => acceptReply(db, author.id, post._id, reply._id), deleteReply);
    expect(result).toBe("Reply not found");
    expect(await shown()).toMatchObject({ isResolved: false, replies: [] });
  });

  test.each([0, 1, 2])(
    "is not accepted afterwards, when the accept comes after %i writes of the deletion",
    async (writes) => {
      await held(
        writes,
        (db) => removeReply(db, new Types.ObjectId(reply._id)),
        () => server.patch(`/api/community/posts/${post._id}/replies/${reply._id}/accept`, {}, author.token),
      );
      expect(await shown()).toMatchObject({ isResolved: false, replyCount: 0, replies: [] });
    },
  );

  test("does not undo another reply that was accepted in the meantime", async () => {
    const better = await writeReply(server, author, post._id);
    await server.patch(`/api/community/posts/${post._id}/replies/${reply._id}/accept`, {}, author.token);
    await held(
      2,
      (db) => removeReply(db, new Types.ObjectId(reply._id)),
      () => server.patch(`/api/community/posts/${post._id}/replies/${better._id}/accept`, {}, author.token),
    );
    expect(await shown()).toMatchObject({ isResolved: true, replies: [{ _id: better._id, isAcceptedAnswer: true }] });
  });
});

describe("two that take the same thing away", () => {
  test("count it once: the second finds nothing", async () => {
    const removal = await held(0, (db) => removeReply(db, new Types.ObjectId(reply._id)), deleteReply);
    expect(removal).toBe(false);
    expect((await shown()).replyCount).toBe(0);
    expect(await held(0, (db) => removePost(db, new Types.ObjectId(post._id)), deletePost)).toBe(false);
  });

  test("a vote given by two calls at once is one vote", async () => {
    const upvote = () => server.post(`/api/community/posts/${post._id}/upvote`, {}, author.token);
    const result = await held(0, (db) => toggleVote(db, author.id, "post", new Types.ObjectId(post._id)), upvote);
    expect(result).toEqual({ upvoteCount: 0, isUpvoted: false });
    expect(await shown()).toMatchObject({ upvoteCount: 0, isUpvoted: false });
  });
});
