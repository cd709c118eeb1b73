import { setTimeout as pause } from "node:timers/promises";
import { Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { countOnce, forgetKeys } from "../../src/commands/count-once.js";
import { settlePaymentEvent, storePaymentEvent } from "../../src/commands/payment-ledger.js";
import { sweepPayments } from "../../src/commands/sweep-payments.js";
import { openDatabase } from "../../src/db/connection.js";
import { createDb } from "../../src/db/db.js";
import type { Deps } from "../../src/deps.js";
import { commandsDuring } from "../support/commands.js";
import { buildCourse } from "../support/courses.js";
import { type DatabaseProxy, startDatabaseProxy } from "../support/database-proxy.js";
import {
  activeCourses,
  deliver,
  expectRecount,
  openPurchase,
  paymentEvent,
  paymentId,
  purchaseOf,
  refundEvent,
  unpaidPurchase,
} from "../support/purchases.js";
import { startTestServer } from "../support/server.js";

vi.setConfig({ testTimeout: 120_000 });
const server = await startTestServer({ watchCommands: true });

const later = () => new Date(Date.now() + 60_000);

const pending = () => unpaidPurchase(server);

/** Another instance, whose writes go through a door that can be held. */
async function behindDoor<T>(work: (deps: Deps, door: DatabaseProxy) => Promise<T>): Promise<T> {
  const door = await startDatabaseProxy(server.databaseUri);
  const database = await openDatabase(door.uri, { patient: true });
  try {
    return await work({ ...server.deps, database, db: createDb(database), metrics: new Registry() }, door);
  } finally {
    await database.close();
    await door.close();
  }
}

/** What the webhook does with a verified message. */
async function receive(deps: Deps, body: string): Promise<void> {
  const { stored, repeated } = await storePaymentEvent(deps, Buffer.from(body), null);
  await settlePaymentEvent(deps, stored, { first: !repeated });
}

/** More writes than the operations have. */
const enough = 40;

/** Stalls an instance before each write in turn, while another one finishes its work; then it goes on. */
async function stallAtEveryWrite(prepare: () => Promise<{ event: string; healed: () => Promise<void> }>) {
  for (let n = 0; n < enough; n += 1) {
    const { event, healed } = await prepare();
    const stalled = await behindDoor(async (deps, door) => {
      const held = door.holdAfter(n);
      const working = receive(deps, event);
      const end = await Promise.race([held.then(() => "held" as const), working.then(() => "done" as const)]);
      if (end === "held") {
        await sweepPayments(server.deps, { asOf: later() });
        door.release();
        await working;
      }
      return end === "held";
    });
    await sweepPayments(server.deps, { asOf: later() });
    await healed();
    await expectRecount(server);
    if (!stalled) return n;
  }
  throw new Error("the operation never ended");
}

test("an instance that stalls anywhere in a completion, and goes on after another finished it, counts nothing twice", async () => {
  const writes = await stallAtEveryWrite(async () => {
    const { learner, course, purchaseId } = await pending();
    return {
      event: paymentEvent("payment.captured", { id: paymentId(), purchaseId }),
      async healed() {
        expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
        expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", reviewReason: null });
      },
    };
  });
  expect(writes).toBeGreaterThan(10);
});

test("an instance that stalls anywhere in a refund, and goes on after another finished it, takes nothing off twice", async () => {
  const writes = await stallAtEveryWrite(async () => {
    const { learner, purchaseId, amount } = await pending();
    const id = paymentId();
    await deliver(server, paymentEvent("payment.captured", { id, purchaseId }));
    return {
      event: refundEvent({ id: `rfnd_${id}`, paymentId: id, amount }),
      async healed() {
        expect(await activeCourses(server, learner)).toEqual([]);
        expect((await purchaseOf(server, purchaseId)).status).toBe("refunded");
      },
    };
  });
  expect(writes).toBeGreaterThan(8);
});

test("a course and the platform keep no keys of sales that ended, and a crashed one is known after any number of others", async () => {
  const { course, purchaseId } = await pending();
  const { Course, PlatformTotals } = server.deps.db;
  const event = paymentEvent("payment.captured", { id: paymentId(), purchaseId });
  // Dies with the totals moved and the purchase not marked yet: every write but the last six has arrived.
  await behindDoor(async (deps, door) => {
    const held = door.holdAfter(8);
    const working = receive(deps, event).catch(() => undefined);
    await held;
    await door.close();
    await working;
  });
  const keysOf = async () =>
    (await Course.findById(course._id).select("+countedKeys").lean<{ countedKeys?: string[] }>())?.countedKeys ?? [];
  expect(await keysOf()).toContain(`${purchaseId}:completed`);
  for (let n = 0; n < 300; n += 1) {
    const key = `other-${n}`;
    await countOnce(Course, { _id: course._id }, [{ key, inc: { revenueMinor: 0 } }]);
    await countOnce(PlatformTotals, { _id: "platform" }, [{ key, inc: { revenueMinor: 0 } }], { fresh: {} });
    await forgetKeys(Course, { _id: course._id }, [key]);
    await forgetKeys(PlatformTotals, { _id: "platform" }, [key]);
  }
  await sweepPayments(server.deps, { asOf: later() });
  await expectRecount(server);

  const other = await server.signedIn();
  const sold = await openPurchase(server, other, course);
  const before = await keysOf();
  await deliver(server, paymentEvent("payment.captured", { id: paymentId(), purchaseId: sold.purchaseId }));
  expect(await keysOf()).toEqual(before);
  await expectRecount(server);
});

test("a server is at no more sales at a time than it can end before others take them for abandoned", async () => {
  const course = await buildCourse(server);
  const { Purchase } = server.deps.db;
  const sales = await Purchase.insertMany(
    Array.from({ length: 60 }, (_, n) => {
      const sold = { userId: `user_${n}`, courseId: course._id, amount: 10, currency: "INR", status: "pending" };
      return { ...sold, slot: `unfinished:${course._id}:user_${n}` };
    }),
  );
  let most = 0;
  await behindDoor(async (deps, door) => {
    door.slowDown(20);
    let left = sales.length;
    const working = sales.map(({ _id }) =>
      receive(deps, paymentEvent("payment.captured", { id: paymentId(), purchaseId: String(_id) })).finally(() => {
        left -= 1;
      }),
    );
    while (left > 0) {
      most = Math.max(most, await Purchase.countDocuments({ courseId: course._id, applied: false }));
      await pause(5);
    }
    await Promise.all(working);
  });
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(16);
  await expectRecount(server);
});

test("whoever waits for a sale that another instance is at asks rarely", async () => {
  const { learner, course, purchaseId } = await pending();
  const capture = { id: paymentId(), purchaseId };
  const commands = await behindDoor(async (deps, door) => {
    const held = door.holdAfter(2);
    const working = receive(deps, paymentEvent("payment.captured", capture));
    await held;
    // The same payment, told in other words.
    const again = paymentEvent("payment.captured", { ...capture, currency: "INR" });
    const seen = await commandsDuring(server, () => deliver(server, again));
    door.release();
    await working;
    return seen;
  });
  expect(commands.filter(({ find }) => find === "purchases").length).toBeLessThan(25);
  expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
  await expectRecount(server);
});
