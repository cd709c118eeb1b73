import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { scheduleCheck } from "../../../src/services/payments/reconcile/check-schedule.js";
import { expectRecount } from "../../assertions/recount.js";
import { buildCourse } from "../../factories/courses.js";
import { activeCourses, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { runCommand } from "../../server/compiled.js";
import { paymentsOf } from "../../server/emulators.js";
import { reconcile } from "../../server/payment-jobs.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
beforeEach(async () => {
  paymentsOf(server).faults.clear();
  // What earlier tests left is not asked about again.
  await server.deps.db.Purchase.updateMany({}, { $unset: { nextCheckAt: 1 } });
});

const hours = (count: number) => count * 60 * 60_000;
const age = (purchaseId: string, ms: number) =>
  server.deps.db.Purchase.updateOne(
    { _id: purchaseId },
    { $set: { createdAt: new Date(Date.now() - ms), nextCheckAt: new Date() } },
    { timestamps: false, overwriteImmutable: true },
  );

test("a fresh purchase is left alone, an older one asked about, given up after a day, and completed by a late capture even then", async () => {
  const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
  expect(await reconcile(server)).toEqual({});
  await age(purchaseId, hours(1));
  expect(await reconcile(server)).toEqual({ unchanged: 1 });
  const asked = await purchaseOf(server, purchaseId);
  expect(asked).toMatchObject({ status: "pending", checks: 1 });
  expect(asked.nextCheckAt?.getTime()).toBeGreaterThan(Date.now());
  await age(purchaseId, hours(25));
  expect(await reconcile(server)).toEqual({ failed: 1 });
  await paymentsOf(server).pay(orderId, { webhook: false });
  await age(purchaseId, hours(26));
  expect(await reconcile(server)).toEqual({ completed: 1 });
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  expect(await reconcile(server, { all: true })).toEqual({});
  await expectRecount(server);
});

test("a payment that failed at the provider completes nothing, by whichever way it is asked about", async () => {
  const { learner, purchaseId, orderId } = await unpaidPurchase(server);
  await paymentsOf(server).pay(orderId, { outcome: "failed", webhook: false });
  await age(purchaseId, hours(1));
  expect(await reconcile(server)).toEqual({ unchanged: 1 });
  expect((await purchaseOf(server, purchaseId)).status).toBe("pending");
  expect(await activeCourses(server, learner)).toEqual([]);
});

test("an order under our receipt at another amount is not taken for ours", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  paymentsOf(server).faults.add({ kind: "error", on: "orders.create", times: 1 });
  const buy = () => server.post("/api/user/purchase", { courseId: String(course._id) }, learner.token);
  expect((await buy()).status).toBe(500);
  const purchase = await server.deps.db.Purchase.findOne({ userId: learner.id }).orFail().lean();
  const wanted = { currency: purchase.currency, receipt: String(purchase._id), notes: {} };
  const foreign = await server.deps.payments.createOrder({ ...wanted, amountMinor: 100 });
  const { body } = await buy();
  expect(body.success).toBe(true);
  expect(body.orderId).not.toBe(foreign.id);
});

test("a lost order is found by its receipt, with the payment that was made on it", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  paymentsOf(server).faults.add({ kind: "lost-reply", on: "orders.create", times: 1 });
  const answer = await server.post("/api/user/purchase", { courseId: String(course._id) }, learner.token);
  expect(answer.status).toBe(500);
  const purchase = await server.deps.db.Purchase.findOne({ userId: learner.id }).lean();
  const purchaseId = String(purchase?._id);
  await age(purchaseId, hours(0.1));
  expect(await reconcile(server)).toEqual({ "order found": 1 });
  const found = await purchaseOf(server, purchaseId);
  expect(found.status).toBe("pending");
  await paymentsOf(server).pay(found.providerOrderId ?? "", { webhook: false });
  await age(purchaseId, hours(0.2));
  expect(await reconcile(server)).toEqual({ completed: 1 });
});

