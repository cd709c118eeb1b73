import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { expectRecount } from "../../assertions/recount.js";
import { refusal } from "../../assertions/refusal.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
import { activeCourses, openPurchase, paymentId, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { paymentsOf } from "../../server/emulators.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });

const buy = (courseId: unknown, learner: SignedIn, headers?: Record<string, string>) =>
  server.post("/api/user/purchase", { courseId: String(courseId) }, learner.token, headers);
const orders = (purchaseId: string) =>
  paymentsOf(server)
    .records()
    .orders.filter(({ receipt }) => receipt === purchaseId);

test("a learner buys a course, pays at the checkout, and is enrolled by the webhook alone", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const opened = await buy(course._id, learner);
  expect(opened.status).toBe(200);
  expect(opened.body).toEqual({
    ...{ success: true, purchaseId: expect.stringMatching(/^[0-9a-f]{24}$/), enrolled: false },
    ...{ orderId: expect.stringMatching(/^order_/), keyId: server.deps.config.payments.keyId },
    ...{ amount: 899.1, currency: "INR" },
  });
  const { purchaseId, orderId } = opened.body;
  const notes = { purchaseId, courseTitle: course.courseTitle };
  expect(orders(purchaseId)).toMatchObject([{ id: orderId, amount: 89910, currency: "INR", notes }]);
  await paymentsOf(server).pay(orderId);
  await paymentsOf(server).settled();
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  expect(await buy(course._id, learner)).toMatchObject(refusal(409, "Course already purchased"));
  await expectRecount(server);
});

describe("refusals, in their order", () => {
  test("a body without the name of a course is invalid", async () => {
    const learner = await server.signedIn();
    for (const courseId of [undefined, "", "   ", 7, { $gt: "" }, null, ["a"]]) {
      const refused = await server.post("/api/user/purchase", { courseId }, learner.token);
      expect(refused).toMatchObject(refusal(400, "Invalid request data"));
    }
  });

  test("a user without a user record is not found, even for an unknown course", async () => {
    const learner = await server.signedIn();
    await server.deps.db.User.deleteOne({ _id: learner.id });
    expect(await buy("nothing", learner)).toMatchObject(refusal(404, "User not found"));
  });

  test("an unknown course is not found, and a draft by its educator only", async () => {
    const [educator, learner] = [await server.signedIn("educator"), await server.signedIn()];
    for (const courseId of ["ffffffffffffffffffffffff", "not-an-id", "__proto__", "x".repeat(5000)])
      expect(await buy(courseId, learner)).toMatchObject(refusal(404, "Course not found"));
    const draft = await buildCourse(server, { isPublished: false, educatorId: educator.id });
    expect(await buy(draft._id, learner)).toMatchObject(refusal(404, "Course not found"));
    expect((await buy(draft._id, educator)).status).toBe(200);
  });
});

test("the provider at an address of our own is asked directly, whatever proxy the environment names", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ["HTTP_PROXY", "http_proxy"]) vi.stubEnv(name, "http://127.0.0.1:9");
  for (const name of ["NO_PROXY", "no_proxy"]) vi.stubEnv(name, "");
  expect((await unpaidPurchase(server)).orderId).toMatch(/^order_/);
});

test("a free course is the learner's at once, once, without the provider", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server, { coursePrice: 500, discount: 100 });
  const before = paymentsOf(server).records().orders.length;
  const answers = await Promise.all(Array.from({ length: 8 }, () => buy(course._id, learner)));
  const taken = answers.filter(({ status }) => status === 200);
  expect(taken.length).toBeGreaterThan(0);
  const free = { success: true, purchaseId: expect.any(String), orderId: null, keyId: null, enrolled: true };
  expect(taken[0]?.body).toEqual(free);
  expect(new Set(taken.map(({ body }) => body.purchaseId)).size).toBe(1);
  expect(answers.filter(({ status }) => status !== 200).every(({ status }) => status === 409)).toBe(true);
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  expect(await server.deps.db.Purchase.countDocuments({ userId: learner.id })).toBe(1);
  expect(paymentsOf(server).records().orders.length).toBe(before);
  expect(await buy(course._id, learner)).toMatchObject(refusal(409, "Course already purchased"));
  await expectRecount(server);
});

