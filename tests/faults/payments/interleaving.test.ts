import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { createDb } from "../../../src/db/db.js";
import { reconcilePurchase } from "../../../src/services/payments/reconcile/reconcile-purchase.js";
import { expectRecount } from "../../assertions/recount.js";
import { buildCourse } from "../../factories/courses.js";
import { deliver, paymentEvent, refundEvent } from "../../factories/payment-events.js";
import { activeCourses, openPurchase, paymentId, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { connectThrough, startDatabaseProxy } from "../../server/database-proxy.js";
import { paymentsOf } from "../../server/emulators.js";
import { applyPendingEvents, reconcile } from "../../server/payment-jobs.js";
import { startTestServer } from "../../server/test-server.js";

/* Races whose worst order is arranged: one instance is held before one of its writes while a payment comes. */

const server = await startTestServer({ own: "recounts all rows" });

test("a purchase that is paid while a request closes it, because its price has changed, stays paid", async () => {
  const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
  await server.deps.db.Course.updateOne({ _id: course._id }, { $set: { coursePrice: 1_999 } });
  const proxy = await startDatabaseProxy(server.databaseUri);
  const other = await server.another({ MONGODB_URI: proxy.uri });
  const held = proxy.holdAfter(0);
  const asked = other.post("/api/user/purchase", { courseId: String(course._id) }, learner.token);
  await held;
  await paymentsOf(server).pay(orderId);
  await paymentsOf(server).settled();
  proxy.release();
  expect(await asked).toMatchObject({ status: 409, body: { message: "Course already purchased" } });
  expect((await purchaseOf(server, purchaseId)).status).toBe("completed");
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expectRecount(server);
  await other.close();
  await proxy.close();
});

test("a request that read the price before it changed leaves the purchase that another one opened at the new price", async () => {
  const learner = await server.signedIn();
  const course = await buildCourse(server);
  const proxy = await startDatabaseProxy(server.databaseUri);
  const other = await server.another({ MONGODB_URI: proxy.uri });
  const held = proxy.holdAfter(0);
  const asked = other.post("/api/user/purchase", { courseId: String(course._id) }, learner.token);
  await held;
  await server.deps.db.Course.updateOne({ _id: course._id }, { $set: { discount: 50 } });
  const { purchaseId, orderId, amount } = await openPurchase(server, learner, course);
  proxy.release();
  expect(await asked).toMatchObject({ status: 200, body: { purchaseId, orderId, amount: amount / 100 } });
  expect(amount).toBe(49950);
  expect(await server.deps.db.Purchase.countDocuments({ userId: learner.id })).toBe(1);
  await other.close();
  await proxy.close();
});

test("a purchase that is paid while it expires stays paid", async () => {
  const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
  const dayAgo = { $set: { createdAt: new Date(Date.now() - 25 * 60 * 60_000) } };
  const untouched = { timestamps: false, overwriteImmutable: true } as const;
  await server.deps.db.Purchase.updateOne({ _id: purchaseId }, dayAgo, untouched);
  const proxy = await startDatabaseProxy(server.databaseUri);
  const connection = await connectThrough(proxy);
  const held = proxy.holdAfter(0);
  const reconciled = reconcilePurchase(
    { ...server.deps, db: createDb(connection) },
    await purchaseOf(server, purchaseId),
  );
  await held;
  await paymentsOf(server).pay(orderId);
  await paymentsOf(server).settled();
  proxy.release();
  expect(await reconciled).toBe("unchanged");
  expect((await purchaseOf(server, purchaseId)).status).toBe("completed");
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expectRecount(server);
  await connection.close();
  await proxy.close();
});

test("a purchase that its learner's checkout completes while the last look at it ends is asked about all the same", async () => {
  const { learner, purchaseId, orderId } = await unpaidPurchase(server);
  const old = {
    status: "failed",
    createdAt: new Date(Date.now() - 4 * 24 * 60 * 60_000),
    nextCheckAt: new Date(),
  } as const;
  const untouched = { timestamps: false, overwriteImmutable: true } as const;
  await server.deps.db.Purchase.updateOne({ _id: purchaseId }, { $set: old, $unset: { slot: 1 } }, untouched);
  const proxy = await startDatabaseProxy(server.databaseUri);
  const connection = await connectThrough(proxy);
  const held = proxy.holdAfter(0);
  const looked = reconcilePurchase({ ...server.deps, db: createDb(connection) }, await purchaseOf(server, purchaseId));
  await held;
  const id = paymentId();
  const verified = await server.post(
    "/api/user/verify-razorpay",
    {
      ...{ purchaseId, razorpay_order_id: orderId, razorpay_payment_id: id },
      razorpay_signature: paymentsOf(server).signCheckout(orderId, id),
    },
    learner.token,
  );
  expect(verified.status).toBe(200);
  proxy.release();
  expect(await looked).toBe("unchanged");
  // The provider knows of no such payment.
  await reconcile(server, { all: true });
  expect((await purchaseOf(server, purchaseId)).reviewReason).toBe("not_captured");
  await connection.close();
  await proxy.close();
});

test("a refund that is told just before its capture is committed is not lost", async () => {
  const { learner, purchaseId, amount } = await unpaidPurchase(server);
  const id = paymentId();
  const proxy = await startDatabaseProxy(server.databaseUri);
  const other = await server.another({ MONGODB_URI: proxy.uri });
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
  await other.close();
  await proxy.close();
});
