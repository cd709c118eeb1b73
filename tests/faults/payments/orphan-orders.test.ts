import { beforeEach, expect, test } from "vitest";
import { expectRecount } from "../../assertions/recount.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
import { activeCourses, purchaseOf } from "../../factories/purchases.js";
import { paymentsOf } from "../../server/emulators.js";
import { reconcile } from "../../server/payment-jobs.js";
import { startTestServer } from "../../server/test-server.js";

const server = await startTestServer({ own: "recounts all rows" });
beforeEach(() => server.deps.db.Purchase.updateMany({}, { $unset: { nextCheckAt: 1 } }));

/**
 * A purchase with two orders at the provider: the first came into being after the server had given it up and looked for
 * it.
 */
async function twoOrders() {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const buy = () => server.post("/api/user/purchase", { courseId: String(course._id) }, learner.token);
  paymentsOf(server).faults.add({ kind: "error", on: "orders.create", times: 1 });
  expect((await buy()).status).toBe(500);
  const { body } = await buy();
  const { purchaseId, orderId } = body;
  const { amount, currency } = await purchaseOf(server, purchaseId);
  const amountMinor = Math.round(amount * 100);
  const order = { amountMinor, currency, receipt: purchaseId, notes: { purchaseId } };
  const { id: late } = await server.deps.payments.createOrder(order);
  return { learner, course, purchaseId, orderId, late, amountMinor };
}

const pay = async (orderId: string) => (await paymentsOf(server).pay(orderId, { webhook: false })).razorpay_payment_id;

test("a payment of the order that came late is flagged at first, and completes the purchase once the provider was asked", async () => {
  const { learner, course, purchaseId, late, amountMinor } = await twoOrders();
  const id = await pay(late);
  const event = paymentEvent("payment.captured", { id, purchaseId, orderId: late, amount: amountMinor });
  await deliver(server, event);
  expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "pending", reviewReason: "order_mismatch" });
  expect(await reconcile(server)).toEqual({ completed: 1 });
  const completed = { status: "completed", providerPaymentId: id, reviewReason: null };
  expect(await purchaseOf(server, purchaseId)).toMatchObject(completed);
  await deliver(server, event);
  expect(await purchaseOf(server, purchaseId)).toMatchObject(completed);
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expectRecount(server);
});

test("whichever of the two orders is paid first completes it, and a payment of the other one asks for review, webhooks or not", async () => {
  const { learner, course, purchaseId, orderId, late } = await twoOrders();
  const first = await pay(orderId);
  await deliver(server, paymentEvent("payment.captured", { id: first, purchaseId, orderId }));
  const second = await pay(late);
  await server.deps.db.Purchase.updateOne({ _id: purchaseId }, { $set: { nextCheckAt: new Date() } });
  expect(await reconcile(server)).toEqual({ "needs review": 1 });
  await reconcile(server, { all: true });
  expect(await purchaseOf(server, purchaseId)).toMatchObject({
    ...{ status: "completed", providerPaymentId: first, reviewReason: "duplicate_charge" },
    reviews: [{ subject: second, state: "open" }],
  });
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expectRecount(server);
});

test("the second order of a purchase is watched from the moment before it is made, for three days", async () => {
  const { purchaseId: watched, orderId } = await twoOrders();
  const { Purchase } = server.deps.db;
  expect((await purchaseOf(server, watched)).secondAttemptAt).toBeInstanceOf(Date);
  await deliver(server, paymentEvent("payment.captured", { id: await pay(orderId), purchaseId: watched }));
  const day = 24 * 60 * 60_000;
  const next = async (age: number) => {
    const due = { createdAt: new Date(Date.now() - age), nextCheckAt: new Date() };
    await Purchase.updateOne({ _id: watched }, { $set: due }, { timestamps: false, overwriteImmutable: true });
    expect(await reconcile(server)).toEqual({ unchanged: 1 });
    return (await purchaseOf(server, watched)).nextCheckAt?.getTime();
  };
  expect(await next(2 * day)).toBeGreaterThan(Date.now());
  expect(await next(4 * day)).toBeUndefined();
});