describe("one live order", () => {
  test("twenty simultaneous requests leave one, and those within the limit all receive it", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const other = await server.another();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? server : other).post("/api/user/purchase", { courseId: String(course._id) }, learner.token),
      ),
    );
    const received = answers.flatMap(({ status, body }) => (status === 200 ? [body] : []));
    expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    expect(received.length).toBeGreaterThanOrEqual(10);
    for (const one of received) expect(one).toEqual(received[0]);
    expect(orders(received[0].purchaseId).length).toBe(1);
    expect(await server.deps.db.Purchase.countDocuments({ userId: learner.id })).toBe(1);
  });

  test("a repeat returns it while the price stands; a new price closes it, and its late payment still counts", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const first = await openPurchase(server, learner, course);
    expect(await openPurchase(server, learner, course)).toEqual(first);
    await server.deps.db.Course.updateOne({ _id: course._id }, { $set: { discount: 50 } });
    const second = await openPurchase(server, learner, course);
    expect(second.purchaseId).not.toBe(first.purchaseId);
    expect(second.amount).toBe(49950);
    expect((await purchaseOf(server, first.purchaseId)).status).toBe("failed");
    await paymentsOf(server).pay(first.orderId);
    await paymentsOf(server).settled();
    expect(await purchaseOf(server, first.purchaseId)).toMatchObject({ status: "completed", amount: 899.1 });
    expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  });

  test("a purchase that is under review or a day old is closed and a new one opened", async () => {
    const [learner, other] = [await server.signedIn(), await server.signedIn()];
    const course = await buildCourse(server);
    const first = await openPurchase(server, learner, course);
    const { purchaseId, orderId } = first;
    await deliver(server, paymentEvent("payment.captured", { id: paymentId(), amount: 100, orderId, purchaseId }));
    expect((await purchaseOf(server, purchaseId)).reviewReason).toBe("amount_mismatch");
    expect((await openPurchase(server, learner, course)).purchaseId).not.toBe(purchaseId);

    const old = await openPurchase(server, other, course);
    const dayAgo = { $set: { createdAt: new Date(Date.now() - 25 * 60 * 60_000) } };
    const untouched = { timestamps: false, overwriteImmutable: true };
    await server.deps.db.Purchase.updateOne({ _id: old.purchaseId }, dayAgo, untouched);
    expect((await openPurchase(server, other, course)).purchaseId).not.toBe(old.purchaseId);
    expect((await purchaseOf(server, old.purchaseId)).status).toBe("failed");
  });
});

test("a request that waits for an order while the price changes goes on at the new price", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const { Course, Purchase } = server.deps.db;
  paymentsOf(server).faults.add({ kind: "slow", ms: 1_200, on: "orders.create", times: 1 });
  const before = [1, 2, 3, 4].map(() => buy(course._id, learner));
  await vi.waitUntil(() => Purchase.exists({ userId: learner.id }), { interval: 5, timeout: 20_000 });
  await pause(100);
  await Course.updateOne({ _id: course._id }, { $set: { discount: 50 } });
  const answers = await Promise.all([...before, buy(course._id, learner)]);
  expect(answers.map(({ status, body }) => [status, body.amount])).toEqual(answers.map(() => [200, 499.5]));
  expect(new Set(answers.map(({ body }) => body.orderId)).size).toBe(1);
  const purchases = await Purchase.find({ userId: learner.id }).sort({ _id: 1 }).lean();
  expect(purchases.map(({ status, amount }) => [status, amount])).toEqual([
    ["failed", 899.1],
    ["pending", 499.5],
  ]);
});

