import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { discrepancies, writePost, writeReply } from "../support/community.js";
import { type SignedIn, startTestServer, type TestServer } from "../support/server.js";

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  other = await server.another();
});
afterAll(async () => {
  await other.close();
  await server.close();
});
afterEach(async () => {
  expect(await discrepancies(server)).toEqual([]);
});

const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));
const crowd = (n: number): Promise<SignedIn[]> => times(n, () => server.signedIn());
const either = (i: number) => (i % 2 === 0 ? server : other);
const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))].sort();

describe("votes", () => {
  test("a hundred people who vote for one reply at once, on two instances, are all counted", async () => {
    const author = await server.signedIn();
    const post = await writePost(server, author);
    const reply = await writeReply(server, author, post._id);
    const voters = await crowd(100);
    const path = `/api/community/posts/${post._id}/replies/${reply._id}/upvote`;
    const answers = await times(100, (i) => either(i).post(path, undefined, voters[i]?.token));
    expect(answers.every(({ status, body }) => status === 200 && body.isUpvoted === true)).toBe(true);
    expect(answers.map(({ body }) => body.upvoteCount).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
    const { body } = await server.get(`/api/community/posts/${post._id}`, voters[0]?.token);
    expect(body.post.replies[0]).toMatchObject({ upvoteCount: 100, isUpvoted: true });
  });

  test("one person's fifty toggles at once, on two instances, take turns: none counts twice and none goes negative", async () => {
    const author = await server.signedIn();
    const post = await writePost(server, author);
    const path = `/api/community/posts/${post._id}/upvote`;
    const answers = await times(50, (i) => either(i).post(path, undefined, author.token));
    expect(statuses(answers)).toEqual([200]);
    for (const { body } of answers) expect(body.upvoteCount).toBe(body.isUpvoted ? 1 : 0);
    expect(answers.filter(({ body }) => body.isUpvoted)).toHaveLength(25);
    const odd = await server.post(path, undefined, author.token);
    expect(odd.body).toEqual({ success: true, upvoteCount: 1, isUpvoted: true });
  });
});
