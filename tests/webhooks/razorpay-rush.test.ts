import { setTimeout as pause } from "node:timers/promises";
import { type mongo, Types } from "mongoose";
import { beforeAll, expect, test, vi } from "vitest";
import type { Course } from "../../src/models/courses/course.js";
import { watchTransactions } from "../assertions/in-transactions.js";
import { expectRecount } from "../assertions/recount.js";
import { buildCourse } from "../factories/courses.js";
import { deliver, paymentEvent, refundEvent } from "../factories/payment-events.js";
import { activeCourses, openPurchase, paymentId, purchaseOf, unpaidPurchase } from "../factories/purchases.js";
import { applyPendingEvents } from "../server/payment-jobs.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const transactions = watchTransactions(server);
let second: TestServer;
beforeAll(async () => {
  second = await server.another();
});

/** Applies what was put off until a check passes. */
const eventually = (check: () => Promise<void>) =>
  vi.waitFor(
    async () => {
      await applyPendingEvents(server, { asOf: new Date(Date.now() + 60_000) });
      await check();
    },
    { timeout: 20_000 },
  );

async function opened(course: Pick<Course, "_id">) {
  const learner = await server.signedIn();
  return { learner, ...(await openPurchase(server, learner, course)) };
}

test("sixteen sales of one course at once on two instances, half of them paid back at the same moment", async () => {
  const course = await buildCourse(server, { coursePrice: 100, discount: 0 });
  const sales = await Promise.all(Array.from({ length: 16 }, () => opened(course)));
  const sent = await Promise.all(
    sales.flatMap(({ purchaseId, amount }, i) => {
      const id = paymentId();
      const [one, other] = i % 2 === 0 ? [server, second] : [second, server];
      const captured = deliver(one, paymentEvent("payment.captured", { id, purchaseId, amount }));
      if (i % 2 === 0) return [captured];
      return [captured, deliver(other, refundEvent({ id: `rfnd_${id}`, paymentId: id, amount }))];
    }),
  );
  expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
  await eventually(async () => {
    for (const [i, { purchaseId }] of sales.entries()) {
      const { status } = await purchaseOf(server, purchaseId);
      expect({ i, status }).toEqual({ i, status: i % 2 === 0 ? "completed" : "refunded" });
    }
  });
  const shown = (await server.get(`/api/course/${course._id}`)).body.courseData;
  expect(shown.totalEnrolledStudents).toBe(8);
  await expectRecount(server);
});

test("two purchases of one learner and course, both paid back at once, leave no enrollment", async () => {
  for (let round = 0; round < 3; round += 1) {
    const { learner, course, purchaseId: first, amount } = await unpaidPurchase(server);
    const [one, two] = [paymentId(), paymentId()];
    // The first fails, so that a second one can be opened; then both are paid after all.
    await deliver(server, paymentEvent("payment.failed", { id: paymentId(), purchaseId: first }));
    const { purchaseId: other } = await openPurchase(server, learner, course);
    await deliver(server, paymentEvent("payment.captured", { id: one, purchaseId: first, amount }));
    await deliver(server, paymentEvent("payment.captured", { id: two, purchaseId: other, amount }));
    expect((await purchaseOf(server, other)).reviewReason).toBe("duplicate_charge");
    await Promise.all(
      [one, two].map((id, i) =>
        deliver(i === 0 ? server : second, refundEvent({ id: `rfnd_${id}`, paymentId: id, amount })),
      ),
    );
    await eventually(async () => {
      for (const id of [first, other]) expect((await purchaseOf(server, id)).status).toBe("refunded");
    });
    expect(await activeCourses(server, learner)).toEqual([]);
    await expectRecount(server);
  }
});

/** Keeps the database from writing these purchases until the returned function is called. */
async function holdUp(purchaseIds: readonly string[]): Promise<() => Promise<void>> {
  const session = await server.deps.database.startSession();
  session.startTransaction();
  const held = { _id: { $in: purchaseIds.map((id) => new Types.ObjectId(id)) } };
  await server.deps.db.Purchase.collection.updateMany(held, { $set: { heldUp: true } }, { session });
  return async () => {
    await session.abortTransaction();
    await session.endSession();
  };
}

async function pay({ purchaseId, orderId, amount }: Awaited<ReturnType<typeof unpaidPurchase>>): Promise<void> {
  const event = paymentEvent("payment.captured", { id: paymentId(), purchaseId, orderId, amount, currency: "INR" });
  expect((await deliver(server, event)).status).toBe(200);
}

async function expectCompleted(sales: readonly { purchaseId: string }[]): Promise<void> {
  await applyPendingEvents(server, { asOf: new Date(Date.now() + 60_000) });
  for (const { purchaseId } of sales) expect((await purchaseOf(server, purchaseId)).status).toBe("completed");
}

test("payments that the database holds up do not hold up others", async () => {
  const [one, two, other] = [await unpaidPurchase(server), await unpaidPurchase(server), await unpaidPurchase(server)];
  const release = await holdUp([one.purchaseId, two.purchaseId]);
  let answered = 0;
  const held = [one, two].map((sale) => pay(sale).then(() => (answered += 1)));
  await pay(other);
  expect(answered).toBe(0);
  expect((await purchaseOf(server, other.purchaseId)).status).toBe("completed");
  await release();
  await Promise.all(held);
  await expectCompleted([one, two, other]);
});

test("of many payments that the database holds up no more than eight are applied at once", async () => {
  const sales: Awaited<ReturnType<typeof unpaidPurchase>>[] = [];
  for (let n = 0; n < 16; n += 1) sales.push(await unpaidPurchase(server));
  const release = await holdUp(sales.map(({ purchaseId }) => purchaseId));
  const client = server.deps.database.getClient();
  const open = new Set<string>();
  let most = 0;
  const begun = ({ command }: mongo.CommandStartedEvent): void => {
    const session = String(command.lsid?.id);
    if (command.startTransaction) open.add(session);
    if (command.commitTransaction || command.abortTransaction) open.delete(session);
    most = Math.max(most, open.size);
  };
  client.on("commandStarted", begun);
  const paid = sales.map(pay);
  await expect.poll(() => most).toBe(8);
  await pause(200);
  await release();
  await Promise.all(paid);
  client.off("commandStarted", begun);
  expect(most).toBe(8);
  await expectCompleted(sales);
});

test("nothing escaped its transaction", () => {
  expect(transactions.committed).toBeGreaterThan(0);
  expect(transactions.escaped).toEqual([]);
});