test("a payment that arrives while the purchase is opened again leaves no second one", async () => {
  const proxy = await startDatabaseProxy(server.databaseUri);
  onTestFinished(() => proxy.close());
  const slow = await server.another({ MONGODB_URI: proxy.uri });
  const stepMs = 60;
  proxy.slowDown(stepMs);
  const openAgain = async (commands: number): Promise<void> => {
    const { learner, course, purchaseId, orderId, amount } = await unpaidPurchase(server);
    const asking = slow.post("/api/user/purchase", { courseId: String(course._id) }, learner.token);
    await pause((commands + 0.5) * stepMs);
    const reported = { purchaseId, orderId, amount, id: paymentId(), currency: "INR" };
    await deliver(server, paymentEvent("payment.captured", reported));
    const { status, body } = await asking;
    expect([200, 409]).toContain(status);
    if (status === 200) expect(body.purchaseId).toBe(purchaseId);
    const known = await server.deps.db.Purchase.find({ userId: learner.id }).lean();
    expect(known.filter(({ _id, status }) => String(_id) !== purchaseId && status !== "failed")).toEqual([]);
  };
  // The payment arrives before the first command of the request, before its second, and so on.
  await Promise.all([0, 1, 2, 3, 4, 5, 6].map(openAgain));
});

describe("a fault of the provider", () => {
  test.each(["error", "cut", "lost-reply", "garbled"] as const)(
    "%s: 500, the purchase is kept, and the next call finishes it with one order",
    async (kind) => {
      const learner = await server.signedIn();
      const course = await buildCourse(server);
      paymentsOf(server).faults.add({ kind, on: "orders.create", times: 1 });
      expect(await buy(course._id, learner)).toMatchObject(refusal(500, "An unexpected error occurred"));
      const kept = await server.deps.db.Purchase.findOne({ userId: learner.id }).lean();
      expect(kept?.status).toBe("created");
      const opened = await openPurchase(server, learner, course);
      expect(opened.purchaseId).toBe(String(kept?._id));
      expect(orders(opened.purchaseId).map(({ id }) => id)).toEqual([opened.orderId]);
    },
  );

  test("while it cannot be asked whether an order exists, none is made", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const { faults } = paymentsOf(server);
    faults.add({ kind: "lost-reply", on: "orders.create", times: 1 });
    faults.add({ kind: "error", on: "orders.list", times: 1 });
    expect((await buy(course._id, learner)).status).toBe(500);
    expect((await buy(course._id, learner)).status).toBe(500);
    const opened = await openPurchase(server, learner, course);
    expect(orders(opened.purchaseId).map(({ id }) => id)).toEqual([opened.orderId]);
  });
});

describe("Idempotency-Key", () => {
  test("after a failure, which is not saved, the same request gets the saved reply, also at once and at a new price", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const key = { "idempotency-key": "checkout-1" };
    paymentsOf(server).faults.add({ kind: "error", on: "orders.create", times: 1 });
    expect((await buy(course._id, learner, key)).status).toBe(500);
    const answers = await Promise.all([1, 2, 3].map(() => buy(course._id, learner, key)));
    await server.deps.db.Course.updateOne({ _id: course._id }, { $set: { discount: 0 } });
    answers.push(await buy(course._id, learner, key));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test("another request under it is refused, another learner's is their own", async () => {
    const [learner, other] = [await server.signedIn(), await server.signedIn()];
    const [course, second] = [await buildCourse(server), await buildCourse(server)];
    const key = { "idempotency-key": "checkout-2" };
    const first = await buy(course._id, learner, key);
    expect(await buy(second._id, learner, key)).toMatchObject(
      refusal(409, "Idempotency-Key was used with another request"),
    );
    const others = await buy(second._id, other, key);
    expect(others.status).toBe(200);
    expect(others.body.purchaseId).not.toBe(first.body.purchaseId);
  });

  test("an overlong key is invalid", async () => {
    const answer = await buy("x", await server.signedIn(), { "idempotency-key": "k".repeat(256) });
    expect(answer).toMatchObject(refusal(400, "Invalid request data"));
  });
});
