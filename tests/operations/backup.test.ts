import type { mongo } from "mongoose";
import { expect, test } from "vitest";
import { missingDocuments } from "../../src/services/recount/missing.js";
import { recount } from "../../src/services/recount/recount.js";
import { activeCourses, openPurchase, paidPurchase, purchaseOf, unpaidPurchase } from "../factories/purchases.js";
import { paymentsOf } from "../server/emulators.js";
import { reconcile } from "../server/payment-jobs.js";
import { startTestServer, type TestServer } from "../server/test-server.js";

type Backup = Map<string, mongo.Document[]>;

/** Every document as of one moment. */
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

/** Into an empty database, whose collections and indexes the next start makes. */
async function restore(server: TestServer, backup: Backup): Promise<TestServer> {
  const { database } = server.deps;
  await database.dropDatabase();
  for (const [name, documents] of backup) {
    if (documents.length > 0) await database.collection(name).insertMany(documents);
  }
  return server.another();
}

test("after a restore of an older backup no money is unknown, and figures agree", { timeout: 60_000 }, async () => {
  const before = await startTestServer();
  const paidBefore = await paidPurchase(before);
  const opened = await unpaidPurchase(before);
  const backup = await backUp(before);
  const deliveredBefore = new Set(
    paymentsOf(before)
      .deliveries()
      .map(({ id }) => id),
  );

  await paymentsOf(before).pay(opened.orderId);
  const openedLater = await openPurchase(before, opened.learner, paidBefore.course);
  await paymentsOf(before).pay(openedLater.orderId);
  await paymentsOf(before).settled();
  expect(await activeCourses(before, opened.learner)).toHaveLength(2);

  const after = await restore(before, backup);
  expect(await activeCourses(after, paidBefore.learner)).toHaveLength(1);
  expect(await activeCourses(after, opened.learner)).toHaveLength(0);
  // What a backup holds is reconciled without a delivery.
  await reconcile(after, { all: true });
  expect(await activeCourses(after, opened.learner)).toEqual([String(opened.course._id)]);
  expect(await purchaseOf(after, opened.purchaseId)).toMatchObject({ status: "completed" });
  // What it does not know is delivered again by the provider.
  after.emulators.pointAt(after.url);
  for (const { id } of paymentsOf(after).deliveries()) {
    if (!deliveredBefore.has(id)) await paymentsOf(after).redeliver(id);
  }

  const { db } = after.deps;
  for (const payment of paymentsOf(after).records().payments) {
    const [completed, inReview] = await Promise.all([
      db.Purchase.exists({ providerPaymentId: payment.id, status: "completed" }),
      db.PaymentEvent.exists({ paymentId: payment.id, state: "review", reviewReason: "unknown_purchase" }),
    ]);
    expect({ payment: payment.id, isKnown: Boolean(completed ?? inReview) }).toMatchObject({ isKnown: true });
  }
  expect(await db.PaymentEvent.distinct("orderId", { state: "review" })).toEqual([openedLater.orderId]);
  const differences: unknown[] = [];
  for await (const difference of recount(db, { fix: false })) differences.push(difference);
  for await (const missing of missingDocuments(db)) differences.push(missing);
  expect(differences).toEqual([]);
});
