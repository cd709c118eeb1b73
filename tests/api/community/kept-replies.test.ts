import { Types } from "mongoose";
import { expect, test } from "vitest";
import { recount } from "../../../src/services/recount/recount.js";
import { commandsDuring } from "../../assertions/commands.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* Replies to a post are kept by each process, and what any process changes is seen by the next request of each. */

const server = await startTestServer({ watchCommands: true });
const second = await server.another();
const { db } = server.deps;

interface Scene {
  author: SignedIn;
  reader: SignedIn;
  postId: string;
  /** A reply by the author, and one by the reader. */
  replies: [string, string];
  post: string;
}

async function scene(): Promise<Scene> {
  const [author, reader] = [await server.signedIn(), await server.signedIn("student", 'Ünal "Ü" \\ isAuthor')];
  const postId = (await writePost(server, author))._id as string;
  const first = await writeReply(server, author, postId, '"isAuthor":false,"isUpvoted":false € \n');
  const last = await writeReply(server, reader, postId, "Zwei");
  return { author, reader, postId, replies: [first._id, last._id], post: `/api/community/posts/${postId}` };
}

/** What each of some callers sees, on the other process as well. */
async function seen({ author, reader, post }: Scene) {
  const views = [];
  for (const token of [undefined, author.token, reader.token]) {
    const { body } = await second.get(post, token);
    expect(body.success).toBe(true);
    expect((await server.get(post, token)).body).toEqual(body);
    views.push(body.post);
  }
  return views;
}

const changes: Record<string, [(at: Scene) => Promise<unknown>, (replies: any[], at: Scene) => void]> = {
  "a new reply": [
    ({ author, postId }) => writeReply(server, author, postId, "Drei"),
    (replies) => expect(replies.map(({ content }) => content).slice(1)).toEqual(["Zwei", "Drei"]),
  ],
  "an edited reply": [
    ({ reader, post, replies }) => server.patch(`${post}/replies/${replies[1]}`, { content: "Neu" }, reader.token),
    (replies) => expect(replies[1]).toMatchObject({ content: "Neu", editedAt: expect.any(String) }),
  ],
  "an upvoted reply": [
    ({ author, post, replies }) => server.post(`${post}/replies/${replies[1]}/upvote`, {}, author.token),
    (replies) => expect(replies.map(({ upvoteCount }) => upvoteCount)).toEqual([0, 1]),
  ],
  "an accepted reply": [
    ({ author, post, replies }) => server.patch(`${post}/replies/${replies[1]}/accept`, {}, author.token),
    (replies) => expect(replies.map(({ isAcceptedAnswer }) => isAcceptedAnswer)).toEqual([true, false]),
  ],
  "a removed reply": [
    ({ reader, post, replies }) => server.delete(`${post}/replies/${replies[1]}`, reader.token),
    (replies) => expect(replies).toHaveLength(1),
  ],
  "a reply that an administrator removed": [
    async ({ replies }) =>
      server.delete(`/api/admin/community/replies/${replies[0]}`, (await server.signedIn("admin")).token),
    (replies) => expect(replies.map(({ content }) => content)).toEqual(["Zwei"]),
  ],
  "an erased author": [
    ({ reader }) => server.call("DELETE", "/api/user/data", { token: reader.token, body: { confirm: reader.id } }),
    (replies) => expect(replies[1]).toMatchObject({ authorName: "Deleted user", authorImage: "" }),
  ],
  "a recount": [
    async ({ replies }) => {
      await db.CommunityReply.updateOne({ _id: replies[0] }, { upvoteCount: 7 }, { timestamps: false });
      await db.CommunityPost.updateMany({}, { repliesVersion: new Types.ObjectId() }, { timestamps: false });
      expect(
        (await second.get(`/api/community/posts/${(await db.CommunityReply.findById(replies[0]))?.postId}`)).body,
      ).toMatchObject({ post: { replies: [{ upvoteCount: 7 }, {}] } });
      for await (const _ of recount(db, { fix: true }));
    },
    (replies) => expect(replies[0].upvoteCount).toBe(0),
  ],
};

test.each(Object.entries(changes))("%s is seen at once on every process", async (_name, [change, shown]) => {
  const at = await scene();
  await seen(at);
  await change(at);
  for (const { replies } of await seen(at)) shown(replies, at);
});

test("each caller sees their own replies and votes, in the very bytes of a post that is not kept", async () => {
  const at = await scene();
  const { author, reader, post, replies } = at;
  await server.post(`${post}/replies/${replies[0]}/upvote`, {}, reader.token);
  await server.post(`${post}/upvote`, {}, reader.token);
  const [anonymous, ofAuthor, ofReader] = await seen(at);
  const marks = (view: any) => view.replies.map((r: any) => [r.isAuthor, r.isUpvoted]);
  expect(marks(anonymous)).toEqual([
    [false, false],
    [false, false],
  ]);
  expect([ofAuthor.isUpvoted, marks(ofAuthor)]).toEqual([
    false,
    [
      [true, false],
      [false, false],
    ],
  ]);
  expect([ofReader.isUpvoted, marks(ofReader)]).toEqual([
    true,
    [
      [false, true],
      [true, false],
    ],
  ]);
  const textOf = async (token: string) =>
    (await fetch(server.url + post, { headers: { authorization: `Bearer ${token}` } })).text();
  const kept = [await textOf(author.token), await textOf(reader.token)];
  // So many replies are not kept.
  await db.CommunityPost.updateOne({ _id: at.postId }, { replyCount: 5_000 }, { timestamps: false });
  const unkept = [await textOf(author.token), await textOf(reader.token)];
  expect(unkept).toEqual(kept.map((text) => text.replace('"replyCount":2', '"replyCount":5000')));
});

test("replies that are kept are not read again, and requests at once share one read", async () => {
  const { post, reader } = await scene();
  const readsOf = async (work: () => Promise<unknown>) =>
    (await commandsDuring(server, work)).flatMap(({ find }) => (find ? [find] : []));
  const together = await readsOf(() => Promise.all(Array.from({ length: 8 }, () => server.get(post, reader.token))));
  expect(together.filter((name) => name === "communityreplies").length).toBeLessThan(8);
  expect((await readsOf(() => server.get(post, reader.token))).sort()).toEqual(["communityposts", "votes"]);
});
