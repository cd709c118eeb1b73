import type { mongo } from "mongoose";
import { expect, test } from "vitest";
import { allDifferences } from "../assertions/recount.js";
import { buildCourse } from "../factories/courses.js";
import { activeCourses, openPurchase, paidPurchase, purchaseOf, unpaidPurchase } from "../factories/purchases.js";
import { runCommand } from "../server/compiled.js";
import { paymentsOf } from "../server/emulators.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

type Backup = Map<string, mongo.Document[]>;

/** Reads every document in one snapshot. */
async function backUp({ deps: { database, db } }: TestServer): Promise<Backup> {
  const collections = (await database.db?.collections()) ?? [];
  return db.transaction(
    async (session) => {
      const backup: Backup = new Map();
      for (const collection of collections) {
        backup.set(collection.collectionName, await collection.find({}, { session, promoteValues: false }).toArray());
      }
      return backup;
    },
    { deadlineMs: 20_000 },
  );
}

/** Restores into an empty database. The next start creates its collections and indexes. */
async function restore(server: TestServer, backup: Backup): Promise<TestServer> {
  const { database } = server.deps;
  await database.dropDatabase();
  for (const [name, documents] of backup) {
    if (documents.length > 0) await database.collection(name).insertMany(documents);
  }
  return server.another();
}

const commandOf = (server: TestServer, ...options: string[]) =>
  runCommand("ops/reconcile/reconcile.ts", options, {
    ...server.emulators.env,
    MONGODB_URI: server.databaseUri,
    LOG_LEVEL: "silent",
  });

/** Reads every document about money and access without the times of later checks. */
async function moneyOf({ deps: { db } }: TestServer): Promise<unknown> {
  const withoutChecks = { nextCheckAt: 0, checks: 0 };
  return Promise.all([
    db.Purchase.find({}, withoutChecks).sort({ _id: 1 }).lean(),
    db.Payment.find().sort({ _id: 1 }).lean(),
    db.PaymentEvent.find().sort({ _id: 1 }).lean(),
    db.Enrollment.find().sort({ _id: 1 }).lean(),
    db.Course.find().sort({ _id: 1 }).lean(),
    db.CourseDailySales.find().sort({ _id: 1 }).lean(),
  ]);
}

/** Lists the places of a payment: a purchase with its enrollment, a review, or a refund. */
async function placesOf({ deps: { db } }: TestServer, paymentId: string): Promise<string[]> {
  const purchases = await db.Purchase.find({ providerPaymentId: paymentId }).lean();
  const places: string[] = purchases.map(({ status }) => status);
  for (const { status, userId, courseId } of purchases) {
    const hasSeat = (await db.Enrollment.exists({ userId, courseId, active: true })) !== null;
    expect(hasSeat).toBe(status === "completed");
  }
  const events = await db.PaymentEvent.find({ paymentId, event: { $not: /^refund/ } }).lean();
  for (const { state, reviewReason } of events) {
    if (state === "review") places.push(String(reviewReason));
  }
  const payment = await db.Payment.findById(paymentId).lean();
  if (purchases.length === 0 && payment && payment.refundedMinor >= Number(payment.amountMinor))
    places.push("paid back");
  // The provider's event may come behind the one that the command has stored.
  return [...new Set(places)];
}

/** Refunds one sale and grants the course of another, as docs/operations.md describes. */
async function settleByHand(server: TestServer, [refunded = "", granted = ""]: string[], courseId: string) {
  await paymentsOf(server).refund(refunded);
  await paymentsOf(server).settled();
  expect(await placesOf(server, refunded)).toEqual(["paid back"]);

  const admin = await server.signedIn("admin");
  const buyer = await server.signedIn();
  const grant = { userId: buyer.id, courseId, reason: `paid with ${granted} before the restore` };
  expect((await server.post("/api/admin/enrollments", grant, admin.token)).status).toBe(200);
  const { body } = await server.get("/api/admin/payment-events?state=review", admin.token);
  const event = body.events.find((row: { paymentId: string }) => row.paymentId === granted);
  const settled = await server.post(`/api/admin/payment-events/${event._id}/review`, { note: "granted" }, admin.token);
  expect(settled.body.event).toMatchObject({ state: "processed", reviewReason: null });
  expect(await activeCourses(server, buyer)).toEqual([courseId]);
}

