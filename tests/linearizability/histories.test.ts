import { expect, test } from "vitest";
import { buildCourse } from "../factories/courses.js";
import { deliver, paymentEvent, refundEvent } from "../factories/payment-events.js";
import { writePost } from "../factories/posts.js";
import { openPurchase, paymentId } from "../factories/purchases.js";
import { type SignedIn, startTestServer, type TestServer } from "../server/test-server.js";
import { type Call, isLinearizable, type Model, record } from "./linearizable.js";

const server = await startTestServer();
const instances: TestServer[] = [server, await server.another()];
const instance = (turn: number): TestServer => instances[turn % instances.length] ?? server;

interface Voted {
  upvoteCount: number;
  isUpvoted: boolean;
}

/** A toggle tells how many votes there are right after it. */
const votes: Model<ReadonlySet<string>, string, Voted> = {
  initial: new Set(),
  step(state, voter, { upvoteCount, isUpvoted }) {
    const next = new Set(state);
    if (!next.delete(voter)) next.add(voter);
    return next.size === upvoteCount && next.has(voter) === isUpvoted ? next : undefined;
  },
  key: (state) => [...state].sort().join(),
};

test("the checker tells a history that can have happened from one that cannot", () => {
  const call = (input: string, upvoteCount: number, isUpvoted: boolean, sentAt: number, answeredAt: number) => {
    return { input, output: { upvoteCount, isUpvoted }, sentAt, answeredAt };
  };
  expect(isLinearizable([call("a", 2, true, 0, 9), call("b", 1, true, 0, 9)], votes)).toBe(true);
  // Both saw the first vote: one was lost.
  expect(isLinearizable([call("a", 1, true, 0, 9), call("b", 1, true, 0, 9)], votes)).toBe(false);
  // The second was sent after the first was answered, and saw nothing of it.
  expect(isLinearizable([call("a", 2, true, 0, 1), call("b", 1, true, 2, 3)], votes)).toBe(false);
});

test("votes on one post, by four learners on two instances at once", async () => {
  const voters = await Promise.all([1, 2, 3, 4].map(() => server.signedIn()));
  for (let round = 0; round < 4; round += 1) {
    const post = await writePost(server, voters[0] as SignedIn);
    const path = `/api/community/posts/${post._id}/upvote`;
    const histories = await Promise.all(
      voters.map(async ({ id, token }, voter) => {
        const own: Call<string, Voted>[] = [];
        for (let turn = 0; turn < 4; turn += 1) {
          own.push(await record(id, async () => (await instance(voter + turn).post(path, {}, token)).body));
        }
        return own;
      }),
    );
    expect(isLinearizable(histories.flat(), votes)).toBe(true);
  }
});

type Money = "capture" | "refund" | "look";

/** One purchase: paid once, paid back once, enrolled exactly in between. A refund may come before its capture. */
const sale: Model<{ paid: boolean; refunded: boolean }, Money, boolean> = {
  initial: { paid: false, refunded: false },
  step(state, input, output) {
    if (input === "capture") return output ? { ...state, paid: true } : undefined;
    if (input === "refund") return output ? { ...state, refunded: true } : undefined;
    return output === (state.paid && !state.refunded) ? state : undefined;
  },
  key: ({ paid, refunded }) => `${paid} ${refunded}`,
};

test("captures, refunds and looks at the enrollment of one learner and course, on two instances at once", async () => {
  for (let round = 0; round < 5; round += 1) {
    const learner = await server.signedIn();
    const course = await buildCourse(server, { coursePrice: 100, discount: 0 });
    const { amount, ...bought } = await openPurchase(server, learner, course);
    const id = paymentId();
    const capture = paymentEvent("payment.captured", { ...bought, amount, id, currency: "INR" });
    const refund = refundEvent({ id: `rfnd_${id}`, paymentId: id, amount });
    const tell = (kind: Money, body: string, turn: number) =>
      record<Money, boolean>(kind, async () => (await deliver(instance(turn), body)).status === 200);
    const look = (turn: number) =>
      record<Money, boolean>("look", async () => {
        const { status } = await instance(turn).get(`/api/user/enrolled-courses/${course._id}`, learner.token);
        return status === 200;
      });
    const looking = async (from: number) => {
      const own: Call<Money, boolean>[] = [];
      for (let turn = 0; turn < 6; turn += 1) own.push(await look(from + turn));
      return own;
    };
    const history = await Promise.all([
      looking(0),
      looking(1),
      (async () => [await tell("capture", capture, round), await tell("capture", capture, round + 1)])(),
      (async () => [await tell("refund", refund, round + 1), await tell("refund", refund, round)])(),
    ]);
    const calls = [...history.flat(), await look(0)];
    expect(isLinearizable(calls, sale)).toBe(true);
    expect(calls.at(-1)?.output).toBe(false);
  }
});
