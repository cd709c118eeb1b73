import { afterEach, describe, expect, test } from "vitest";
import { discrepancies } from "../../assertions/recount.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { type Answer, type SignedIn, startTestServer } from "../../server/test-server.js";

/* Every race is run on two instances that share a database. */

const server = await startTestServer({ own: "recounts all rows" });
const other = await server.another();
afterEach(async () => {
  await expect.poll(() => discrepancies(server)).toEqual([]);
});

const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));
async function crowd(n: number): Promise<SignedIn[]> {
  const users: SignedIn[] = [];
  while (users.length < n) users.push(...(await times(Math.min(20, n - users.length), () => server.signedIn())));
  return users;
}
const either = (i: number) => (i % 2 === 0 ? server : other);
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))].sort();
const pathOf = (post: { _id: string }) => `/api/community/posts/${post._id}`;

async function postWithReply() {
  const author = await server.signedIn();
  const post = await writePost(server, author);
  const reply = await writeReply(server, author, post._id);
  return { author, post, reply, path: pathOf(post), replyPath: `${pathOf(post)}/replies/${reply._id}` };
}

describe("votes", () => {
  test("forty users who vote for one reply at once are all counted", async () => {
    const { path, replyPath } = await postWithReply();
    const voters = await crowd(40);
    const answers = await times(40, (i) => either(i).post(`${replyPath}/upvote`, undefined, voters[i]?.token));
    expect(answers.every(({ status, body }) => status === 200 && body.isUpvoted === true)).toBe(true);
    expect(answers.map(({ body }) => body.upvoteCount).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    const { body } = await server.get(path, voters[0]?.token);
    expect(body.post.replies[0]).toMatchObject({ upvoteCount: 40, isUpvoted: true });
  });

  test("one user's thirty toggles at once run one after another: none counts twice and none goes negative", async () => {
    const { author, path } = await postWithReply();
    const answers = await times(30, (i) => either(i).post(`${path}/upvote`, undefined, author.token));
    expect(statuses(answers)).toEqual([200]);
    for (const { body } of answers) expect(body.upvoteCount).toBe(body.isUpvoted ? 1 : 0);
    expect(answers.filter(({ body }) => body.isUpvoted)).toHaveLength(15);
    const odd = await server.post(`${path}/upvote`, undefined, author.token);
    expect(odd.body).toEqual({ success: true, upvoteCount: 1, isUpvoted: true });
  });

  test("many users who toggle three times each end as voters", async () => {
    const { path } = await postWithReply();
    const voters = await crowd(15);
    const answers = await times(45, (i) => either(i).post(`${path}/upvote`, undefined, voters[i % 15]?.token));
    expect(statuses(answers)).toEqual([200]);
    expect(answers.every(({ body }) => body.upvoteCount >= 0 && body.upvoteCount <= 15)).toBe(true);
    expect((await server.get(path)).body.post.upvoteCount).toBe(15);
  });
});

describe("groups", () => {
  test("users who join and leave at once are all counted", async () => {
    const users = await crowd(30);
    const created = await server.post("/api/community/groups", { name: "Crowded" }, users[0]?.token);
    const path = `/api/community/groups/${created.body.group._id}/membership`;
    const answers = await times(60, (i) => either(i).post(path, undefined, users[i % 30]?.token));
    expect(statuses(answers)).toEqual([200]);
    const { groups } = (await server.get("/api/community/groups")).body;
    expect(groups.find(({ name }: any) => name === "Crowded")).toMatchObject({ memberCount: 1 });
  });

  test("posts written and deleted at once are all counted", async () => {
    const users = await crowd(20);
    const created = await server.post("/api/community/groups", { name: "Busy" }, users[0]?.token);
    const groupId = created.body.group._id;
    const posts = await times(20, (i) => writePost(either(i), users[i] as SignedIn, { groupId }));
    const deleted = times(20, (i) => either(i + 1).delete(pathOf(posts[i]), users[i]?.token));
    await times(20, (i) => writePost(either(i), users[i] as SignedIn, { groupId }));
    expect(statuses(await deleted)).toEqual([200]);
    const { groups } = (await server.get("/api/community/groups")).body;
    expect(groups.find(({ name }: any) => name === "Busy")).toMatchObject({ postCount: 20 });
  });
});

describe("replies", () => {
  test("sixty replies to one post at once are all counted", async () => {
    const { post, path } = await postWithReply();
    const users = await crowd(15);
    await times(60, (i) => writeReply(either(i), users[i % 15] as SignedIn, post._id));
    const shown = (await server.get(path)).body.post;
    expect(shown).toMatchObject({ replyCount: 61 });
    expect(shown.replies).toHaveLength(61);
  });

  test("replies written and deleted at once are all counted", async () => {
    const { post, path } = await postWithReply();
    const users = await crowd(10);
    const replies = await times(20, (i) => writeReply(either(i), users[i % 10] as SignedIn, post._id));
    const remove = (i: number) => either(i).delete(`${path}/replies/${replies[i]._id}`, users[i % 10]?.token);
    const [first, second] = await Promise.all([
      times(20, remove),
      times(20, remove),
      times(20, (i) => writeReply(either(i), users[i % 10] as SignedIn, post._id)),
    ]);
    expect([...first, ...second].filter(({ status }) => status === 200)).toHaveLength(20);
    expect(statuses([...first, ...second])).toEqual([200, 404]);
    expect((await server.get(path)).body.post.replyCount).toBe(21);
  });

  test("of replies accepted at once one stays accepted", async () => {
    const { author, post, path } = await postWithReply();
    const replies = await times(8, () => writeReply(server, author, post._id));
    const answers = await times(8, (i) =>
      either(i).patch(`${path}/replies/${replies[i]._id}/accept`, undefined, author.token),
    );
    expect(answers.every(({ body }) => body.isAcceptedAnswer && body.postResolved)).toBe(true);
    const shown = (await server.get(path)).body.post;
    expect(shown.isResolved).toBe(true);
    expect(shown.replies.map(({ isAcceptedAnswer }: any) => isAcceptedAnswer)).toEqual([true, ...Array(8).fill(false)]);
  });

  test("one reply's twenty accepts at once are twenty toggles; so are those of resolving", async () => {
    const { author, path, replyPath } = await postWithReply();
    const accepts = await times(20, (i) => either(i).patch(`${replyPath}/accept`, undefined, author.token));
    expect(statuses(accepts)).toEqual([200]);
    expect(accepts.filter(({ body }) => body.isAcceptedAnswer)).toHaveLength(10);
    expect((await server.get(path)).body.post).toMatchObject({
      isResolved: false,
      replies: [{ isAcceptedAnswer: false }],
    });
    const resolves = await times(20, (i) => either(i).patch(`${path}/resolve`, undefined, author.token));
    expect(resolves.filter(({ body }) => body.isResolved)).toHaveLength(10);
    expect((await server.get(path)).body.post.isResolved).toBe(false);
  });
});

describe("deletions", () => {
  test("a post deleted while it is answered, voted on and accepted leaves nothing behind", async () => {
    const users = await crowd(6);
    await times(6, async (round) => {
      const { author, post, path, replyPath } = await postWithReply();
      const answers = await Promise.all([
        times(3, (i) => either(i).post(`${path}/replies`, { content: "late" }, users[(i + round) % 6]?.token)),
        times(6, (i) => either(i).post(`${path}/upvote`, undefined, users[i]?.token)),
        times(6, (i) => either(i).post(`${replyPath}/upvote`, undefined, users[i]?.token)),
        times(2, (i) => either(i).patch(`${replyPath}/accept`, undefined, author.token)),
        times(2, (i) => either(i).delete(path, author.token)),
      ]);
      expect(statuses(answers.flat()).every((status) => status === 200 || status === 404)).toBe(true);
      expect((await other.get(path)).status).toBe(404);
      const { CommunityReply, Vote } = server.deps.db;
      expect(await CommunityReply.countDocuments({ postId: post._id })).toBe(0);
      expect(await Vote.countDocuments({ targetId: post._id })).toBe(0);
    });
  });

  test("a reply deleted while it is voted on and accepted is never the accepted one afterwards", async () => {
    const users = await crowd(4);
    await times(8, async () => {
      const { author, path, replyPath } = await postWithReply();
      await Promise.all([
        times(4, (i) => either(i).post(`${replyPath}/upvote`, undefined, users[i]?.token)),
        times(3, (i) => either(i).patch(`${replyPath}/accept`, undefined, author.token)),
        times(2, (i) => either(i).delete(replyPath, author.token)),
      ]);
      expect((await server.get(path)).body.post).toMatchObject({ replyCount: 0, replies: [], isResolved: false });
    });
  });
});
