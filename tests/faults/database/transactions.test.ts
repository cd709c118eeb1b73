import { createConnection, type mongo } from "mongoose";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createDb } from "../../../src/db/db.js";
import { TransactionTimeout } from "../../../src/db/transaction.js";
import { expectRecount } from "../../assertions/recount.js";
import { buildCourse, enroll } from "../../factories/courses.js";
import { deliver, paymentEvent } from "../../factories/payment-events.js";
import { paymentId, purchaseOf, unpaidPurchase } from "../../factories/purchases.js";
import { startDatabaseProxy } from "../../server/database-proxy.js";
import { paymentsOf } from "../../server/emulators.js";
import { startFailingDatabase, type Trouble } from "../../server/failing-database.js";
import { applyPendingEvents } from "../../server/payment-jobs.js";
import { startTestServer } from "../../server/test-server.js";

/* The embedded database plays a database that has trouble: MongoDB's own `failCommand` says which. */

const { uri, operator, during, close } = await startFailingDatabase();
const server = await startTestServer({ databaseServer: uri });
afterAll(async () => {
  await server.close();
  await close();
});

const primaryAway = 91;
const conflict = 112;

const troubles: [string, Trouble, number][] = [
  ["a conflict in the middle", { failCommands: ["findAndModify", "update"], errorCode: conflict }, 3],
  ["a connection that ends in the middle", { failCommands: ["findAndModify"], closeConnection: true }, 1],
  ["a commit that the new primary has to repeat", { failCommands: ["commitTransaction"], errorCode: primaryAway }, 2],
  ["a connection that ends at the commit", { failCommands: ["commitTransaction"], closeConnection: true }, 1],
  [
    "a commit that happened and was not confirmed",
    {
      failCommands: ["commitTransaction"],
      writeConcernError: { code: primaryAway, errmsg: "primary steps down" },
      errorLabels: ["UnknownTransactionCommitResult", "RetryableWriteError"],
    },
    2,
  ],
];

/** An unpaid purchase, and its payment as the checkout reports it. */
async function checkout() {
  const { learner, purchaseId, orderId } = await unpaidPurchase(server);
  const id = paymentId();
  const body = {
    ...{ razorpay_order_id: orderId, razorpay_payment_id: id, purchaseId },
    razorpay_signature: paymentsOf(server).signCheckout(orderId, id),
  };
  return { purchaseId, verify: () => server.post("/api/user/verify-razorpay", body, learner.token) };
}

test.each(troubles)("%s: a verified checkout is counted once", async (_name, trouble, times) => {
  const { purchaseId, verify } = await checkout();
  expect(await during(trouble, times, verify)).toMatchObject({ status: 200, body: { success: true } });
  expect((await purchaseOf(server, purchaseId)).status).toBe("completed");
  await expectRecount(server);
});

describe("a database that never lets a transaction through", () => {
  const never: [string, Trouble][] = [
    ["by conflicts", { failCommands: ["findAndModify", "update"], errorCode: conflict }],
    ["by commits of unknown result", { failCommands: ["commitTransaction"], errorCode: primaryAway }],
  ];
  test.each(never)(
    "%s: a verification is the specified 500, and works when the trouble is over",
    async (_name, trouble) => {
      const { verify } = await checkout();
      expect(await during(trouble, Number.POSITIVE_INFINITY, verify)).toMatchObject({
        status: 500,
        body: { success: false, message: "An unexpected error occurred" },
      });
      expect(await verify()).toMatchObject({ status: 200, body: { success: true } });
      await expectRecount(server);
    },
  );

  test("a webhook is stored, answered 200, and applied by the job", async () => {
    const { purchaseId } = await unpaidPurchase(server);
    const event = paymentEvent("payment.captured", { id: paymentId(), purchaseId });
    const trouble = { failCommands: ["commitTransaction"], errorCode: primaryAway };
    const answer = await during(trouble, Number.POSITIVE_INFINITY, () => deliver(server, event));
    expect(answer).toMatchObject({ status: 200, body: { received: true } });
    await vi.waitFor(
      async () => {
        await applyPendingEvents(server, { asOf: new Date(Date.now() + 60_000) });
        expect((await purchaseOf(server, purchaseId)).status).toBe("completed");
      },
      { timeout: 20_000 },
    );
    await expectRecount(server);
  });
});

