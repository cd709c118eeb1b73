import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createDb } from "../../../src/db/db.js";
import type { Course } from "../../../src/models/courses/course.js";
import { reconcilePurchase } from "../../../src/services/payments/reconcile/reconcile-purchase.js";
import { expectRecount } from "../../assertions/recount.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent, refundEvent } from "../../factories/payment-events.js";
import {
  activeCourses,
  checkoutOf,
  openPurchase,
  paymentId,
  purchaseOf,
  unpaidPurchase,
} from "../../factories/purchases.js";
import { connectThrough, startDatabaseProxy } from "../../server/database-proxy.js";
import { paymentsOf } from "../../server/emulators.js";
import { applyPendingEvents, reconcile } from "../../server/payment-jobs.js";
import { type SignedIn, startTestServer } from "../../server/test-server.js";

/* Races whose worst order is arranged: one instance is held before one of its writes while a payment comes. */

const server = await startTestServer({ own: "recounts all rows" });
const untouched = { timestamps: false, overwriteImmutable: true } as const;

/** A proxy that can hold back writes, and models and an instance behind it. */
async function behindProxy() {
  const proxy = await startDatabaseProxy(server.databaseUri);
  onTestFinished(() => proxy.close());
  return { proxy, startOther: () => server.another({ MONGODB_URI: proxy.uri }) };
}

/** Begins to reconcile a purchase on a connection that is held back before its first write. */
async function reconcileHeld(purchaseId: string) {
  const { proxy } = await behindProxy();
  const connection = await connectThrough(proxy);
  onTestFinished(() => connection.close());
  const held = proxy.holdAfter(0);
  const deps = { ...server.deps, db: createDb(connection) };
  const reconciled = reconcilePurchase(deps, await purchaseOf(server, purchaseId));
  await held;
  return { proxy, reconciled };
}

/** Begins to open a purchase on an instance that is held back before its first write. */
async function openHeld(learner: SignedIn, { _id }: Pick<Course, "_id">) {
  const { proxy, startOther } = await behindProxy();
  const other = await startOther();
  const held = proxy.holdAfter(0);
  const asked = other.post("/api/user/purchase", { courseId: String(_id) }, learner.token);
  await held;
  return { proxy, asked };
}

test("a purchase that is paid while a request closes it, because its price has changed, stays paid", async () => {
  const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
  await server.deps.db.Course.updateOne({ _id: course._id }, { $set: { coursePrice: 1_999 } });
  const { proxy, asked } = await openHeld(learner, course);
  await paymentsOf(server).pay(orderId);
  await paymentsOf(server).settled();
  proxy.release();
  expect(await asked).toMatchObject({ status: 409, body: { message: "Course already purchased" } });
  expect((await purchaseOf(server, purchaseId)).status).toBe("completed");
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expectRecount(server);
});

test("a request that read the price before it changed leaves the purchase that another one opened at the new price", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const { proxy, asked } = await openHeld(learner, course);
  await server.deps.db.Course.updateOne({ _id: course._id }, { $set: { discount: 50 } });
  const { purchaseId, orderId, amount } = await openPurchase(server, learner, course);
  proxy.release();
  expect(await asked).toMatchObject({ status: 200, body: { purchaseId, orderId, amount: amount / 100 } });
  expect(amount).toBe(49950);
  expect(await server.deps.db.Purchase.countDocuments({ userId: learner.id })).toBe(1);
});

test("a purchase that is paid while it expires stays paid", async () => {
  const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
  const dayAgo = { $set: { createdAt: new Date(Date.now() - 25 * 60 * 60_000) } };
  await server.deps.db.Purchase.updateOne({ _id: purchaseId }, dayAgo, untouched);
  const { proxy, reconciled } = await reconcileHeld(purchaseId);
  await paymentsOf(server).pay(orderId);
  await paymentsOf(server).settled();
  proxy.release();
  expect(await reconciled).toBe("unchanged");
  expect((await purchaseOf(server, purchaseId)).status).toBe("completed");
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expectRecount(server);
});

test("a purchase that its learner's checkout completes while the last look at it ends is asked about all the same", async () => {
  const { learner, purchaseId, orderId } = await unpaidPurchase(server);
  const createdAt = new Date(Date.now() - 4 * 24 * 60 * 60_000);
  const old = { status: "failed" as const, createdAt, nextCheckAt: new Date() };
  await server.deps.db.Purchase.updateOne({ _id: purchaseId }, { $set: old, $unset: { slot: 1 } }, untouched);
  const { proxy, reconciled } = await reconcileHeld(purchaseId);
  const body = checkoutOf(server, { orderId, purchaseId });
  expect((await server.post("/api/user/verify-razorpay", body, learner.token)).status).toBe(200);
  proxy.release();
  expect(await reconciled).toBe("unchanged");
  // The provider knows of no such payment.
  await reconcile(server, { all: true });
  expect((await purchaseOf(server, purchaseId)).reviewReason).toBe("not_captured");
});

test("a refund that is told just before its capture is committed is not lost", async () => {
  const { learner, purchaseId, amount } = await unpaidPurchase(server);
  const id = paymentId();
  const { proxy, startOther } = await behindProxy();
  const other = await startOther();
  // The event, then payment, purchase, enrollment, day, course and result; the commit is held.
  const held = proxy.holdAfter(7);
  const captured = deliver(other, paymentEvent("payment.captured", { id, purchaseId, amount, currency: "INR" }));
  await held;
  const refunded = deliver(server, refundEvent({ id: "rfnd_early", paymentId: id, amount }));
  // It waits for the payment, which both write; without that it would be answered by now.
  await Promise.race([refunded, pause(1_000)]);
  proxy.release();
  expect((await captured).status).toBe(200);
  expect((await refunded).status).toBe(200);
  await applyPendingEvents(server, { asOf: new Date(Date.now() + 60_000) });
  expect((await purchaseOf(server, purchaseId)).status).toBe("refunded");
  expect(await activeCourses(server, learner)).toEqual([]);
  await expectRecount(server);
});