test("a payment of another currency or less money is flagged, not completed", async () => {
  const [one, two] = [await unpaidPurchase(server), await unpaidPurchase(server)];
  await paymentsOf(server).pay(one.orderId, { webhook: false, amount: 100 });
  await paymentsOf(server).pay(two.orderId, { webhook: false, currency: "USD" });
  await Promise.all([age(one.purchaseId, hours(0.1)), age(two.purchaseId, hours(0.1))]);
  expect(await reconcile(server)).toEqual({ "needs review": 2 });
  const withheld = (reviewReason: string) => ({ status: "pending", reviewReason });
  expect(await purchaseOf(server, one.purchaseId)).toMatchObject(withheld("amount_mismatch"));
  expect(await purchaseOf(server, two.purchaseId)).toMatchObject(withheld("currency_mismatch"));
});

test("a payment that was captured and paid back while no webhook came ends refunded", async () => {
  const { learner, purchaseId, orderId } = await unpaidPurchase(server);
  const { razorpay_payment_id } = await paymentsOf(server).pay(orderId, { webhook: false });
  await paymentsOf(server).refund(razorpay_payment_id, { webhook: false });
  await age(purchaseId, hours(0.1));
  await reconcile(server);
  expect((await purchaseOf(server, purchaseId)).status).toBe("refunded");
  expect(await activeCourses(server, learner)).toEqual([]);
  await expectRecount(server);
});

test("with the jobs running on two instances order.paid alone completes within seconds", async () => {
  const first = await startTestServer({ jobs: true });
  await first.another();
  const { learner, course, orderId } = await unpaidPurchase(first);
  await paymentsOf(first).pay(orderId, { webhook: false });
  const body = JSON.stringify({ event: "order.paid", payload: { order: { entity: { id: orderId } } } });
  await first.call("POST", "/razorpay", { body, headers: paymentsOf(first).signWebhook(body) });
  const enrolled = () => activeCourses(first, learner);
  await expect.poll(enrolled, { timeout: 20_000, interval: 250 }).toEqual([String(course._id)]);
});

const runReconcile = () =>
  runCommand("ops/reconcile/reconcile.ts", [], {
    ...{ ...server.emulators.env, MONGODB_URI: server.databaseUri, LOG_LEVEL: "warn" },
  });

test("npm run reconcile asks about everything that is open, once, and prints what it did", async () => {
  const { learner, course, orderId } = await unpaidPurchase(server);
  await unpaidPurchase(server);
  await paymentsOf(server).pay(orderId, { webhook: false });
  const run = await runReconcile();
  expect(run.stdout).toBe("payment events finished: 0\nasked the provider: 1 completed, 1 unchanged\n");
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
});

test("npm run reconcile fails when the provider goes away half-way, and says how many purchases are still open", async () => {
  for (let n = 0; n < 6; n += 1) await unpaidPurchase(server);
  // One answer, then no more. Several are asked about at once.
  const { faults } = paymentsOf(server);
  faults.add({ kind: "slow", ms: 1, times: 1 });
  faults.add({ kind: "error", status: 503 });
  expect(await runReconcile()).toEqual({
    code: 1,
    stdout: expect.stringMatching(
      /^payment events finished: 0\nasked the provider: (\d not asked, )?[3-5] provider away, 1 unchanged/,
    ),
    stderr: expect.stringMatching(/The payment provider did not answer: 5 purchases are still open, run this again\n$/),
  });
});

test("a purchase whose order the provider does not know any more is given up after a day", async () => {
  const { purchaseId } = await unpaidPurchase(server);
  paymentsOf(server).faults.add({ kind: "error", status: 400, on: "orders.payments" });
  await age(purchaseId, hours(23));
  expect(await reconcile(server)).toEqual({ errors: 1 });
  expect((await purchaseOf(server, purchaseId)).status).toBe("pending");
  await age(purchaseId, hours(25));
  expect(await reconcile(server)).toEqual({ errors: 1 });
  expect((await purchaseOf(server, purchaseId)).status).toBe("failed");
});

test("a look that is asked for while one is under way is not put off by it", async () => {
  const { purchaseId, orderId } = await unpaidPurchase(server);
  await age(purchaseId, hours(20));
  paymentsOf(server).faults.add({ kind: "slow", ms: 400, on: "orders.payments", times: 1 });
  const running = reconcile(server);
  await pause(150);
  const { db } = server.deps;
  const asked = await db.transaction((session) => scheduleCheck(db, session, { providerOrderId: orderId }));
  expect(asked).toBe(true);
  expect(await running).toEqual({ unchanged: 1 });
  expect((await purchaseOf(server, purchaseId)).nextCheckAt?.getTime()).toBeLessThanOrEqual(Date.now());
});