describe("db.transaction", () => {
  const db = createDb(operator);

  test("undoes everything when its body throws, and throws that on", async () => {
    const course = await buildCourse(server);
    const refused = new Error("refused");
    const work = server.deps.db.transaction(async (session) => {
      await server.deps.db.Course.updateOne({ _id: course._id }, { $inc: { totalRatings: 1 } }, { session });
      throw refused;
    });
    await expect(work).rejects.toBe(refused);
    expect(await server.deps.db.Course.findById(course._id).lean()).toMatchObject({ totalRatings: 0 });
  });

  test("starts once more when a unique index refuses a row that was not there before", async () => {
    const learner = await server.signedIn();
    const course = await buildCourse(server);
    const { Enrollment } = server.deps.db;
    let runs = 0;
    const found = await server.deps.db.transaction(async (session) => {
      runs += 1;
      const pair = { userId: learner.id, courseId: course._id };
      const known = await Enrollment.findOne(pair).session(session).lean();
      if (known) return known;
      if (runs === 1) await enroll(server, learner.id, course._id);
      await Enrollment.create([{ ...pair, active: true, enrolledAt: new Date() }], { session });
      return null;
    });
    expect(found).toMatchObject({ userId: learner.id, active: true });
    expect(await Enrollment.countDocuments({ userId: learner.id })).toBe(1);
  });

  test("with one key they run one after another, with two at once", async () => {
    let [inside, most] = [0, 0];
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => db.transaction(work, { mutex: "catalog" })));
    expect(most).toBe(1);
    await Promise.all((["catalog", "event-numbers"] as const).map((mutex) => db.transaction(work, { mutex })));
    expect(most).toBe(2);
  });

  test("counts what it repeats", async () => {
    const trouble = { failCommands: ["update"], errorCode: conflict };
    const course = await buildCourse(server);
    const metric = async () => {
      const found = await server.deps.metrics.getSingleMetric("lyceum_transaction_retries_total")?.get();
      return found?.values.find(({ labels }) => labels.reason === "write_conflict")?.value ?? 0;
    };
    const before = await metric();
    await during(trouble, 2, () =>
      server.deps.db.transaction((session) =>
        server.deps.db.Course.updateOne({ _id: course._id }, { $inc: { totalRatings: 1 } }, { session }),
      ),
    );
    expect(await metric()).toBe(before + 2);
  });

  test("is aborted only when the operation that took too long has ended", async () => {
    const course = await buildCourse(server);
    const proxy = await startDatabaseProxy(server.databaseUri);
    const connection = await createConnection(proxy.uri, {
      monitorCommands: true,
      autoIndex: false,
      autoCreate: false,
    }).asPromise();
    const sent: string[] = [];
    const late = createDb(connection);
    const rate = (session: mongo.ClientSession) =>
      late.Course.updateOne({ _id: course._id }, { $inc: { totalRatings: 1 } }, { session });
    try {
      const held = proxy.holdAfter(1);
      connection.getClient().on("commandStarted", ({ commandName }) => sent.push(commandName));
      const work = late.transaction((session) => rate(session).then(() => rate(session)), { deadlineMs: 200 });
      await Promise.all([held, expect(work).rejects.toBeInstanceOf(TransactionTimeout)]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(sent).toEqual(["update", "update"]);
      proxy.release();
      await expect.poll(() => sent).toEqual(["update", "update", "abortTransaction"]);
      expect(await server.deps.db.Course.findById(course._id).lean()).toMatchObject({ totalRatings: 0 });
    } finally {
      await connection.close();
      await proxy.close();
    }
  });
});
