import { describe, expect, test, vi } from "vitest";
import { expectRecount } from "../../assertions/recount.js";
import { buildCourse } from "../../factories/courses.js";
import { activeCourses, openPurchase, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { dieAtEveryWrite, requestBy } from "../../server/dying-instance.js";
import { paymentsOf } from "../../server/emulators.js";
import { applyPendingEvents } from "../../server/payment-jobs.js";
import { startTestServer } from "../../server/test-server.js";

/** Far enough ahead that whatever waits is due. */
const later = () => new Date(Date.now() + 60_000);

vi.setConfig({ testTimeout: 120_000 });
const servers = {
  verification: await startTestServer({ own: "recounts all rows" }),
  order: await startTestServer({ own: "recounts all rows" }),
};

describe.concurrent("an instance that dies between any two writes", () => {
  test("of a verified checkout leaves what the sweep or the learner's repeat finishes", async () => {
    const server = servers.verification;
    const writes = await dieAtEveryWrite(server, async () => {
      const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
      const result = await paymentsOf(server).pay(orderId, { webhook: false });
      const body = { ...result, purchaseId };
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
});
