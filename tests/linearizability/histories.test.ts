import { expect, test } from "vitest";
import { writePost } from "../factories/posts.js";
import { type SignedIn, startTestServer } from "../server/test-server.js";
import { isLinearizable, type Model, oneByOne } from "./linearizable.js";

const server = await startTestServer();
const other = await server.another();

interface Voted {
  upvoteCount: number;
  isUpvoted: boolean;
}

/** A set of voters. A toggle returns the number of votes right after it. */
const votes: Model<ReadonlySet<string>, string, Voted> = {
  initial: new Set(),
  step(state, voter, { upvoteCount, isUpvoted }) {
    const next = new Set(state);
    if (!next.delete(voter)) next.add(voter);
    return next.size === upvoteCount && next.has(voter) === isUpvoted ? next : undefined;
  },
  key: (state) => [...state].sort().join(),
};

test("the checker accepts a possible history and rejects an impossible one", () => {
  const call = (input: string, upvoteCount: number, isUpvoted: boolean, sentAt: number, answeredAt: number) => {
    return { input, output: { upvoteCount, isUpvoted }, sentAt, answeredAt };
  };
  expect(isLinearizable([call("a", 2, true, 0, 9), call("b", 1, true, 0, 9)], votes)).toBe(true);
  // Both calls saw the first vote, so one vote was lost.
  expect(isLinearizable([call("a", 1, true, 0, 9), call("b", 1, true, 0, 9)], votes)).toBe(false);
  // The second call started after the end of the first and did not see it.
  expect(isLinearizable([call("a", 2, true, 0, 1), call("b", 1, true, 2, 3)], votes)).toBe(false);
});

test("votes on one post, by four learners on two instances at once", async () => {
  const voters = await Promise.all([1, 2, 3, 4].map(() => server.signedIn()));
  for (let round = 0; round < 4; round += 1) {
    const post = await writePost(server, voters[0] as SignedIn);
    const path = `/api/community/posts/${post._id}/upvote`;
    const histories = await Promise.all(
      voters.map(({ id, token }, voter) =>
        oneByOne(Array(4).fill(id), voter % 2 ? [other, server] : [server, other], async (_voter, at) => {
          return (await at.post(path, {}, token)).body as Voted;
        }),
      ),
    );
    expect(isLinearizable(histories.flat(), votes)).toBe(true);
  }
});
