import { describe, expect, test, vi } from "vitest";
import { reconcilePurchases } from "../../../src/services/payments/reconcile/reconcile-purchases.js";
import { expectRecount } from "../../assertions/recount.js";
import { buildCourse } from "../../factories/courses.js";
import { paymentEvent, refundEvent } from "../../factories/payment-events.js";
import { activeCourses, openPurchase, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { dieAtEveryWrite, dieInWork, requestBy } from "../../server/dying-instance.js";
import { paymentsOf } from "../../server/emulators.js";
import { applyPendingEvents, reconcile } from "../../server/payment-jobs.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

/** Far enough ahead that whatever waits is due. */
const later = () => new Date(Date.now() + 60_000);

vi.setConfig({ testTimeout: 120_000 });
const start = () => startTestServer({ own: "recounts all rows" });
const servers = {
  ...{ verification: await start(), order: await start(), completion: await start() },
  ...{ refund: await start(), reconcile: await start() },
};

async function bought(server: TestServer) {
  const unpaid = await unpaidPurchase(server);
  const paid = await paymentsOf(server).pay(unpaid.orderId, { webhook: false });
  return { ...unpaid, paid, id: paid.razorpay_payment_id };
}

function webhook(server: TestServer, body: string) {
  const headers = { ...paymentsOf(server).signWebhook(body) };
  return { path: "/razorpay", method: "POST", body, headers };
}

/** A message that was not stored fails, so that it is sent again; a job applies one that was stored. */
const answerOfWebhook = (writes: number) => (writes === 0 ? 500 : 200);

/** What the server's own jobs and the provider's word make of what is left: nothing is delivered again. */
async function finish(server: TestServer): Promise<void> {
  await applyPendingEvents(server, { asOf: later() });
  await reconcile(server, { all: true });
}

/** The provider's books beside ours: each captured payment has exactly one enrollment, or was paid back, or is flagged. */
async function expectBooksAgree(server: TestServer): Promise<void> {
  const { Purchase, Enrollment } = server.deps.db;
  for (const { id, status, orderId } of paymentsOf(server).records().payments) {
    const purchases = await Purchase.find({ providerPaymentId: id }).lean();
    const flagged = await Purchase.countDocuments({
      reviews: { $elemMatch: { subject: id, state: "open" } },
      providerPaymentId: { $ne: id },
    });
    expect({ id, accounted: purchases.length + flagged }).toEqual({ id, accounted: 1 });
    const [purchase] = purchases;
    if (!purchase) continue;
    const isRefunded = status === "refunded";
    expect(purchase).toMatchObject({ providerOrderId: orderId, status: isRefunded ? "refunded" : "completed" });
    const { userId, courseId } = purchase;
    const enrollments = await Enrollment.countDocuments({ userId, courseId, active: true });
    expect({ id, enrollments }).toEqual({ id, enrollments: isRefunded ? 0 : 1 });
  }
  await expectRecount(server);
}

describe.concurrent("an instance that dies between any two writes", () => {
  test("of a verified checkout leaves what the sweep or the learner's repeat finishes", async () => {
    const server = servers.verification;
    const writes = await dieAtEveryWrite(server, async () => {
      const { learner, course, purchaseId, paid } = await bought(server);
      const body = { ...paid, purchaseId };
      return {
        request: requestBy(learner, "POST", "/api/user/verify-razorpay", body),
        async check() {
          await applyPendingEvents(server, { asOf: later() });
          const begun = (await purchaseOf(server, purchaseId)).status === "completed";
          if (begun) expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
          const repeat = await server.post("/api/user/verify-razorpay", body, learner.token);
          expect(repeat).toMatchObject({ status: 200, body: { success: true } });
          expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
          await expectRecount(server);
        },
      };
    });
    expect(writes).toBeGreaterThan(5);
  });

  test("of opening a purchase leaves one purchase that the next call finishes with one order", async () => {
    const server = servers.order;
    const writes = await dieAtEveryWrite(server, async () => {
      const learner = await server.signedIn();
      const course = await buildCourse(server);
      return {
        request: requestBy(learner, "POST", "/api/user/purchase", { courseId: String(course._id) }),
        async check() {
          // A claim of a process that died expires by itself; here it is not waited for.
          const { Purchase } = server.deps.db;
          await Purchase.updateMany({ userId: learner.id }, { $set: { "orderLock.until": new Date(0) } }).catch(
            () => undefined,
          );
          const opened = await openPurchase(server, learner, course);
          const orders = paymentsOf(server)
            .records()
            .orders.filter(({ receipt }) => receipt === opened.purchaseId);
          expect(orders.map(({ id }) => id)).toEqual([opened.orderId]);
          expect(await Purchase.countDocuments({ userId: learner.id })).toBe(1);
        },
      };
    });
    expect(writes).toBeGreaterThan(1);
  });

  test("of a completion: the learner has the course, once, though nothing is delivered again", async () => {
    const server = servers.completion;
    const stage = async () => {
      const { learner, course, id, purchaseId, orderId, amount } = await bought(server);
      const body = paymentEvent("payment.captured", { id, purchaseId, orderId, amount, currency: "INR" });
      return {
        request: webhook(server, body),
        async check() {
          await finish(server);
          expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", providerPaymentId: id });
          expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
          expect(await server.deps.db.PaymentEvent.countDocuments({ purchaseId, state: "pending" })).toBe(0);
          await expectRecount(server);
        },
      };
    };
    expect(await dieAtEveryWrite(server, stage, answerOfWebhook)).toBeGreaterThan(6);
    await expectBooksAgree(server);
  });

  test("of a refund: the money and the enrollment are gone, once, though nothing is delivered again", async () => {
    const server = servers.refund;
    const admin = await server.signedIn("admin");
    paymentsOf(server).tricks.suppress = true;
    const stage = async () => {
      const { learner, id, purchaseId, amount } = await bought(server);
      await reconcile(server, { all: true });
      const reason = { reason: "wanted" };
      const asked = await server.post(`/api/admin/purchases/${purchaseId}/refund`, reason, admin.token);
      expect(asked.status).toBe(200);
      return {
        request: webhook(server, refundEvent({ id: asked.body.refundId, paymentId: id, amount })),
        async check() {
          await finish(server);
          expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded", reviewReason: null });
          expect(await activeCourses(server, learner)).toEqual([]);
          await expectRecount(server);
        },
      };
    };
    expect(await dieAtEveryWrite(server, stage, answerOfWebhook)).toBeGreaterThan(6);
    await expectBooksAgree(server);
  });

  test("of the reconciler: the next run ends what it began", async () => {
    const server = servers.reconcile;
    let writes = 0;
    for (let died = true; died; writes += 1) {
      const { learner, course, id, purchaseId } = await bought(server);
      died = await dieInWork(server, writes, (db) => reconcilePurchases({ ...server.deps, db }, { all: true }));
      await finish(server);
      expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", providerPaymentId: id });
      expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
    }
    expect(writes).toBeGreaterThan(7);
    await expectBooksAgree(server);
  });
});
