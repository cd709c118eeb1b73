import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { expectRecount } from "../../assertions/recount.js";
import { paymentEvent, refundEvent } from "../../factories/payment-events.js";
import { activeCourses, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { timesLonger } from "../../longer-runs.js";
import { compiled } from "../../server/compiled.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { paymentsOf } from "../../server/emulators.js";
import { applyPendingEvents, reconcile } from "../../server/payment-jobs.js";
import type { Work, WorkerSetup } from "../../server/payment-worker.js";
import { startTestServer, type TestServer } from "../../server/test-server.js";

vi.setConfig({ testTimeout: 240_000 });

/** A process that does one piece of work and is killed in place of its n-th write. */
interface Victim {
  /** Runs until it is done or dead. */
  run(work: Work, n: number): Promise<"done" | "killed">;
  end(): Promise<void>;
}

async function startVictim(server: TestServer): Promise<Victim> {
  const proxy = await startDatabaseProxy(server.databaseUri);
  const setup: WorkerSetup = { databaseUri: proxy.uri, config: server.deps.config };
  const child = fork(await compiled("tests/server/payment-worker.ts"), [JSON.stringify(setup)], { execArgv: [] });
  const exited = once(child, "exit");
  await Promise.race([said(child, "ready"), exited]);
  return {
    async run(work, n) {
      const reached = proxy.cutAfter(n - 1).then(() => child.kill("SIGKILL"));
      const done = said(child, "done").then(() => "done" as const);
      child.send(work);
      return Promise.race([done, Promise.all([reached, exited]).then(() => "killed" as const)]);
    },
    async end() {
      child.kill("SIGKILL");
      await exited;
      await proxy.close();
    },
  };
}

async function said(child: ChildProcess, word: string): Promise<void> {
  for (;;) {
    const [message] = await once(child, "message");
    if (message === word) return;
  }
}

interface Scene {
  readonly work: Work;
  readonly expectDone: () => Promise<void>;
}

/** More writes than any of these operations has. */
const enough = 40;

/**
 * Kills a process before its first write, its second, and so on to the last. Each time another one finishes what is left,
 * by its own jobs and the provider's word alone: nothing is delivered again.
 * @param step 1 for every write. @returns how many writes the operation has, up to a step.
 */
async function killAtEveryWrite(server: TestServer, scene: () => Promise<Scene>, step = 1): Promise<number> {
  let next = startVictim(server);
  for (let n = 1; n <= enough; n += step) {
    const victim = await next;
    next = startVictim(server); // while this one is at work
    const { work, expectDone } = await scene();
    const end = await victim.run(work, n);
    await victim.end();
    await applyPendingEvents(server, { asOf: new Date(Date.now() + 60_000) });
    await reconcile(server, { all: true });
    await expectDone();
    await expectRecount(server);
    if (end === "killed") continue;
    await (await next).end();
    return n - 1;
  }
  throw new Error("the operation never ended");
}

async function bought(server: TestServer) {
  const unpaid = await unpaidPurchase(server);
  const { razorpay_payment_id: id } = await paymentsOf(server).pay(unpaid.orderId, { webhook: false });
  return { ...unpaid, id };
}

/** The provider's books beside ours: each captured payment has exactly one enrollment, or was paid back, or is flagged. */
async function expectBooksAgree(server: TestServer): Promise<void> {
  const { Purchase, PaymentEvent, Enrollment } = server.deps.db;
  for (const { id, status, orderId } of paymentsOf(server).records().payments) {
    const purchases = await Purchase.find({ providerPaymentId: id }).lean();
    const flagged = await PaymentEvent.countDocuments({ paymentId: id, state: "review" });
    expect({ id, accounted: purchases.length + flagged }).toEqual({ id, accounted: 1 });
    const [purchase] = purchases;
    if (!purchase) continue;
    const { userId, courseId } = purchase;
    expect(purchase).toMatchObject({
      providerOrderId: orderId,
      status: status === "refunded" ? "refunded" : "completed",
    });
    const enrollments = await Enrollment.countDocuments({ userId, courseId, active: true });
    expect({ id, enrollments }).toEqual({ id, enrollments: status === "refunded" ? 0 : 1 });
  }
}

const servers = {
  completion: await startTestServer({ own: "recounts all rows" }),
  refund: await startTestServer({ own: "recounts all rows" }),
  reconcile: await startTestServer({ own: "recounts all rows" }),
};

describe.concurrent("a process killed between any two writes", () => {
  test("of a completion: the learner has the course, once, though nothing is delivered again", async () => {
    const server = servers.completion;
    const writes = await killAtEveryWrite(server, async () => {
      const { learner, course, id, purchaseId, orderId, amount } = await bought(server);
      const body = paymentEvent("payment.captured", { id, purchaseId, orderId, amount, currency: "INR" });
      return {
        work: { kind: "event", body },
        async expectDone() {
          expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", providerPaymentId: id });
          expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
          expect(await server.deps.db.PaymentEvent.countDocuments({ purchaseId, state: "pending" })).toBe(0);
        },
      };
    });
    expect(writes).toBeGreaterThan(6);
    await expectBooksAgree(server);
  });

  test("of a refund: the money and the enrollment are gone, once, though nothing is delivered again", async () => {
    const server = servers.refund;
    const admin = await server.signedIn("admin");
    const payments = paymentsOf(server);
    payments.tricks.suppress = true;
    const scene = async (): Promise<Scene> => {
      const { learner, id, purchaseId, amount } = await bought(server);
      await reconcile(server, { all: true });
      const reason = { reason: "wanted" };
      const asked = await server.post(`/api/admin/purchases/${purchaseId}/refund`, reason, admin.token);
      expect(asked.status).toBe(200);
      return {
        work: { kind: "event", body: refundEvent({ id: asked.body.refundId, paymentId: id, amount }) },
        async expectDone() {
          expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "refunded", reviewReason: null });
          expect(await activeCourses(server, learner)).toEqual([]);
        },
      };
    };
    // It begins as a completion does, of which every write is tried.
    const writes = await killAtEveryWrite(server, scene, timesLonger > 1 ? 1 : 2);
    expect(writes).toBeGreaterThan(6);
    await expectBooksAgree(server);
  });

  test("of the reconciler: the next run ends what it began", async () => {
    const server = servers.reconcile;
    const scene = async (): Promise<Scene> => {
      const { learner, course, id, purchaseId } = await bought(server);
      return {
        work: { kind: "reconcile" },
        async expectDone() {
          expect(await purchaseOf(server, purchaseId)).toMatchObject({ status: "completed", providerPaymentId: id });
          expect(await activeCourses(server, learner)).toEqual([String(course._id)]);
        },
      };
    };
    const writes = await killAtEveryWrite(server, scene, timesLonger > 1 ? 1 : 3);
    expect(writes).toBeGreaterThan(8);
    await expectBooksAgree(server);
  });
});
