import { Registry } from "prom-client";
import { describe, expect, test, vi } from "vitest";
import { openDatabase } from "../../../src/db/connection.js";
import { createDb } from "../../../src/db/db.js";
import type { Deps } from "../../../src/deps.js";
import { openPurchase as open } from "../../../src/services/payments/open-purchase.js";
import { processPendingEvents } from "../../../src/services/payments/reconcile-purchases.js";
import { verifyCheckout } from "../../../src/services/payments/verify-checkout.js";
import { expectRecount } from "../../assertions/sales-recount.js";
import { buildCourse } from "../../factories/courses.js";
import { activeCourses, openPurchase, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { paymentsOf } from "../../server/emulators.js";
import { startTcpProxy } from "../../server/tcp-proxy.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

/**
 * An instance's hold on the database that dies in place of its n-th write: from then on nothing of it arrives, whatever
 * its code still tries.
 */
async function mortal(server: TestServer, n: number) {
  const direct = new URL(server.databaseUri);
  const proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port) });
  direct.host = `127.0.0.1:${proxy.port}`;
  direct.search = "?directConnection=true";
  const database = await openDatabase(direct.href);
  const deps: Deps = { ...server.deps, database, db: createDb(database), metrics: new Registry() };
  const died = proxy.dieAtWrite(n).then(() => "died" as const);
  return {
    /** Runs until it is done or the instance dies. */
    async run(work: (deps: Deps) => Promise<unknown>): Promise<"died" | "done"> {
      const working = work(deps).then(
        () => "done" as const,
        () => "done" as const,
      );
      return Promise.race([died, working]);
    },
    async close() {
      proxy.mode("cut");
      await proxy.close();
      await database.close().catch(() => undefined);
    },
  };
}

/** Far enough ahead that whatever waits is due. */
const later = () => new Date(Date.now() + 60_000);

/** More writes than any of these operations has. */
const enough = 40;

/** Kills an instance at every write of an operation in turn. @returns how many writes the operation has. */
async function killAtEveryWrite(
  server: TestServer,
  scenario: () => Promise<{
    operation: (deps: Deps) => Promise<unknown>;
    healed: () => Promise<void>;
  }>,
): Promise<number> {
  for (let n = 1; n <= enough; n += 1) {
    const { operation, healed } = await scenario();
    const instance = await mortal(server, n);
    const end = await instance.run(operation);
    await instance.close();
    await healed();
    if (end === "done") return n - 1;
  }
  throw new Error("the operation never ended");
}

vi.setConfig({ testTimeout: 120_000 });
const servers = {
  verification: await startTestServer(),
  order: await startTestServer(),
};

describe.concurrent("an instance that dies between any two writes", () => {
  test("of a verified checkout leaves what the sweep or the learner's repeat finishes", async () => {
    const server = servers.verification;
    const writes = await killAtEveryWrite(server, async () => {
      const { learner, course, purchaseId, orderId } = await unpaidPurchase(server);
      const result = await paymentsOf(server).pay(orderId, { webhook: false });
      const body = { ...result, purchaseId };
      return {
        operation: (deps) =>
          verifyCheckout(deps, learner.id, {
            purchaseId,
            orderId,
            paymentId: result.razorpay_payment_id,
            signature: result.razorpay_signature,
          }),
        async healed() {
          await processPendingEvents(server.deps, { asOf: later() });
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
    const writes = await killAtEveryWrite(server, async () => {
      const learner = await server.signedIn();
      const course = await buildCourse(server);
      return {
        operation: ({ db, payments }) =>
          open({ db, payments, currency: "INR" }, learner.id, { courseId: String(course._id) }),
        async healed() {
          // A claim of somebody who died expires by itself; here it is not waited for.
          const { Purchase } = server.deps.db;
          await Purchase.updateMany({ userId: learner.id }, { $set: { "orderLock.until": new Date(0) } }).catch(
            () => undefined,
          );
          const opened = await openPurchase(server, learner, course);
          const orders = paymentsOf(server)
            .ledger()
            .orders.filter(({ receipt }) => receipt === opened.purchaseId);
          expect(orders.map(({ id }) => id)).toEqual([opened.orderId]);
          expect(await Purchase.countDocuments({ userId: learner.id })).toBe(1);
        },
      };
    });
    expect(writes).toBeGreaterThan(1);
  });
});
