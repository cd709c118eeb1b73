import { afterEach, describe, expect, test } from "vitest";
import { discrepancies } from "../../assertions/recount.js";
import { writePost, writeReply } from "../../factories/posts.js";
import { type Answer, type SignedIn, startTestServer } from "../../server/test-server.js";

/* Every race is run on two instances that share a database; interleaving.test.ts arranges the worst orders. */

const server = await startTestServer({ own: "recounts all rows" });
const other = await server.another();
afterEach(async () => {
  await expect.poll(() => discrepancies(server)).toEqual([]);
});

const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));
const crowd = (n: number): Promise<SignedIn[]> => times(n, () => server.signedIn());
const either = (i: number) => (i % 2 === 0 ? server : other);
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))].sort();
const pathOf = (post: { _id: string }) => `/api/community/posts/${post._id}`;
const groupNamed = async (name: string) =>
  (await server.get("/api/community/groups")).body.groups.find((group: any) => group.name === name);

async function postWithReply() {
  const author = await server.signedIn();
  const post = await writePost(server, author);
  const reply = await writeReply(server, author, post._id);
  return { author, post, reply, path: pathOf(post), replyPath: `${pathOf(post)}/replies/${reply._id}` };
}

describe("a crowd is counted", () => {
  test("that joins and leaves a group", async () => {
    const users = await crowd(12);
    const created = await server.post("/api/community/groups", { name: "Crowded" }, users[0]?.token);
    const path = `/api/community/groups/${created.body.group._id}/membership`;
    const answers = await times(24, (i) => either(i).post(path, undefined, users[i % 12]?.token));
    expect(statuses(answers)).toEqual([200]);
    expect(await groupNamed("Crowded")).toMatchObject({ memberCount: 1 });
  });

  test("that writes and deletes posts, in a group and in none", async () => {
    const users = await crowd(12);
    const before = (await server.get("/api/community/posts?limit=1")).body.total;
    const created = await server.post("/api/community/groups", { name: "Busy" }, users[0]?.token);
    const fields = (i: number) => (i % 3 > 0 ? { groupId: created.body.group._id } : {});
    const write = (i: number) => writePost(either(i), users[i] as SignedIn, fields(i));
    const posts = await times(12, write);
    const deleted = times(12, (i) => either(i + 1).delete(pathOf(posts[i]), users[i]?.token));
    await times(12, write);
    expect(statuses(await deleted)).toEqual([200]);
    expect(await groupNamed("Busy")).toMatchObject({ postCount: 8 });
    expect((await other.get("/api/community/posts?limit=1")).body.total).toBe(before + 12);
  });

  test("that writes and deletes replies", async () => {
    const { post, path } = await postWithReply();
    const users = await crowd(8);
    const write = (i: number) => writeReply(either(i), users[i % 8] as SignedIn, post._id);
    const replies = await times(16, write);
    const remove = (i: number) => either(i).delete(`${path}/replies/${replies[i]._id}`, users[i % 8]?.token);
    const [first, second] = await Promise.all([times(16, remove), times(16, remove), times(16, write)]);
    expect([...first, ...second].filter(({ status }) => status === 200)).toHaveLength(16);
    expect(statuses([...first, ...second])).toEqual([200, 404]);
    expect((await server.get(path)).body.post.replyCount).toBe(17);
  });
});

test.each([
  ["upvotes of a post", "POST", "path", "upvote", "isUpvoted"],
  ["upvotes of a reply", "POST", "replyPath", "upvote", "isUpvoted"],
  ["accepts of a reply", "PATCH", "replyPath", "accept", "isAcceptedAnswer"],
  ["resolves of a post", "PATCH", "path", "resolve", "isResolved"],
] as const)("one user's twelve %s at once are twelve toggles", async (_what, method, target, action, state) => {
  const { author, ...paths } = await postWithReply();
  const toggle = (i: number) => either(i).call(method, `${paths[target]}/${action}`, { token: author.token });
  const answers = await times(12, toggle);
  expect(statuses(answers)).toEqual([200]);
  expect(answers.filter(({ body }) => body[state])).toHaveLength(6);
  for (const { body } of answers) {
    if (action === "upvote") expect(body.upvoteCount).toBe(body.isUpvoted ? 1 : 0);
  }
  const { post } = (await server.get(paths.path, author.token)).body;
  const off = { isResolved: false, upvoteCount: 0, isUpvoted: false };
  expect(post).toMatchObject({ ...off, replies: [{ isAcceptedAnswer: false, upvoteCount: 0, isUpvoted: false }] });
  expect((await toggle(0)).body[state]).toBe(true);
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
