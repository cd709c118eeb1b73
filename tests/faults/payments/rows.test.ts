import { beforeEach, expect, test } from "vitest";
import { giveNumbers } from "../../../src/services/invoices/number-invoices.js";
import { expectRecount } from "../../assertions/recount.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
import { activeCourses, checkoutOf, paymentId, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { paymentsOf } from "../../server/emulators.js";
import { applyPendingEvents, reconcile, storeEvent } from "../../server/payment-jobs.js";
import { runJob } from "../../server/run-job.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
const { Purchase, PaymentEvent } = server.deps.db;
beforeEach(async () => {
  paymentsOf(server).faults.clear();
  paymentsOf(server).account.capture = "automatic";
  await Purchase.updateMany({}, { $unset: { nextCheckAt: 1 } });
});

const longAgo = new Date(Date.now() - 60_000);
const putBack = async (task: string) =>
  Number(
    new RegExp(`lyceum_payment_retries_total\\{task="${task}"\\} (\\d+)`).exec(
      (await server.get("/metrics")).body,
    )?.[1] ?? 0,
  );

test("purchases that cannot be asked about stop no other one, and wait longer each time", async () => {
  const bad = await Promise.all(Array.from({ length: 5 }, () => unpaidPurchase(server)));
  const good = await unpaidPurchase(server);
  await paymentsOf(server).pay(good.orderId, { webhook: false });
  // The provider has never heard of these orders, and says so.
  for (const [n, { purchaseId }] of bad.entries()) {
    const unknown = { providerOrderId: `order_unknown${n}`, nextCheckAt: longAgo };
    await Purchase.updateOne({ _id: purchaseId }, { $set: unknown });
  }
  await Purchase.updateOne({ _id: good.purchaseId }, { $set: { nextCheckAt: new Date() } });
  expect(await reconcile(server)).toEqual({ completed: 1, errors: 5 });
  expect(await putBack("purchase")).toBe(5);

  const id = bad[0]?.purchaseId ?? "";
  for (const minutes of [4, 8, 16]) {
    await Purchase.updateMany({ providerOrderId: /unknown/ }, { $unset: { nextCheckAt: 1 } });
    await Purchase.updateOne({ _id: id }, { $set: { nextCheckAt: longAgo } });
    const before = Date.now();
    await reconcile(server);
    const pause = ((await purchaseOf(server, id)).nextCheckAt?.getTime() ?? 0) - before;
    // Jitter changes each pause by up to a quarter.
    expect(Math.abs(pause / 60_000 - minutes)).toBeLessThanOrEqual(minutes / 4 + 0.1);
  }
});

test("one purchase whose orders cannot be looked up does not stop the watch of the others", async () => {
  const [bad, good] = [await unpaidPurchase(server), await unpaidPurchase(server)];
  const watched = (purchaseId: string, at: Date) =>
    Purchase.updateOne({ _id: purchaseId }, { $set: { secondAttemptAt: longAgo, nextCheckAt: at } });
  await watched(bad.purchaseId, longAgo);
  await watched(good.purchaseId, new Date());
  paymentsOf(server).faults.add({ kind: "error", on: "orders.list", times: 1 });
  const before = await putBack("purchase");
  await reconcile(server);
  const next = async (purchaseId: string) => (await purchaseOf(server, purchaseId)).nextCheckAt?.getTime();
  expect(await next(good.purchaseId)).toBeGreaterThan(Date.now());
  expect(await next(bad.purchaseId)).toBeGreaterThan(Date.now());
  expect((await putBack("purchase")) - before).toBe(1);
});

test("an event that cannot be resumed stops no other one", async () => {
  const { learner, course, purchaseId } = await unpaidPurchase(server);
  const stored = async (body: string) => (await storeEvent(server, body))._id;
  const bad = await stored(paymentEvent("payment.captured", { id: paymentId(), purchaseId: "damaged" }));
  const good = await stored(paymentEvent("payment.captured", { id: paymentId(), purchaseId }));
  expect(await applyPendingEvents(server)).toBe(0); // The requests that stored them may still apply them.
  await PaymentEvent.collection.updateOne({ _id: bad }, { $set: { body: null, nextAttemptAt: longAgo } } as object);
  await PaymentEvent.updateOne({ _id: good }, { $set: { nextAttemptAt: new Date() } });
  expect(await applyPendingEvents(server)).toBe(1);
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  expect(await PaymentEvent.findById(good).lean()).toMatchObject({ state: "processed" });
  const postponed = await PaymentEvent.findById(bad, { body: 0 }).lean();
  expect(postponed).toMatchObject({ state: "pending", attempts: 1 });
  expect(postponed?.nextAttemptAt.getTime()).toBeGreaterThan(Date.now());
  expect(await putBack("payment_event")).toBe(1);
});

const verify = ({ learner, ...bought }: Awaited<ReturnType<typeof unpaidPurchase>>, id: string) =>
  server.post("/api/user/verify-razorpay", checkoutOf(server, bought, id), learner.token);

test("access by a signature alone ends after a day without a capture, and comes back with the capture", async () => {
  const bought = await unpaidPurchase(server);
  const { learner, course, purchaseId, orderId } = bought;
  const id = paymentId();
  expect((await verify(bought, id)).status).toBe(200);
  const { db, config } = server.deps;
  const invoice = async () => {
    // So that the request need not wait for its number.
    await giveNumbers({ db, settings: config.invoices }, new Date(Date.now() + 60_000));
    return server.get(`/api/user/purchases/${purchaseId}/invoice`, learner.token);
  };
  expect((await invoice()).status).toBe(200);
  await runJob(server, "number-events");
  const completedAt = new Date(Date.now() - 25 * 3_600_000);
  await server.deps.db.Purchase.updateOne({ _id: purchaseId }, { completedAt });
  await server.deps.db.CourseDailySales.updateOne(
    { courseId: course._id },
    { day: completedAt.toISOString().slice(0, 10) },
  );
  expect(await reconcile(server, { all: true })).toEqual({ failed: 1 });
  expect(await activeCourses(server, learner)).toEqual([]);
  expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "failed", reviewReason: "not_captured" });
  expect((await invoice()).status).toBe(404);
  // The same signature, or another one, does not bring it back.
  expect((await verify(bought, id)).status).toBe(403);
  expect((await verify(bought, paymentId())).status).toBe(403);
  expect(await activeCourses(server, learner)).toEqual([]);
  await expectRecount(server);
  const documents = async () => {
    const found = await server.deps.db.Invoice.find({ purchaseId }).sort({ _id: 1 }).lean();
    return found.map(({ kind, facts }) => ({ kind, total: facts.totalMinor, paymentId: facts.paymentId }));
  };
  const paid = { total: bought.amount, paymentId: id };
  expect(await documents()).toEqual([
    { kind: "invoice", ...paid },
    { kind: "credit-note", ...paid },
  ]);

  await deliver(server, paymentEvent("payment.captured", { id, purchaseId, orderId }));
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", providerPaymentId: id });
  expect((await invoice()).status).toBe(200);
  expect((await documents()).map(({ kind }) => kind)).toEqual(["invoice", "credit-note", "invoice"]);
  await expectRecount(server);
});

test("an account that captures by hand captures the payments of our orders by itself", async () => {
  paymentsOf(server).account.capture = "manual";
  const { learner, course, orderId } = await unpaidPurchase(server);
  await paymentsOf(server).pay(orderId);
  await paymentsOf(server).settled();
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
});

test("a signature whose payment turns out to be another amount gives no access", async () => {
  const bought = await unpaidPurchase(server);
  const { learner, purchaseId, orderId } = bought;
  const id = paymentId();
  expect((await verify(bought, id)).status).toBe(200);
  await deliver(server, paymentEvent("payment.captured", { id, purchaseId, orderId, amount: 100 }));
  expect(await activeCourses(server, learner)).toEqual([]);
  expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "failed", reviewReason: "amount_mismatch" });
  expect((await verify(bought, id)).status).toBe(403);
  await expectRecount(server);
});
