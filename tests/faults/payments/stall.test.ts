import { Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { openDatabase } from "../../../src/db/connection.js";
import { createDb } from "../../../src/db/db.js";
import type { Deps } from "../../../src/deps.js";
import { processPaymentEvent } from "../../../src/services/payments/events/apply-payment-event.js";
import { storePaymentEvent } from "../../../src/services/payments/events/store-payment-event.js";
import { expectRecount } from "../../assertions/recount.js";
import { deliver, paymentEvent, refundEvent } from "../../factories/payment-events.js";
import { activeCourses, paymentId, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { type DatabaseProxy, startDatabaseProxy } from "../../server/database-proxy.js";
import { applyPendingEvents } from "../../server/payment-jobs.js";
import { startTestServer } from "../../server/test-server.js";

vi.setConfig({ testTimeout: 120_000 });
const server = await startTestServer({ own: "recounts all rows" });

const later = () => new Date(Date.now() + 60_000);

/** Another instance, whose writes go through a proxy that can hold them back. */
async function behindProxy<T>(work: (deps: Deps, proxy: DatabaseProxy) => Promise<T>): Promise<T> {
  const proxy = await startDatabaseProxy(server.databaseUri);
  const database = await openDatabase(proxy.uri, { patient: true });
  const db = createDb(database);
  try {
    return await work({ ...server.deps, database, db, metrics: new Registry() }, proxy);
  } finally {
    await db.close();
    await proxy.close();
  }
}

/** More writes than the operations have. */
const enough = 40;

/** Stalls an instance before some of its writes, while another one processes the same event; then it goes on. */
async function stallAtWrites(prepare: () => Promise<{ event: string; expectDone: () => Promise<void> }>, step: number) {
  for (let n = 0; n < enough; n += step) {
    const { event, expectDone } = await prepare();
    const stalled = await behindProxy(async (deps, proxy) => {
      const held = proxy.holdAfter(n);
      const work = async () => processPaymentEvent(deps, await storePaymentEvent(deps, Buffer.from(event), null));
      const working = work();
      const end = await Promise.race([held.then(() => "held" as const), working.then(() => "done" as const)]);
      if (end === "held") {
        await applyPendingEvents(server, { asOf: later() });
        proxy.release();
        await working;
      }
      return end === "held";
    });
    // Whichever of the two did not get through has left it to the job.
    await vi.waitFor(
      async () => {
        await applyPendingEvents(server, { asOf: later() });
        await expectDone();
      },
      { timeout: 20_000 },
    );
    await expectRecount(server);
    if (!stalled) return n;
  }
  throw new Error("the operation never ended");
}

test("an instance that stalls in a sale, and goes on after another one tried it, counts nothing twice", async () => {
  const writes = await stallAtWrites(async () => {
    const { learner, course, purchaseId } = await unpaidPurchase(server);
    return {
      event: paymentEvent("payment.captured", { id: paymentId(), purchaseId }),
      async expectDone() {
        expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
        expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", reviewReason: null });
      },
    };
  }, 2);
  expect(writes).toBeGreaterThan(6);
});

test("an instance that stalls in a refund, and goes on after another one tried it, takes nothing off twice", async () => {
  const writes = await stallAtWrites(async () => {
    const { learner, purchaseId, amount } = await unpaidPurchase(server);
    const id = paymentId();
    await deliver(server, paymentEvent("payment.captured", { id, purchaseId }));
    return {
      event: refundEvent({ id: `rfnd_${id}`, paymentId: id, amount }),
      async expectDone() {
        expect(await activeCourses(server, learner)).toEqual([]);
        expect((await purchaseOf(server, purchaseId)).status).toBe("refunded");
      },
    };
  }, 3);
  expect(writes).toBeGreaterThan(5);
});