test("after the restore of a backup, reconcile --since accounts for every payment", { timeout: 120_000 }, async () => {
  const before = await startTestServer({ own: "recounts all rows" });
  const provider = paymentsOf(before);
  const course = await buildCourse(before);
  const kept = await paidPurchase(before);
  const refundedLater = await paidPurchase(before);
  const opened = await unpaidPurchase(before);
  const withoutOrder = await before.signedIn();
  const clearFault = provider.faults.add({ kind: "error", status: 503, on: "orders.create" });
  const { status } = await before.post("/api/user/purchase", { courseId: String(course._id) }, withoutOrder.token);
  expect(status).toBe(500);
  clearFault();
  const backup = await backUp(before);

  await provider.pay(opened.orderId);
  const orderedLater = await openPurchase(before, withoutOrder, course);
  await provider.pay(orderedLater.orderId);
  await provider.refund(refundedLater.paymentId);
  const sales: string[] = [];
  for (let sale = 0; sale < 20; sale += 1) {
    const { orderId } = await openPurchase(before, await before.signedIn(), course);
    sales.push((await provider.pay(orderId)).razorpay_payment_id);
  }
  const [paidBack = "", paidBackInPart = ""] = sales;
  await provider.refund(paidBack);
  await provider.refund(paidBackInPart, { amount: 500 });
  await provider.settled();
  expect(provider.deliveries().filter(({ state }) => state !== "delivered")).toEqual([]);
  // No server answers during this sale, so the provider retries its event later.
  const unanswered = await openPurchase(before, await before.signedIn(), course);
  before.emulators.pointAt("http://127.0.0.1:9");
  sales.push((await provider.pay(unanswered.orderId)).razorpay_payment_id);
  await expect.poll(() => provider.deliveries().filter(({ attempts }) => attempts.length === 0)).toEqual([]);

  const after = await restore(before, backup);
  after.emulators.pointAt(after.url);
  // The provider never resends an acknowledged event.
  const acknowledged = provider.deliveries().find(({ state }) => state === "delivered");
  await expect(provider.redeliver(acknowledged?.id ?? "")).rejects.toThrow("acknowledged");
  const run = await commandOf(after, "--since", "1h");
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout).toContain("payments: 2 completed, 2 known, 21 new in review\n");
  expect(run.stdout).toContain("refunds: 1 new in review, 1 paid back, 1 refunded\n");
  expect(run.stdout).toContain("events in review: 21\n");

  for (const { id } of provider.records().payments) {
    const expected =
      id === refundedLater.paymentId
        ? "refunded"
        : id === paidBack
          ? "paid back"
          : sales.includes(id)
            ? "unknown_purchase"
            : "completed";
    expect({ id, places: await placesOf(after, id) }).toEqual({ id, places: [expected] });
  }
  expect(await activeCourses(after, kept.learner)).toEqual([String(kept.course._id)]);
  expect(await activeCourses(after, refundedLater.learner)).toEqual([]);
  expect(await purchaseOf(after, opened.purchaseId)).toMatchObject({ status: "completed" });
  expect(await purchaseOf(after, orderedLater.purchaseId)).toMatchObject({
    status: "completed",
    providerOrderId: orderedLater.orderId,
  });

  const money = await moneyOf(after);
  expect(await commandOf(after, "--since", "1h")).toMatchObject({ code: 0 });
  expect(await moneyOf(after)).toEqual(money);
  // The provider's own retry changes nothing.
  await provider.retryNow();
  expect(provider.deliveries().filter(({ state }) => state !== "delivered")).toEqual([]);
  expect(await placesOf(after, sales.at(-1) ?? "")).toEqual(["unknown_purchase"]);

  await settleByHand(after, sales.slice(2, 4), String(course._id));
  expect(await allDifferences(after.deps.db)).toEqual([]);
});
